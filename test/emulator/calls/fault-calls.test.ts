import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FaultCall, faultCalls } from '../../support/bends/faults/faults.ts';
import { drawTestImages } from '../../support/images/test-images.ts';
import {
  type EmulatorProcess,
  startEmulatorProcess,
} from '../../support/service/emulator-process.ts';
import { postUsage, removalBody, usageBody } from '../../support/service/usage-posts.ts';

const announcement = { filename: 'a.txt', size: 1, folder: 1 };
const client = { client_id: 'emulator', client_secret: 'emulator-secret' };
const form = { ...client, grant_type: 'password', username: 'editor', password: 'harbour' };
const query = new URLSearchParams({
  response_type: 'code',
  client_id: 'emulator',
  redirect_uri: 'http://127.0.0.1:9/',
});

let media: string;
let emulator: EmulatorProcess;
let signedDownload: string;

beforeAll(async () => {
  media = await drawTestImages([{ path: 'quay.png', width: 90, height: 60 }]);
  emulator = await startEmulatorProcess({ media, downloads: 'json' });
  const answer = await emulator.fetch('/1/file/4711/download/0');
  signedDownload = ((await answer.json()) as { url: string }).url;
  await emulator.setSettings({ downloads: 'bytes' });
});

afterAll(async () => {
  await emulator.stop();
  await rm(media, { recursive: true });
});

beforeEach(async () => {
  await emulator.clearFaults();
  await emulator.reset();
});

const json = (method: string, path: string, body: unknown): Promise<Response> =>
  emulator.fetch(path, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

/** A request of each call that answers 200 without a fault. */
const requests: Readonly<Record<Exclude<FaultCall, 'any'>, () => Promise<Response>>> = {
  token: () =>
    fetch(`${emulator.url}/1/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) }),
  authorize: () => fetch(`${emulator.url}/authorize?${query}`),
  'folder-tree': () => emulator.fetch('/1/foldertree'),
  'folder-files': () => emulator.fetch('/1/folder/1/files'),
  search: () => emulator.fetch('/1/search/file?query=quay'),
  original: () => emulator.fetch('/1/file/4711/download/0'),
  'custom-format': () => emulator.fetch('/1/file/4711/download/-1?x1=0&y1=0&w=9&h=9'),
  'signed-download': () => fetch(signedDownload),
  'file-create': () => json('POST', '/1/file', announcement),
  upload: async () => {
    const record = await json('POST', '/1/file', announcement);
    const { uploadURL } = (await record.json()) as { uploadURL: string };
    return emulator.fetch(uploadURL, { method: 'POST', body: 'x' });
  },
  'file-update': () => json('PUT', '/1/file/4711', { name: 'Quay' }),
  'usage-report': () => postUsage(emulator, usageBody),
  'usage-removal': () => postUsage(emulator, removalBody),
  'usage-list': () => emulator.fetch('/1/file/4711/usage'),
};
const named = Object.entries(requests) as [Exclude<FaultCall, 'any'>, () => Promise<Response>][];

const lastLogged = () => emulator.log().at(-1);

test('every call has a request here', () => {
  expect([...Object.keys(requests), 'any']).toEqual([...faultCalls]);
});

describe('a fault of a call', () => {
  test.each(named)('affects %s and no other call', async (call, request) => {
    await emulator.setFaults([{ call, kind: 'status', status: 418 }]);
    expect((await request()).status).toBe(418);
    // An upload's second step needs its first.
    const needed = call === 'file-create' ? 'upload' : undefined;
    for (const [other, send] of named)
      if (other !== call && other !== needed)
        expect(`${other}: ${(await send()).status}`).toBe(`${other}: 200`);
    expect((await emulator.faults())[0]?.hit).toBe(1);
  });
});

describe('an endless body', () => {
  test.each([
    ['json', 'application/json', '{"files":["a'],
    ['html', 'text/html; charset=utf-8', '<!doctype html>\n<p>a'],
    ['image', 'image/jpeg', '\xff\xd8\xff\xe0\0'],
  ] as const)(
    'of the kind %s continues until the client disconnects',
    async (body, type, start) => {
      await emulator.setFaults([{ call: 'folder-tree', kind: 'endless', body }]);
      const response = await emulator.fetch('/1/foldertree');
      expect(response.headers.get('Content-Type')).toBe(type);
      let size = 0;
      let first = '';
      for await (const chunk of response.body ?? []) {
        first += size < 100 ? Buffer.from(chunk).toString('latin1') : '';
        size += chunk.length;
        if (size > 20_000_000) break;
      }
      expect(first.startsWith(start)).toBe(true);
      expect(lastLogged()).toMatchObject({ status: 200, outcome: 'endless', effect: false });
      await emulator.clearFaults();
      expect((await emulator.fetch('/1/foldertree')).status).toBe(200);
    },
  );
});

describe('a redirect', () => {
  test.each([301, 308] as const)('with %i leads to the second host', async (status) => {
    await emulator.setFaults([{ call: 'usage-report', kind: 'redirect', status }]);
    const response = await emulator.fetch('/1/files/multiple/usages', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(usageBody),
      redirect: 'manual',
    });
    expect(response.status).toBe(status);
    expect(emulator.usages()).toEqual([]);
    expect(lastLogged()).toMatchObject({ status, outcome: 'answered', effect: false });
    const target = response.headers.get('Location') ?? '';
    expect(new URL(target).origin).not.toBe(emulator.url);
    const followed = await fetch(target, { headers: { Authorization: 'Bearer leaked' } });
    expect(await followed.json()).toEqual({ ok: true });
    expect(lastLogged()).toMatchObject({
      path: '/elsewhere',
      headers: { authorization: 'Bearer <token>', host: new URL(target).host },
    });
  });
});

describe('an oversized request', () => {
  test.each([
    ['a request line', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`],
    ['a header', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`],
    ['many headers', `GET / HTTP/1.1\r\nHost: localhost\r\n${'X: a\r\n'.repeat(20_000)}\r\n`],
  ])('with %s is refused, and the next request works', async (_, request) => {
    const socket = connect(emulator.port, '127.0.0.1');
    // Node may reset the connection before the client reads the answer.
    socket.on('error', () => undefined);
    socket.write(request);
    await new Promise((resolve) => socket.resume().once('close', resolve));
    expect((await fetch(emulator.url)).status).toBe(200);
  });
});
