import { describe, expect, test } from 'vitest';
import type { MediaService, Progress } from '../../../src/service/index.ts';
import {
  bodyOf,
  failingCall,
  failureOf,
  inTurn,
  type Respond,
  scriptedClient,
  startScriptedService,
  status,
} from '../scripted-service.ts';

const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));

function send(headers: Record<string, string | number> = {}, body = bytes): Respond {
  return (response) => void response.writeHead(200, headers).end(body);
}

/** Sends half of the bytes, then closes the connection. */
function sendHalf(headers: Record<string, string | number>): Respond {
  return (response) => {
    response.writeHead(200, headers);
    response.write(bytes.subarray(0, 150_000), () => response.socket?.end());
  };
}

const readOriginal = ({ files }: MediaService) => bodyOf(files.original(4711));

describe('a download', () => {
  test('returns the bytes, their size, type and validators', async () => {
    const headers = {
      'content-length': bytes.length,
      'content-type': 'image/jpeg',
      etag: 'W/"7"',
      'last-modified': 'Sun, 01 Mar 2026 12:00:00 GMT',
    };
    const service = await startScriptedService({ respond: send(headers) });
    const download = await scriptedClient(service.url).files.original(4711);
    expect(download).toMatchObject({
      status: 'received',
      size: bytes.length,
      contentType: 'image/jpeg',
      validators: { etag: 'W/"7"', lastModified: 'Sun, 01 Mar 2026 12:00:00 GMT' },
    });
    expect(bytes.equals(await bodyOf(download))).toBe(true);
    expect(service.requests[0]?.headers['accept-encoding']).toBe('identity');
  });

  test("has no size if the service doesn't announce one", async () => {
    const service = await startScriptedService({ respond: send() });
    const download = await scriptedClient(service.url).files.original(4711);
    expect(download).toMatchObject({ size: undefined, validators: {} });
    expect(bytes.equals(await bodyOf(download))).toBe(true);
  });

  test('of JSON that reports a failure fails at its end', async () => {
    const body = Buffer.from('{"success":false,"message":"Not for token-1"}');
    const respond = send({ 'content-type': 'application/json' }, body);
    const { error } = await failingCall({ respond }, readOriginal);
    expect(error).toMatchObject({ code: 'request-refused', status: 200, effect: 'none' });
    expect(error.message).toContain('Not for [secret]');
  });

  test('of a crop is never JSON', async () => {
    const respond = send({ 'content-type': 'application/json' }, Buffer.from('{"id":4711}'));
    const crop = ({ files }: MediaService) => files.customFormat(4711, { x1: 1 });
    expect((await failingCall({ respond }, crop)).error).toMatchObject({
      code: 'answer-unexpected',
      message: expect.stringContaining("`downloads: 'url'`"),
    });
  });

  test('is unchanged if the service says so', async () => {
    // A server can name the coding of the body that it doesn't send.
    const respond = status(304, { 'content-encoding': 'gzip' });
    const service = await startScriptedService({ respond });
    const validators = { etag: '"7"', lastModified: 'Sun, 01 Mar 2026 12:00:00 GMT' };
    const download = await scriptedClient(service.url).files.original(4711, { validators });
    expect(download).toEqual({ status: 'unchanged' });
    expect(service.requests[0]?.headers).toMatchObject({
      'if-none-match': '"7"',
      'if-modified-since': 'Sun, 01 Mar 2026 12:00:00 GMT',
    });
  });

  test.for([
    ['answer-html', 'an HTML page', send({ 'content-type': 'text/html; charset=utf-8' })],
    ['answer-unexpected', '304 to no validators', status(304)],
    ['answer-unexpected', 'no content', status(204)],
    ['answer-unexpected', 'a part', status(206)],
    ['answer-unexpected', '202', status(202)],
    ['download-too-large', 'an announced length', send({ 'content-length': bytes.length })],
  ] as const)('fails with %s for %s', async ([code, , respond]) => {
    const options = { maxDownloadBytes: bytes.length - 1 };
    const { error } = await failingCall({ respond }, ({ files }) => files.original(4711), options);
    expect(error).toMatchObject({ code });
  });

  test('can have exactly the maximum size', async () => {
    const service = await startScriptedService({
      respond: send({ 'content-length': bytes.length }),
    });
    const client = scriptedClient(service.url, { maxDownloadBytes: bytes.length });
    expect(await bodyOf(client.files.original(4711))).toHaveLength(bytes.length);
  });
});

