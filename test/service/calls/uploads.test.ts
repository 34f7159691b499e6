import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import type {
  MediaServiceOptions,
  UploadFile,
  UploadMetadata,
  UploadProgress,
} from '../../../src/service/index.ts';
import {
  closeConnection,
  failureOf,
  inTurn,
  json,
  ok,
  type Respond,
  scriptedClient,
  startScriptedService,
  status,
} from '../scripted-service.ts';

/** A record in the service's answer. */
const record = { id: 812, uploadURL: '/1/upload/812?signature=s3cr3t-signature' };

/** Answers an upload's steps by path. */
function steps(answers: { record?: Respond; content?: Respond; update?: Respond }): Respond {
  return (response, request) => {
    if (request.method === 'PUT') return (answers.update ?? ok)(response, request);
    const isRecord = request.url === '/1/file';
    const made: Respond = (to) => json(to, record);
    return (isRecord ? (answers.record ?? made) : (answers.content ?? ok))(response, request);
  };
}

/** Method and path of each request. */
const paths = (requests: readonly { method: string; url: string }[]) =>
  requests.map(({ method, url }) => `${method} ${url.split('?')[0]}`);

const folder = mkdtempSync(join(tmpdir(), 'uploads-'));
const path = join(folder, 'harbour light.jpg');
const content = randomBytes(200_000);
writeFileSync(path, content);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Uploads the file to a service that fails in one of the steps. */
async function failingUpload(
  answers: Parameters<typeof steps>[0],
  metadata: UploadMetadata = { folder: 3 },
  options: Partial<MediaServiceOptions> = {},
) {
  const { url, requests } = await startScriptedService({ respond: steps(answers) });
  const error = await failureOf(scriptedClient(url, options).files.upload(path, metadata));
  return { error, requests };
}

