import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { devMiddleware } from '../../src/astro/dev-middleware.ts';

const known = '/museum/_astro/media-asset/4711-0123456789abcdef-fedcba9876543210/quay.webp';
const unknown = known.replace('4711', '12');
const failing = known.replace('4711', '13');

const serve = devMiddleware({
  async bytesFor(url) {
    if (url.startsWith(failing)) throw new Error('The service is down.');
    return url.startsWith(known)
      ? { bytes: Buffer.from('picture'), contentType: 'image/webp' }
      : undefined;
  },
});

/** A dev server that has nothing but the middleware: 404 for what goes on, 500 for an error. */
const server = createServer((request, response) =>
  serve(request, response, (error) => {
    response.statusCode = error ? 500 : 404;
    response.end(error instanceof Error ? error.message : '');
  }),
);

let origin: string;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('the dev server', () => {
  test('gives a rendition of the catalogue, below a base and with a query too', async () => {
    const response = await fetch(`${origin}${known}?t=1`);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('image/webp');
    expect(response.headers.get('Cache-Control')).toBe('no-cache');
    expect(await response.text()).toBe('picture');
  });

  test('answers HEAD with the length and no body', async () => {
    const response = await fetch(`${origin}${known}`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Length')).toBe('7');
    expect(await response.text()).toBe('');
  });

  test.each([
    ['a rendition that nobody issued', unknown, 'GET', 404],
    ['another address', '/museum/', 'GET', 404],
    ['another method', known, 'POST', 404],
    ['a rendition that cannot be had', failing, 'GET', 500],
  ])('leaves %s to Astro', async (_, path, method, status) => {
    expect((await fetch(`${origin}${path}`, { method })).status).toBe(status);
  });
});
