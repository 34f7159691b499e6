import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { devMiddleware } from '../../src/astro/dev-middleware.ts';
import { startLocalServer } from '../support/service/local-server.ts';

const known = '/museum/_astro/media-asset/4711-0123456789abcdef-fedcba9876543210-quay.webp';
const unknown = known.replace('4711', '12');
const failing = known.replace('4711', '13');

const bell = known.replace(/-fedcba9876543210.*/, '-file/bell.wav');

const folder = await mkdtemp(join(tmpdir(), 'dev-'));
const path = join(folder, 'bell');
await writeFile(path, '0123456789');

const serve = devMiddleware({
  async fileFor(url) {
    if (url.startsWith(bell)) return { path, contentType: 'audio/wav' };
    if (url.startsWith(failing)) throw new Error('The service is down.');
    return url.startsWith(known)
      ? { bytes: Buffer.from('picture'), contentType: 'image/webp' }
      : undefined;
  },
});

// A dev server with only the middleware: 404 for a request that it passes on, 500 for an error.
const server = await startLocalServer((request, response) =>
  serve(request, response, (error) => {
    response.statusCode = error ? 500 : 404;
    response.end();
  }),
);
const origin = server.url;

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the dev server', () => {
  test('returns a rendition of the catalogue, also below a base and with a query', async () => {
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
    ["a rendition that wasn't issued", unknown, 'GET', 404],
    ["a file that wasn't issued", bell.replace('4711', '12'), 'GET', 404],
    ['another URL', '/museum/', 'GET', 404],
    ['another method', known, 'POST', 404],
    ['a rendition that is unavailable', failing, 'GET', 500],
  ])('leaves %s to Astro', async (_, path, method, status) => {
    expect((await fetch(`${origin}${path}`, { method })).status).toBe(status);
  });
});

describe('the dev server answers a file request', () => {
  test.each([
    [undefined, 200, '0123456789', null],
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=4-', 206, '456789', 'bytes 4-9/10'],
    ['bytes=8-20', 206, '89', 'bytes 8-9/10'],
    ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
    ['bytes=10-', 200, '0123456789', null],
    ['bytes=5-2', 200, '0123456789', null],
    ['bytes=0-1,4-5', 200, '0123456789', null],
    ['bytes=-3', 200, '0123456789', null],
  ])('for %s with %i', async (range, status, text, contentRange) => {
    const response = await fetch(`${origin}${bell}`, { headers: range ? { range } : {} });
    expect(response.status).toBe(status);
    expect(await response.text()).toBe(text);
    expect(response.headers.get('Content-Range')).toBe(contentRange);
    expect(response.headers.get('Accept-Ranges')).toBe('bytes');
    expect(response.headers.get('Content-Type')).toBe('audio/wav');
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
  });

  test('for HEAD without its bytes', async () => {
    const response = await fetch(`${origin}${bell}`, { method: 'HEAD' });
    expect(response.headers.get('Content-Length')).toBe('10');
    expect(await response.text()).toBe('');
  });
});