describe('an upload', () => {
  test.for<[string, () => UploadFile, string | undefined]>([
    ['a path', () => path, undefined],
    ['bytes', () => content, 'harbour light.jpg'],
  ])('sends %s in two steps, with its size and progress', async ([, file, filename]) => {
    const service = await startScriptedService({ respond: steps({}) });
    const seen: UploadProgress[] = [];
    const uploaded = await scriptedClient(service.url).files.upload(
      file(),
      { folder: 3, ...(filename && { filename }) },
      { onProgress: (progress) => seen.push(progress) },
    );
    expect(uploaded).toEqual({ id: 812 });
    expect(paths(service.requests)).toEqual(['POST /1/file', 'POST /1/upload/812']);
    const [first, second] = service.requests;
    expect(JSON.parse(first?.body ?? '')).toEqual({
      filename: 'harbour light.jpg',
      size: content.length,
      folder: 3,
    });
    expect(second?.headers).toMatchObject({
      'content-length': String(content.length),
      authorization: 'Bearer token-1',
    });
    expect(second?.headers['transfer-encoding']).toBeUndefined();
    expect(second?.bytes.equals(content)).toBe(true);
    expect(seen.length).toBeGreaterThan(2);
    expect(seen.at(-1)).toEqual({ sent: content.length, size: content.length });
  });

  test('of an empty file sends no bytes', async () => {
    const service = await startScriptedService({ respond: steps({}) });
    await scriptedClient(service.url).files.upload(new Uint8Array(), {
      filename: 'a.txt',
      folder: 3,
    });
    expect(service.requests[1]?.headers['content-length']).toBe('0');
  });

  test.for<[string, unknown, string, number | undefined]>([
    ['an object', record, '/1/upload/812', 812],
    ['an array of one', [record], '/1/upload/812', 812],
    ['an id as text', { ...record, id: '812' }, '/1/upload/812', 812],
    ['an object in an object', { data: record }, '/1/upload/812', 812],
    ['an object in three', { response: { result: { file: record } } }, '/1/upload/812', 812],
    ['a list in an object', { meta: { id: 4 }, Data: [record] }, '/1/upload/812', 812],
    ['no id', { uploadURL: '/up' }, '/up', undefined],
    ['an address relative to the call', { uploadURL: 'up/9' }, '/1/up/9', undefined],
  ])('reads %s', async ([, answer, target, id]) => {
    const service = await startScriptedService({
      respond: steps({ record: (to) => json(to, answer) }),
    });
    const uploaded = await scriptedClient(service.url).files.upload(path, { folder: 0 });
    expect(uploaded).toEqual({ id });
    expect(paths(service.requests)[1]).toBe(`POST ${target}`);
  });

  test('takes the ID from the answer to its content if the first answer has none', async () => {
    const service = await startScriptedService({
      respond: steps({
        record: (to) => json(to, { uploadURL: '/up' }),
        content: (to) => json(to, [{ id: 5 }]),
      }),
    });
    expect(await scriptedClient(service.url).files.upload(path, { folder: 0 })).toEqual({ id: 5 });
  });

  test('sends its content to another port of this machine without the token', async () => {
    const other = await startScriptedService({});
    const uploadURL = `${other.url}/store/812`;
    const service = await startScriptedService({
      respond: steps({ record: (to) => json(to, { uploadURL }) }),
    });
    await scriptedClient(service.url).files.upload(path, { folder: 3 });
    expect(other.requests[0]?.headers.authorization).toBeUndefined();
  });

  test.for<[service: string, upload: string, isOwn: boolean]>([
    ['https://dam.example.org', 'https://dam.example.org', true],
    ['https://dam.example.org/api', 'https://upload.example.org', true],
    ['https://dam.example.org', 'https://example.org:8443', true],
    ['https://dam.example.co.uk', 'https://up.example.co.uk', true],
    ['https://dam.example.co.uk', 'https://other.co.uk', false],
    ['https://dam.example.org', 'https://example.org.evil.example', false],
    ['https://dam.example.org', 'https://notexample.org', false],
    ['https://dam.example.org', 'https://bucket.s3.eu-central-1.amazonaws.com', false],
    [
      'https://dam.s3.eu-central-1.amazonaws.com',
      'https://bucket.s3.eu-central-1.amazonaws.com',
      false,
    ],
    ['https://museum.github.io', 'https://evil.github.io', false],
    ['https://93.184.216.34', 'https://93.184.216.34', true],
    ['https://93.184.216.34', 'https://93.184.216.34:8443', false],
    ['https://93.184.216.34', 'https://93.184.216.35', false],
    ['https://dam', 'https://upload', false],
    ['http://localhost:4000', 'http://localhost:4001', false],
    ['http://dam.localhost', 'http://up.dam.localhost', false],
  ])('from %s to %s: the token goes along: %s', async ([service, upload, isOwn]) => {
    const seen: (string | null)[] = [];
    const own: typeof fetch = async (input, init) => {
      const { url, headers } = new Request(input, init);
      if (url.endsWith('/token')) return Response.json({ access_token: 'token-1' });
      if (url.endsWith('/1/file')) return Response.json({ id: 812, uploadURL: `${upload}/up` });
      seen.push(headers.get('authorization'));
      return Response.json({});
    };
    const client = scriptedClient(service, { fetch: own, lookup: async () => ['93.184.216.34'] });
    await client.files.upload(path, { folder: 3 });
    expect(seen).toEqual([isOwn ? 'Bearer token-1' : null]);
  });

  test('uses a custom fetch for a public host', async () => {
    const uploadURL = 'https://upload.example/store/812';
    const service = await startScriptedService({
      respond: steps({ record: (to) => json(to, { uploadURL }) }),
    });
    const sent: { method: string; bytes: Buffer }[] = [];
    const own: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      if (!request.url.startsWith('https://upload.example/')) return fetch(request);
      sent.push({ method: request.method, bytes: Buffer.from(await request.arrayBuffer()) });
      return new Response();
    };
    const client = scriptedClient(service.url, {
      fetch: own,
      lookup: async () => ['93.184.216.34'],
    });
    await client.files.upload(path, { folder: 3 });
    expect(sent).toEqual([{ method: 'POST', bytes: content }]);
  });

  test('has no time limit while it makes progress', async () => {
    const service = await startScriptedService({ respond: steps({}) });
    const client = scriptedClient(service.url, { timeLimit: 1000, deadline: 1250 });
    const slow = new Int32Array(new SharedArrayBuffer(4));
    // Six parts and 1800 ms.
    await client.files.upload(
      new Uint8Array(6 * 64 * 1024),
      { filename: 'a.bin', folder: 3 },
      { onProgress: () => void Atomics.wait(slow, 0, 0, 300) },
    );
    expect(service.requests[1]?.bytes).toHaveLength(6 * 64 * 1024);
  });
});

describe('the record', () => {
  test.for<[string, Respond, object]>([
    ['a lost answer', closeConnection, {}],
    ['503', status(503), { status: 503 }],
    ['an HTML page', (to) => void to.end('<!doctype html><title>Back soon</title>'), {}],
    ['no uploadURL', (to) => json(to, { id: 4 }), {}],
    ["an uploadURL that isn't text", (to) => json(to, { uploadURL: 12 }), {}],
    ['two records', (to) => json(to, { data: record, file: record }), {}],
    ['two records', (to) => json(to, [record, record]), {}],
  ])("isn't requested again after %s, and the error says so", async ([, respond, found]) => {
    const { error, requests } = await failingUpload({ record: inTurn(respond) });
    expect(error).toMatchObject({ code: 'upload-unanswered', effect: 'unknown', ...found });
    expect(error.message).toContain(
      `It's unknown whether the service created a record for ${path}.`,
    );
    expect(requests).toHaveLength(1);
  });

  test("is requested again after 429, then refused with the service's answer", async () => {
    const { error, requests } = await failingUpload({ record: inTurn(status(429), status(404)) });
    expect(error).toMatchObject({ code: 'request-refused', status: 404, effect: 'none' });
    expect(requests).toHaveLength(2);
  });
});

