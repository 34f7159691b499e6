import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmulatorProcess, startEmulatorProcess } from '../support/start-emulator.ts';
import { drawTestPictures } from '../support/test-pictures.ts';

let media: string;
let emulator: EmulatorProcess;

beforeAll(async () => {
  media = await drawTestPictures([
    { path: 'boats/<b>ferry & tug.jpg', width: 900, height: 600, orientation: 6 },
    { path: 'quay.png', width: 30, height: 30 },
  ]);
  await writeFile(join(media, 'plan.pdf'), '%PDF-1.4');
  emulator = await startEmulatorProcess({ media });
});

afterAll(async () => {
  await emulator.stop();
  await rm(media, { recursive: true });
});

describe('every error is JSON with a code and a message', () => {
  const json = { error: { code: expect.any(String), message: expect.any(String) } };
  test.each([
    ['GET', '/1/none', 404, null],
    ['GET', '/none', 404, null],
    ['GET', '/preview/999.jpg', 404, null],
    ['GET', '/preview/4712.jpg', 415, null],
    ['POST', '/1/file/4711/download/0', 405, 'GET, HEAD'],
    ['DELETE', '/1/file/4711/usage', 405, 'GET, HEAD'],
    ['GET', '/1/files/multiple/usages', 405, 'POST'],
    ['GET', '/1/oauth2/token', 405, 'POST'],
    ['POST', '/', 405, 'GET, HEAD'],
    ['POST', '/1/files/multiple/usages', 415, null],
  ])('%s %s answers %i', async (method, path, status, allowed) => {
    const response = await emulator.fetch(path, { method });
    expect(response.status).toBe(status);
    expect(response.headers.get('Content-Type')).toBe('application/json');
    expect(response.headers.get('Allow')).toBe(allowed);
    expect(await response.json()).toEqual(json);
  });

  test('what is no HTTP request too', async () => {
    const socket = connect(emulator.port, '127.0.0.1');
    socket.end('HELLO\r\n\r\n');
    const [head, body] = (await text(socket)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(body ?? '')).toEqual(json);
  });
});

describe('the host that a request names', () => {
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
    if (status !== 200) expect(JSON.parse(body)).toHaveProperty('error.code');
  });
});

describe('the page at /', () => {
  const usage = {
    id: [4711],
    contact: 'Press office',
    date: '2026-03-04',
    amount: '1',
    description: '',
    project: 'harbour <i>',
    types: ['web'],
    removed: 'false',
    web: {
      page: 'https://www.example.org/?a=1&b="><script>',
      pageName: '<script>alert(1)</script>',
    },
  };
  const post = (body: object) =>
    emulator.fetch('/1/files/multiple/usages', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });

  test('shows each asset and, live, the pages that use it, with everything escaped', async () => {
    const before = await (await fetch(emulator.url)).text();
    expect(before).toContain('3 assets, 0 in use, 0 usages');
    expect(before).toMatch(/4711<\/span> &lt;b&gt;ferry &amp; tug\.jpg/);
    expect(before.match(/Not in use/g)).toHaveLength(3);

    await post(usage);
    const response = await fetch(emulator.url);
    const page = await response.text();
    expect(page).toContain('3 assets, 1 in use, 1 usage');
    expect(page).toContain(
      '<a href="https://www.example.org/?a=1&amp;b=&quot;&gt;&lt;script&gt;">&lt;script&gt;alert(1)&lt;/script&gt;</a>',
    );
    expect(page).not.toMatch(/<script|<b>|<i>/);
    expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'none'");

    await post({ ...usage, removed: 'true' });
    expect(await (await fetch(emulator.url)).text()).toContain('0 in use');
  });

  test('shows small, upright previews without a token', async () => {
    const response = await fetch(`${emulator.url}/preview/4711.jpg`);
    expect(response.headers.get('Content-Type')).toBe('image/jpeg');
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 400, height: 267 });
    const again = await fetch(`${emulator.url}/preview/4711.jpg`, {
      headers: { 'If-None-Match': response.headers.get('ETag') ?? '' },
    });
    expect(again.status).toBe(304);
  });
});
