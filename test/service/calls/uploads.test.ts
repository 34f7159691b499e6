import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { UploadFile, UploadProgress } from '../../../src/service/index.ts';
import {
  closeConnection,
  failureOf,
  inTurn,
  json,
  type Respond,
  scriptedClient,
  startScriptedService,
  status,
} from '../scripted-service.ts';
import { fileToUpload, paths, record, steps } from './upload-steps.ts';

const { path, content } = fileToUpload();

describe('an upload', () => {
  test.for<[string, () => UploadFile, string | undefined]>([
    ['a path', () => path, undefined],
    ['a file: URL', () => pathToFileURL(path), undefined],
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

  test('sends its content to another host with the token', async () => {
    const other = await startScriptedService({});
    const uploadURL = `${other.url}/store/812`;
    const service = await startScriptedService({
      respond: steps({ record: (to) => json(to, { uploadURL }) }),
    });
    await scriptedClient(service.url).files.upload(path, { folder: 3 });
    expect(other.requests[0]?.headers.authorization).toBe('Bearer token-1');
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
    const service = await startScriptedService({ respond: steps({ record: inTurn(respond) }) });
    const error = await failureOf(scriptedClient(service.url).files.upload(path, { folder: 3 }));
    expect(error).toMatchObject({ code: 'upload-unanswered', effect: 'unknown', ...found });
    expect((error as Error).message).toContain(
      `It's unknown whether the service created a record for ${path}.`,
    );
    expect(service.requests).toHaveLength(1);
  });

  test("is requested again after 429, then refused with the service's answer", async () => {
    const service = await startScriptedService({
      respond: steps({ record: inTurn(status(429), status(404)) }),
    });
    const error = await failureOf(scriptedClient(service.url).files.upload(path, { folder: 3 }));
    expect(error).toMatchObject({ code: 'request-refused', status: 404, effect: 'none' });
    expect(service.requests).toHaveLength(2);
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
    const service = await startScriptedService({
      respond: steps({ record: (to) => json(to, { id: 812, uploadURL }) }),
    });
    const client = scriptedClient(service.url, { lookup: async () => ['192.168.1.4'] });
    const error = await failureOf(client.files.upload(path, { folder: 3 }));
    expect(error).toMatchObject({ code: 'upload-url-refused' });
    expect((error as Error).message).toContain(target);
    expect((error as Error).message).toContain(reason);
    expect((error as Error).message).toContain('asset 812 exists without content');
    expect(inspect(error)).not.toMatch(/t0ken|s3cr3t/);
    expect(service.requests).toHaveLength(1);
  });

  test("that redirects isn't followed", async () => {
    const content = status(307, { location: 'https://files.example/' });
    const service = await startScriptedService({ respond: steps({ content }) });
    const error = await failureOf(scriptedClient(service.url).files.upload(path, { folder: 3 }));
    expect(error).toMatchObject({ code: 'upload-incomplete', cause: { code: 'redirect-refused' } });
  });
});