describe('an uploadURL', () => {
  test.for([
    ['http://files.example/up?token=t0ken', 'http://files.example', "the URL isn't https"],
    ['https://10.0.0.8/up', 'https://10.0.0.8', "the host isn't public"],
    ['https://intern.example/up', 'https://intern.example', "the host isn't public"],
    ['https://me:s3cr3t@files.example/', 'https://files.example', 'credentials'],
    ['file:///etc/passwd', 'file://', "the URL isn't https"],
    ['https://', 'an invalid URL', "the URL isn't valid"],
  ])('%s gets neither the file nor the token', async ([uploadURL, target, reason]) => {
    const record: Respond = (to) => json(to, { id: 812, uploadURL });
    const lookup = async () => ['192.168.1.4'];
    const { error, requests } = await failingUpload({ record }, { folder: 3 }, { lookup });
    expect(error).toMatchObject({ code: 'upload-incomplete' });
    for (const said of [target, reason, 'asset 812 exists']) expect(error.message).toContain(said);
    expect(inspect(error)).not.toMatch(/t0ken|s3cr3t/);
    expect(requests).toHaveLength(1);
  });

  test("that redirects isn't followed", async () => {
    const content = status(307, { location: 'https://files.example/' });
    const { error } = await failingUpload({ content });
    expect(error).toMatchObject({ code: 'upload-incomplete', cause: { code: 'redirect-refused' } });
  });
});

describe('failed content', () => {
  test('names the file and the record, hides the upload URL, and sets no metadata', async () => {
    const metadata = { folder: 3, fields: { alttext: 'The light' } };
    const { error, requests } = await failingUpload({ content: status(403) }, metadata);
    expect(error).toMatchObject({
      code: 'upload-incomplete',
      status: 403,
      message: expect.stringContaining(`${path} wasn't uploaded completely: asset 812 exists`),
    });
    expect(inspect(error, { showHidden: true, depth: 9 })).not.toContain('s3cr3t-signature');
    expect(paths(requests)).toEqual(['POST /1/file', 'POST /1/upload/812']);
  });

  test('is sent again from the start after a temporary failure', async () => {
    const service = await startScriptedService({
      respond: steps({ content: inTurn(closeConnection, status(503), status(401), ok) }),
    });
    await scriptedClient(service.url).files.upload(path, { folder: 3 });
    const sent = service.requests.slice(1).map(({ bytes }) => bytes.equals(content));
    expect(sent).toEqual([true, true, true, true]);
  });

  test.for([
    ['is refused with 409', status(409), 2],
    ['is lost each time', closeConnection, 5],
  ] as const)('has only one record if it %s', async ([, content, count]) => {
    const { error, requests } = await failingUpload({ content });
    expect(error).toMatchObject({ code: 'upload-incomplete' });
    expect(requests).toHaveLength(count);
    expect(paths(requests).filter((one) => one === 'POST /1/file')).toHaveLength(1);
  });

  test('is distinguished from refused metadata', async () => {
    const metadata = { folder: 3, fields: { alttext: 'The light' } };
    const { error } = await failingUpload({ update: status(400) }, metadata);
    expect(error).toMatchObject({
      code: 'upload-not-updated',
      status: 400,
      message: expect.stringContaining('was uploaded as asset 812'),
    });
  });

  test('ends when its signal fires', async () => {
    const controller = new AbortController();
    const service = await startScriptedService({ respond: steps({}) });
    const { files } = scriptedClient(service.url);
    const request = { signal: controller.signal, onProgress: () => controller.abort() };
    const error = await failureOf(files.upload(path, { folder: 3 }, request));
    expect(error).toMatchObject({ code: 'upload-incomplete', cause: { code: 'call-ended' } });
  });

  test("isn't sent if its signal has already fired", async () => {
    const service = await startScriptedService({ respond: steps({}) });
    const { files } = scriptedClient(service.url);
    const work = files.upload(path, { folder: 3 }, { signal: AbortSignal.abort() });
    expect(await failureOf(work)).toMatchObject({ code: 'call-ended', effect: 'none' });
    expect(service.requests).toEqual([]);
  });
});

describe('a file that changes during its upload', () => {
  test('fails if it grows, and never arrives completely', async () => {
    const file = join(folder, 'growing.bin');
    writeFileSync(file, content);
    const service = await startScriptedService({ respond: steps({}) });
    const onProgress = () => writeFileSync(file, `${content}more`);
    const { files } = scriptedClient(service.url);
    const error = await failureOf(files.upload(file, { folder: 3 }, { onProgress }));
    expect(error).toMatchObject({
      code: 'upload-incomplete',
      cause: { code: 'upload-source-unusable' },
    });
    expect(error.message).toMatch(/it had 200000 bytes and now has \d+/);
    expect(paths(service.requests)).toEqual(['POST /1/file']);
  });

  test('fails if it shrinks', async () => {
    const file = join(folder, 'shrinking.bin');
    writeFileSync(file, content);
    const cut: Respond = (to) => {
      writeFileSync(file, 'cut');
      json(to, record);
    };
    const service = await startScriptedService({ respond: steps({ record: cut }) });
    const error = await failureOf(scriptedClient(service.url).files.upload(file, { folder: 3 }));
    expect(error).toMatchObject({ cause: { code: 'upload-source-unusable' } });
  });
});