describe('an answer with status 200', () => {
  const page = '<!doctype html><title>Maintenance</title>';
  const json = 'application/json';

  test.each([
    ['an HTML page', 'text/html', page, 'answer-html'],
    ['JSON that states a failure', json, '{"error":"The licence has ended"}', 'licence has ended'],
    ['plain text', 'text/plain', 'Error: no such licence.', 'no such licence'],
    ['XML', 'application/xml', '<Error>No licence</Error>', 'No licence</Error>'],
    ['a text that calls itself JSON', json, 'Oops', 'Oops'],
  ])("is refused if it's %s", async (_, contentType, body, said) => {
    const respond = send({ 'content-type': contentType }, Buffer.from(body));
    const { error } = await failingCall({ respond }, readOriginal);
    expect(`${error.message} ${error.code}`).toContain(said);
  });

  test.each([
    // It states no failure, has a file name, or is longer than a message.
    [json, '{"error":null,"places":[]}', {}],
    [json, '{"error":"north"}', { 'content-disposition': 'attachment; filename="compass.json"' }],
    [json, `{"error":"north","more":"${'a'.repeat(70_000)}"}`, {}],
    ['text/plain', 'Error: none', { 'content-disposition': 'attachment; filename="notes.txt"' }],
    ['text/plain', 'WEBVTT', { 'last-modified': 'Mon, 02 Mar 2026 08:00:00 GMT' }],
    ['application/xml', '<Error/>', { 'content-disposition': 'attachment; filename="tides.xml"' }],
    ['text/csv', 'error,1\n', {}],
    ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>', {}],
    ['text/xml', '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>', {}],
    ['text/plain', 'GIF89a\u0001\0\u0001\0', {}],
    ['text/plain', 'Tides.\n'.repeat(10_000), {}],
  ])(
    "is kept if it's %s with a file name or a date, of its own type, an image or longer than a message",
    async (contentType, body, headers) => {
      const respond = send({ 'content-type': contentType, ...headers }, Buffer.from(body));
      const { url } = await startScriptedService({ respond });
      expect(String(await readOriginal(scriptedClient(url)))).toBe(body);
    },
  );
});

test.each([
  [null, undefined],
  ['attachment', undefined],
  ['attachment; filename=quay.jpg', 'quay.jpg'],
  ['attachment; filename="the \\"quay\\".jpg"', 'the "quay".jpg'],
  ['attachment; filename="x.jpg"; filename*=UTF-8\'\'%E6%B8%AF.jpg', '港.jpg'],
  ['attachment; filename="x.jpg"; filename*=UTF-8\'\'%FF.jpg', '\ufffd.jpg'],
  [`attachment; filename="${'x'.repeat(5000)}"`, undefined],
])('Content-Disposition %j names %s', async (header, name) => {
  const respond = send({ ...(header !== null && { 'content-disposition': header }) });
  const { url } = await startScriptedService({ respond });
  const download = await scriptedClient(url).files.original(4711);
  expect(download).toMatchObject({ status: 'received', filename: name });
});

