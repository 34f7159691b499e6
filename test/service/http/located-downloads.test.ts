import { buffer, text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { MediaServiceOptions, Progress } from '../../../src/service/index.ts';
import {
  failureOf,
  json,
  type Respond,
  scriptedClient,
  startScriptedService,
  status,
} from '../scripted-service.ts';

const picture: Respond = (response) =>
  void response.writeHead(200, { 'content-type': 'image/png' }).end('picture');

/** A service whose downloads are JSON with a URL at `/cdn/…` on another server. */
async function locating(answer: (cdn: string) => unknown, cdn: Respond = picture) {
  const other = await startScriptedService({ respond: cdn });
  const service = await startScriptedService({
    respond: (response, request) =>
      request.url.startsWith('/cdn/')
        ? picture(response, request)
        : json(response, answer(other.url)),
  });
  const client = (options: Partial<MediaServiceOptions> = {}) =>
    scriptedClient(service.url, { downloads: 'url', attempts: 1, ...options });
  return { service, other, client };
}

async function textOf(work: ReturnType<ReturnType<typeof scriptedClient>['files']['original']>) {
  const download = await work;
  return download.status === 'received' ? text(download.body) : download.status;
}

describe('a download answered with a URL', () => {
  test.for([
    ['a url', (cdn: string) => ({ url: `${cdn}/x` })],
    [
      'a download URL and others',
      (cdn: string) => ({ id: 1, thumb: '/t', downloadURL: `${cdn}/x` }),
    ],
    ['an object in data', (cdn: string) => ({ data: { download_url: `${cdn}/x` } })],
    ['an array of one', (cdn: string) => [{ href: `${cdn}/x` }]],
    ['a text', (cdn: string) => `${cdn}/x`],
    ['the same address twice', (cdn: string) => ({ url: `${cdn}/x`, href: `${cdn}/x` })],
  ] as const)('is fetched without the token: %s', async ([, answer]) => {
    const { service, other, client } = await locating(answer);
    expect(await textOf(client().files.original(4711))).toBe('picture');
    expect(other.requests).toMatchObject([{ method: 'GET', url: '/x' }]);
    expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(service.requests[0]?.headers.authorization).toBe('Bearer token-1');
  });

  test('is fetched with the token on the same origin', async () => {
    const { service, client } = await locating(() => ({ url: '/cdn/x' }));
    expect(await textOf(client().files.customFormat(4711, { w: 1 }))).toBe('picture');
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token-1',
      'Bearer token-1',
    ]);
  });

  test('can redirect further', async () => {
    const { service, client } = await locating(
      (cdn) => ({ url: `${cdn}/x` }),
      (...both) => status(302, { location: `${service.url}/cdn/y` })(...both),
    );
    expect(await textOf(client().files.original(4711))).toBe('picture');
    expect(service.requests.at(-1)?.headers).not.toHaveProperty('authorization');
  });

  test('can still be the bytes', async () => {
    const service = await startScriptedService({ respond: picture });
    const client = scriptedClient(service.url, { downloads: 'url' });
    expect(await textOf(client.files.original(4711))).toBe('picture');
  });

  test.for([
    ['redirect-refused', "the URL isn't https", { url: 'http://cdn.example/x?sig=8f3a' }],
    ['redirect-refused', "the host isn't public", { url: 'https://10.0.0.7/x?sig=8f3a' }],
    ['redirect-refused', "the host isn't public", { url: 'https://[::ffff:a00:1]/x?sig=8f3a' }],
    ['redirect-refused', 'contains credentials', { url: 'https://u:sig=8f3a@cdn.example/' }],
    ['redirect-refused', "the URL isn't valid", { url: 'https://?sig=8f3a' }],
    ['request-refused', 'no such file', { error: 'no such file', url: '/placeholder.png' }],
    ['request-refused', 'with 200', { data: { status: 404, url: '/placeholder.png' } }],
    ['answer-unexpected', '{ a: text, b: text }', { a: 'sig=8f3a', b: 'https://cdn.example/' }],
    ['answer-unexpected', '{ url: text, href: text }', { url: '/a?sig=8f3a', href: '/b' }],
    ['answer-unexpected', 'one download URL', { url: 'file:///etc/passwd?sig=8f3a' }],
    ['answer-unexpected', 'one download URL', []],
  ] as const)('is refused (%s, %s): %j', async ([code, said, answer]) => {
    const { client } = await locating(() => answer);
    const error = await failureOf(client().files.original(4711));
    expect(error).toMatchObject({ code });
    expect(String(error)).toContain(said);
    expect(String(error)).not.toContain('8f3a');
  });
});

describe('onProgress of a download', () => {
  const bytes = Buffer.alloc(300_000, 'bytes of a picture ');
  const sending =
    (headers: Record<string, string | number>): Respond =>
    (response) =>
      void response.writeHead(200, headers).end(bytes);

  test('gets the progress', async () => {
    for (const [headers, size] of [
      [{ 'content-length': bytes.length }, bytes.length],
      [{}, undefined],
    ] as const) {
      const service = await startScriptedService({ respond: sending(headers) });
      const told: Progress[] = [];
      const download = await scriptedClient(service.url).files.original(4711, {
        onProgress: (progress) => told.push(progress),
      });
      if (download.status !== 'received') throw new Error('nothing came');
      expect(told).toEqual([]);
      expect(await buffer(download.body)).toHaveLength(bytes.length);
      expect(told.length).toBeGreaterThan(1);
      expect(told.at(-1)).toEqual({ received: bytes.length, size });
      const steps = told.map(({ received }) => received);
      expect(steps).toEqual([...steps].sort((a, b) => a - b));
    }
  });

  test('ends the download if it throws', async () => {
    const service = await startScriptedService({ respond: sending({}) });
    const reason = new Error('the bar is broken');
    const download = await scriptedClient(service.url).files.original(4711, {
      onProgress: () => {
        throw reason;
      },
    });
    if (download.status !== 'received') throw new Error('nothing came');
    expect(await failureOf(buffer(download.body))).toBe(reason);
  });
});
