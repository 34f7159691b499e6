import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawTestImages } from '../../support/images/test-images.ts';
import {
  type EmulatorProcess,
  startEmulatorProcess,
} from '../../support/service/emulator-process.ts';

let media: string;
let emulator: EmulatorProcess;

beforeAll(async () => {
  media = await drawTestImages([
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

describe('errors are JSON with a code and a message', () => {
  const json = { error: { code: expect.any(String), message: expect.any(String) } };
  test.each([
    ['GET', '/1/none', 404, null],
    ['GET', '/none', 404, null],
    ['GET', '/preview/999/600.webp', 404, null],
    ['GET', '/preview/4712/600.webp', 415, null],
    ['GET', '/preview/4711/601.webp', 404, null],
    ['GET', '/page/none.css', 404, null],
    ['GET', '/asset/999/original', 404, null],
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