describe('reading a body', () => {
  test('fails with download-corrupt if fewer bytes arrive than announced', async () => {
    const respond = sendHalf({ 'content-length': bytes.length });
    expect((await failingCall({ respond }, readOriginal)).error).toMatchObject({
      ...{ code: 'download-corrupt', temporary: true },
      message: expect.stringContaining('150000 of 300000 bytes'),
      cause: expect.any(Error),
    });
  });

  test('fails with service-unreachable if one without a size breaks off', async () => {
    const { error } = await failingCall({ respond: sendHalf({}) }, readOriginal);
    expect(error).toMatchObject({ code: 'service-unreachable', cause: expect.any(Error) });
  });

  test('fails with download-too-large above the limit', async () => {
    const options = { maxDownloadBytes: bytes.length - 1 };
    const { error } = await failingCall({ respond: send() }, readOriginal, options);
    expect(error).toMatchObject({ code: 'download-too-large' });
  });

  test('fails with service-unreachable if no byte arrives within the time limit', async () => {
    const respond: Respond = (response) => {
      response.writeHead(200, { 'content-length': bytes.length });
      response.write(bytes.subarray(0, 1000));
    };
    const { error } = await failingCall({ respond }, readOriginal, { timeLimit: 80 });
    expect(error).toMatchObject({
      code: 'service-unreachable',
      message: expect.stringContaining('no data arrived for 80 ms'),
    });
  });

  test('fails with download-corrupt if a short body ends normally', async () => {
    const client = scriptedClient('https://dam.example', {
      credentials: { kind: 'access-token', accessToken: 'fixed' },
      fetch: async () => new Response('abc', { headers: { 'content-length': '10' } }),
    });
    expect(await failureOf(bodyOf(client.files.original(4711)))).toMatchObject({
      code: 'download-corrupt',
      message: expect.stringContaining('3 of 10 bytes'),
    });
  });
});

describe('a download whose body breaks off', () => {
  const whole = send({ 'content-length': bytes.length });
  const reset: Respond = (response) => {
    response.writeHead(200, { 'content-length': bytes.length });
    response.write(bytes.subarray(0, 150_000), () => response.socket?.resetAndDestroy());
  };
  const breaks: Record<string, Respond> = {
    'ends in a body with a length': sendHalf({ 'content-length': bytes.length }),
    'ends in chunks': sendHalf({}),
    'is reset': reset,
  };
  const read = ({ files }: MediaService) => files.readWhole(() => files.original(4711), bodyOf);

  test.for(Object.entries(breaks))('is repeated if its connection %s', async ([, broken]) => {
    const service = await startScriptedService({ respond: inTurn(broken, broken, broken, whole) });
    expect(bytes.equals(await read(scriptedClient(service.url)))).toBe(true);
    expect(service.requests).toHaveLength(4);
  });

  test.for(Object.entries(breaks))('is an outage if each connection %s', async ([, respond]) => {
    const { error, requests } = await failingCall({ respond }, read);
    expect(error).toMatchObject({ temporary: true });
    expect(requests).toHaveLength(4);
  });

  test("isn't repeated if it can't be opened", async () => {
    const { requests } = await failingCall({ respond: status(503) }, read, { attempts: 3 });
    expect(requests).toHaveLength(3);
  });

  test("isn't repeated for a failure of what reads it, or once its signal fires", async () => {
    const service = await startScriptedService({ respond: whole });
    const { files } = scriptedClient(service.url, { concurrency: 1 });
    const full = new Error('the disk is full');
    const refuse = async () => {
      throw full;
    };
    for (const _ of [1, 2])
      expect(await failureOf(files.readWhole(() => files.original(1), refuse))).toBe(full);
    expect(service.requests).toHaveLength(2);
    const controller = new AbortController();
    const stop = async () => controller.abort(full);
    const respond = inTurn(sendHalf({}), whole);
    const broken = await startScriptedService({ respond });
    const { files: other } = scriptedClient(broken.url, { sleep: stop });
    const { signal } = controller;
    const stopped = other.readWhole(() => other.original(1, { signal }), bodyOf, { signal });
    expect(await failureOf(stopped)).toBe(full);
    expect(broken.requests).toHaveLength(1);
  });
});

describe('onProgress of a download', () => {
  test.for([
    [{ 'content-length': bytes.length }, bytes.length],
    [{}, undefined],
  ] as const)('gets the progress of an answer with %j', async ([headers, size]) => {
    const service = await startScriptedService({ respond: send(headers) });
    const told: Progress[] = [];
    const onProgress = (progress: Progress) => void told.push(progress);
    const download = await scriptedClient(service.url).files.original(4711, { onProgress });
    expect(told).toEqual([]);
    expect(await bodyOf(download)).toHaveLength(bytes.length);
    expect(told.length).toBeGreaterThan(1);
    expect(told.at(-1)).toEqual({ received: bytes.length, size });
    const steps = told.map(({ received }) => received);
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
  });

  test('ends the download if it throws', async () => {
    const service = await startScriptedService({ respond: send() });
    const reason = new Error('the bar is broken');
    const onProgress = () => {
      throw reason;
    };
    const download = scriptedClient(service.url).files.original(4711, { onProgress });
    expect(await failureOf(bodyOf(download))).toBe(reason);
  });
});

