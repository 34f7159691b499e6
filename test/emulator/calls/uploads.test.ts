import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startService } from '../../support/service/start-service.ts';
import { postUsage, usageBody } from '../../support/service/usage-posts.ts';

const json = { 'Content-Type': 'application/json' };

const emulator = await startService([]);
const { mediaDir: media, dataDir: data } = emulator;
await mkdir(join(media, 'boats'));
await writeFile(join(media, 'boats/Ferry.txt'), 'a ferry');
// The library gives the file its ID now.
await emulator.fetch('/1/foldertree');

type FileRecord = Record<string, unknown> & { id: number; filename: string; uploadURL: string };

const send = (method: string, path: string, body: unknown): Promise<Response> =>
  emulator.fetch(path, { method, headers: json, body: JSON.stringify(body) });

async function announce(body: Record<string, unknown>): Promise<FileRecord> {
  const response = await send('POST', '/1/file', { folder: 1, ...body });
  expect(response.status).toBe(200);
  return (await response.json()) as FileRecord;
}

const content = (url: string, body: string | Uint8Array<ArrayBuffer>): Promise<Response> =>
  emulator.fetch(url, { method: 'POST', body });

async function upload(body: Record<string, unknown>, text: string): Promise<FileRecord> {
  const record = await announce({ size: text.length, ...body });
  expect((await content(record.uploadURL, text)).status).toBe(200);
  return record;
}

async function download(id: number): Promise<string | number> {
  const response = await emulator.fetch(`/1/file/${id}/download/0`);
  const text = await response.text();
  return response.status === 200 ? text : response.status;
}

async function codeOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error: { code: string } };
  return `${response.status} ${error.code}`;
}

const filesOf = async (folder: number, query = ''): Promise<FileRecord[]> =>
  (await (await emulator.fetch(`/1/folder/${folder}/files${query}`)).json()) as FileRecord[];

const isStored = ({ id }: FileRecord): boolean => existsSync(join(data, 'uploads', `${id}`));

describe('an upload', () => {
  test('can be sent, listed, found and downloaded, and survives a restart', async () => {
    const record = await announce({
      filename: 'Tüg.txt',
      size: 5,
      folder: 2,
      name: 'A tug',
      credit: 'Zoë',
      keywords: ['harbour', 'night'],
      rating: 4,
    });
    expect(record).toMatchObject({
      filename: 'Tüg.txt',
      name: 'A tug',
      folder: 2,
      size: 5,
      type: 'text/plain',
      processed: false,
      credit: 'Zoë',
    });
    expect(await download(record.id)).toBe(404);
    expect((await postUsage(emulator, { ...usageBody, id: [record.id] })).status).toBe(404);
    const names = (files: FileRecord[]) => files.map(({ filename }) => filename);
    expect(names(await filesOf(2))).toEqual(['Ferry.txt', 'Tüg.txt']);
    expect(names(await filesOf(2, '?processed=true'))).toEqual(['Ferry.txt']);

    const response = await content(record.uploadURL, 'a tug');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id: record.id, processed: true, size: 5 });
    expect(await download(record.id)).toBe('a tug');
    expect(names(await filesOf(2, '?processed=true'))).toEqual(['Ferry.txt', 'Tüg.txt']);
    const found = await emulator.fetch('/1/search/file?query=ZO%C3%8B+NIGHT&fields=id');
    expect(await found.json()).toEqual([{ id: record.id }]);
    expect((await postUsage(emulator, { ...usageBody, id: [record.id] })).status).toBe(200);

    await emulator.restart('SIGKILL');
    expect(await download(record.id)).toBe('a tug');
    expect((await filesOf(2)).find(({ id }) => id === record.id)).toMatchObject({ rating: 4 });
    expect(await readdir(join(media, 'boats'))).toEqual(['Ferry.txt']);
  });

  test('can be empty, or larger than any other body', async () => {
    const empty = await upload({ filename: 'empty.bin' }, '');
    expect(await download(empty.id)).toBe('');
    const size = 8 * 1024 * 1024 + 1;
    const large = await announce({ filename: 'large.bin', size });
    expect((await content(large.uploadURL, new Uint8Array(size).fill(65))).status).toBe(200);
    expect((await download(large.id)).toString().length).toBe(size);
    expect(emulator.log().find(({ path }) => path === `/1/upload/${large.id}`)?.body).toBe('');
  });
});

