import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { startService } from '../../support/service/start-service.ts';

const emulator = await startService([{ path: 'a.jpg', width: 90, height: 60 }]);
await writeFile(join(emulator.mediaDir, 'plan.pdf'), '%PDF-1.4');

describe('errors are JSON with a code and a message', () => {
  const json = { error: { code: expect.any(String), message: expect.any(String) } };
  test.each([
    ['GET', '/1/none', 404],
    ['GET', '/none', 404],
    ['GET', '/preview/999/600.webp', 404],
    ['GET', '/preview/4712/600.webp', 415],
    ['GET', '/preview/4711/601.webp', 404],
    ['GET', '/page/none.css', 404],
    ['GET', '/asset/999/original', 404],
    ['DELETE', '/1/file/4711/usage', 404],
    ['GET', '/1/files/multiple/usages', 404],
    ['POST', '/', 404],
    ['POST', '/1/files/multiple/usages', 415],
  ])('%s %s answers %i', async (method, path, status) => {
    const response = await emulator.fetch(path, { method });
    expect(response.status).toBe(status);
    expect(response.headers.get('Content-Type')).toBe('application/json');
    expect(await response.json()).toEqual(json);
  });
});

describe('the Host header', () => {
  test.each([
    ['127.0.0.1', 200],
    ['localhost', 200],
    ['LOCALHOST:4710', 200],
    ['[::1]:80', 200],
    ['evil.example', 421],
    ['127.0.0.1.evil.example', 421],
    ['localhost.evil.example:4710', 421],
    ['evil.example:127.0.0.1', 400],
  ])('%s is answered with %i', async (host, status) => {
    const sent = httpRequest({ port: emulator.port, host: '127.0.0.1', headers: { host } });
    sent.end();
    const [response] = await once(sent, 'response');
    const body = await text(response);
    expect(response.statusCode).toBe(status);
    if (status === 421) expect(JSON.parse(body)).toHaveProperty('error.code');
  });
});