describe("the caller's signal ends a download with its reason", () => {
  const reason = new Error('stopped');

  test('before the headers arrive', async () => {
    const controller = new AbortController();
    const service = await startScriptedService({ respond: () => controller.abort(reason) });
    const work = scriptedClient(service.url).files.original(4711, { signal: controller.signal });
    expect(await failureOf(work)).toBe(reason);
    expect(service.requests).toHaveLength(1);
  });

  test('while the body is read', async () => {
    const service = await startScriptedService({
      respond: (response) => {
        response.writeHead(200);
        response.write(bytes);
      },
    });
    const controller = new AbortController();
    const { signal } = controller;
    const download = await scriptedClient(service.url).files.original(4711, { signal });
    if (download.status !== 'received') throw new Error(download.status);
    const reader = download.body.getReader();
    expect((await reader.read()).done).toBe(false);
    controller.abort(reason);
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    expect(await failureOf(rest())).toBe(reason);
  });
});

describe('a permit', () => {
  const respond = inTurn(send({ 'content-length': bytes.length }));

  test('is held until the body is read', async () => {
    const service = await startScriptedService({ respond });
    const client = scriptedClient(service.url, { concurrency: 1 });
    const first = await client.files.original(1);
    const second = client.files.original(2);
    expect(service.requests).toHaveLength(1);
    await bodyOf(first);
    await bodyOf(second);
    expect(service.requests.map(({ url }) => url)).toEqual([
      '/1/file/1/download/0',
      '/1/file/2/download/0',
    ]);
  });

  test('is released when a body is cancelled', async () => {
    const service = await startScriptedService({ respond });
    const client = scriptedClient(service.url, { concurrency: 1 });
    const first = await client.files.original(1);
    if (first.status === 'received') await first.body.cancel();
    expect(bytes.equals(await bodyOf(client.files.original(2)))).toBe(true);
  });

  test('is released when the caller aborts and stops reading', async () => {
    const service = await startScriptedService({ respond });
    const client = scriptedClient(service.url, { concurrency: 1 });
    const controller = new AbortController();
    await client.files.original(1, { signal: controller.signal });
    controller.abort();
    expect(bytes.equals(await bodyOf(client.files.original(2)))).toBe(true);
  });

  test.for([
    ['an unchanged download', status(304)],
    ['a refusal', status(404)],
    ['an HTML page', send({ 'content-type': 'text/html' })],
    ['a download cut short', sendHalf({ 'content-length': bytes.length })],
  ] as const)('is released after %s', async ([, first]) => {
    const service = await startScriptedService({ respond: inTurn(first, send()) });
    const client = scriptedClient(service.url, { concurrency: 1, attempts: 1 });
    const validators = { etag: '"1"' };
    await bodyOf(client.files.original(1, { validators })).catch(() => {});
    expect(bytes.equals(await bodyOf(client.files.original(2)))).toBe(true);
  });

  test('is released by unread bodies, which can still be read', async () => {
    const service = await startScriptedService({ respond });
    const client = scriptedClient(service.url, { concurrency: 2, timeLimit: 300 });
    const downloads = await Promise.all([1, 2, 3, 4, 5].map((id) => client.files.original(id)));
    for (const download of downloads) {
      expect(bytes.equals(await bodyOf(download))).toBe(true);
    }
  });

  test("isn't taken by a caller that stopped waiting", async () => {
    const service = await startScriptedService({ respond });
    const client = scriptedClient(service.url, { concurrency: 1 });
    const first = await client.files.original(1);
    const controller = new AbortController();
    const given = client.files.original(2, { signal: controller.signal });
    controller.abort(new Error('given up'));
    expect(await failureOf(given)).toMatchObject({ message: 'given up' });
    const late = client.files.original(2, { signal: controller.signal });
    expect(await failureOf(late)).toMatchObject({ message: 'given up' });
    await bodyOf(first);
    expect(bytes.equals(await bodyOf(client.files.original(3)))).toBe(true);
    expect(service.requests.map(({ url }) => url)).not.toContain('/1/file/2/download/0');
  });
});