/** Sends a part of an upload's content. */
async function sendPart(record: FileRecord): Promise<ClientRequest> {
  const headers = { Authorization: `Bearer ${await emulator.signIn()}`, 'Content-Length': 6 };
  const sending = httpRequest(record.uploadURL, { method: 'POST', headers });
  sending.on('error', () => undefined);
  sending.write('abc');
  await expect.poll(() => isStored(record), { interval: 5 }).toBe(true);
  return sending;
}

describe("an upload's second step", () => {
  test.each([
    ['too few bytes', 'abc'],
    ['too many bytes', 'abcdefgh'],
    ['nothing', ''],
  ])('refuses %s, keeps nothing, and can be repeated', async (_, text) => {
    const record = await announce({ filename: 'six.txt', size: 6 });
    expect(await codeOf(await content(record.uploadURL, text))).toBe('400 size-wrong');
    const stream = new Blob([text]).stream();
    const chunked = { method: 'POST', body: stream, duplex: 'half' } as RequestInit;
    expect(await codeOf(await emulator.fetch(record.uploadURL, chunked))).toBe('400 size-wrong');
    expect(isStored(record)).toBe(false);
    expect(await download(record.id)).toBe(404);
    expect((await content(record.uploadURL, 'sixsix')).status).toBe(200);
    expect(await download(record.id)).toBe('sixsix');
  });

  test('keeps nothing if the client disconnects', async () => {
    const record = await announce({ filename: 'cut.txt', size: 6 });
    const sending = await sendPart(record);
    expect(await codeOf(await content(record.uploadURL, 'second'))).toBe('409 upload-running');
    expect(await download(record.id)).toBe(404);
    sending.destroy();
    await expect.poll(() => isStored(record), { interval: 5 }).toBe(false);
    const again = async () => (await content(record.uploadURL, 'second')).status;
    await expect.poll(again).toBe(200);
    expect(await download(record.id)).toBe('second');
  });

  test('can be repeated after a kill', async () => {
    const record = await announce({ filename: 'killed.txt', size: 6 });
    await sendPart(record);
    await emulator.restart('SIGKILL');
    expect(await download(record.id)).toBe(404);
    expect((await content(record.uploadURL, 'sixsix')).status).toBe(200);
    expect(await download(record.id)).toBe('sixsix');
  });

  test('accepts content once', async () => {
    const record = await upload({ filename: 'once.txt' }, 'first');
    expect(await codeOf(await content(record.uploadURL, 'other'))).toBe('409 upload-done');
    expect(await download(record.id)).toBe('first');
  });

  test.each(['', '?signature=', '?signature=wrong'])('refuses the query %j', async (query) => {
    const record = await announce({ filename: 'signed.txt', size: 1 });
    const response = await content(`/1/upload/${record.id}${query}`, 'x');
    expect(await codeOf(response)).toBe('403 signature-invalid');
    expect(await codeOf(await content(`/1/upload/99999${query}`, 'x'))).toBe(
      '403 signature-invalid',
    );
  });

  test("needs a token on this host, and its signature isn't logged", async () => {
    const record = await announce({ filename: 'token.txt', size: 1 });
    const response = await fetch(record.uploadURL, { method: 'POST', body: 'x' });
    expect(await codeOf(response)).toBe('401 token-missing');
    const signature = new URL(record.uploadURL).searchParams.get('signature') as string;
    expect(JSON.stringify(emulator.log())).not.toContain(signature);
  });
});

describe('an update', () => {
  test('changes only the given fields', async () => {
    const { id } = await upload({ filename: 'old.txt', credit: 'Zoë', place: 'Quay' }, 'x');
    const body = { name: 'New', filename: 'new.txt', folder: 2, credit: null, year: 2026 };
    const response = await send('PUT', `/1/file/${id}`, body);
    expect(response.status).toBe(200);
    const record = (await response.json()) as FileRecord;
    expect(record).toMatchObject({ id, name: 'New', filename: 'new.txt', folder: 2, year: 2026 });
    expect(record).toMatchObject({ place: 'Quay' });
    expect(record).not.toHaveProperty('credit');
    expect(await (await send('PUT', `/1/file/${id}`, {})).json()).toEqual(record);
    expect((await filesOf(2)).some((file) => file.id === id)).toBe(true);
    expect(await download(id)).toBe('x');
  });

  test('keeps a file in the media folder unchanged', async () => {
    const response = await send('PUT', '/1/file/4711', { filename: 'Boat.txt', name: 'Boat' });
    expect(await response.json()).toMatchObject({ id: 4711, filename: 'Boat.txt', name: 'Boat' });
    expect(await readdir(join(media, 'boats'))).toEqual(['Ferry.txt']);
    expect(await download(4711)).toBe('a ferry');
    const back = await send('PUT', '/1/file/4711', { filename: 'Ferry.txt', name: null });
    expect(await back.json()).toMatchObject({ filename: 'Ferry.txt', name: 'Ferry' });
  });
});

describe('an invalid record', () => {
  const good = { filename: 'a.txt', size: 1, folder: 1 };
  const update = '/1/file/4711';

  test.each<[string, unknown, string]>([
    ['/1/file/99999', {}, '404 file-unknown'],
    ['/1/file/..%2f', {}, '404 file-unknown'],
    [update, { folder: 99 }, '404 folder-unknown'],
    [update, { size: 9 }, '400 record-invalid'],
    [update, { id: 9 }, '400 record-invalid'],
    [update, { name: '' }, '400 record-invalid'],
    [update, { nested: { a: 1 } }, '400 record-invalid'],
    [update, { '': 'x' }, '400 record-invalid'],
    [update, { long: 'x'.repeat(10_001) }, '400 record-invalid'],
    [update, { filename: '../x' }, '400 record-invalid'],
    [update, [], '400 json-invalid'],
    ['/1/file', { filename: 'a.txt', folder: 1 }, '400 record-invalid'],
    ['/1/file', { ...good, size: -1 }, '400 record-invalid'],
    ['/1/file', { ...good, size: '1e3' }, '400 record-invalid'],
    ['/1/file', { ...good, size: 1e300 }, '400 record-invalid'],
    ['/1/file', { ...good, folder: '../..' }, '400 record-invalid'],
    ['/1/file', { ...good, processed: true }, '400 record-invalid'],
    ['/1/file', null, '400 json-invalid'],
  ])('%s with %j answers %s', async (path, body, expected) => {
    const method = path === '/1/file' ? 'POST' : 'PUT';
    expect(await codeOf(await send(method, path, body))).toBe(expected);
  });

  test.each([
    '',
    '.',
    '..',
    '../up.txt',
    '..\\up.txt',
    '/etc/passwd',
    'C:\\a.txt',
    'a\0.txt',
    'a\n.txt',
    '\ud800.txt',
    'ä'.repeat(128),
    7,
    ['a.txt'],
  ])('the file name %j is refused', async (filename) => {
    const response = await send('POST', '/1/file', { ...good, filename });
    expect(await codeOf(response)).toBe('400 record-invalid');
    expect(await readdir(media)).toEqual(['boats']);
  });

  test('with fields deeper than the stack is refused', async () => {
    const body = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const response = await emulator.fetch('/1/file', { method: 'POST', body, headers: json });
    expect(response.status).toBe(400);
  });
});
