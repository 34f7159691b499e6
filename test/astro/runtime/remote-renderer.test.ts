import { request as httpRequest } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Renderer, rendererCalls, rendererKey } from '../../../src/astro/renderer.ts';
import { remoteRenderer } from '../../../src/astro/runtime/remote-renderer.ts';
import { type ServedRenderer, serveRenderer } from '../../../src/astro/runtime/serve-renderer.ts';
import { MediaAssetError, mediaAssetError } from '../../../src/errors/errors.ts';

let failures: unknown[];
let served: ServedRenderer;
let remote: Renderer;
/** The arguments of the last call. */
let asked: unknown[];
/** What the next call does. */
let run: () => unknown;

beforeEach(async () => {
  failures = [];
  const call = async (...given: unknown[]) => {
    asked = given;
    return run();
  };
  Reflect.set(
    globalThis,
    Symbol.for(rendererKey),
    Object.fromEntries(rendererCalls.map((name) => [name, call])),
  );
  served = await serveRenderer((thrown) => failures.push(thrown));
  remote = remoteRenderer(served.loopback);
});

afterEach(() => {
  served.close();
  Reflect.deleteProperty(globalThis, Symbol.for(rendererKey));
});

/** Asks with any value in place of a request. */
const ask = (request: unknown) => remote.asset(request as never);

describe('a renderer in another runtime', () => {
  test.each([
    ['undefined', { alt: undefined, list: [1, undefined] }],
    ['numbers that JSON lacks', { crop: { x: Number.NaN, y: Number.POSITIVE_INFINITY } }],
    ['big integers', { width: 12345678901234567890n }],
    ['texts in any script', { alt: 'Å 日本 \u2028 </script> "\'', nested: [[{ '': null }]] }],
    ['names of prototypes', JSON.parse('{ "__proto__": { "x": 1 }, "constructor": 2 }')],
  ])('gets and returns %s', async (_, value) => {
    run = () => value;
    expect(await ask(value)).toStrictEqual(value);
    expect(asked).toStrictEqual([value]);
  });

  test('shows functions and symbols as a message in Node does', async () => {
    run = () => undefined;
    await ask({ width: () => 1, height: Symbol('tall') });
    const [{ width, height }] = asked as [Record<string, unknown>];
    expect([`${width}`, `${height}`]).toEqual(['() => 1', 'Symbol(tall)']);
    expect(JSON.stringify({ width, height })).toBe('{}');
  });

  test('throws the same error, and the build hears of it', async () => {
    const place = { file: 'src/pages/index.astro', line: 5, column: 3 };
    const subject = { id: 4711, page: '/', place, name: 'width', value: 0, expected: 'a number' };
    const error = Object.assign(mediaAssetError('prop-invalid', subject), {
      loc: { file: 'src/pages/index.astro' },
    });
    run = () => {
      throw error;
    };
    const thrown = await ask({ id: 4711 }).then(
      () => undefined,
      (caught: Error) => caught,
    );
    expect(thrown).toBeInstanceOf(Error);
    expect(thrown).toEqual(error);
    const { code, hint, page, asset, name } = error;
    expect({ ...thrown }).toMatchObject({ code, hint, page, asset, name, place, loc: error.loc });
    expect(thrown?.stack).toBe(error.stack);
    expect(failures).toEqual([error]);
  });

  test('throws an error of the site with its message, even if it contains itself', async () => {
    const error = Object.assign(new TypeError('No crop fits.'), { request: {} });
    Object.assign(error, { cause: error, request: { error } });
    run = () => {
      throw error;
    };
    await expect(ask({ id: 4711 })).rejects.toMatchObject({
      name: 'TypeError',
      message: 'No crop fits.',
    });
    expect(failures).toEqual([error]);
  });

  test('says that the build is gone once it has ended', async () => {
    served.close();
    await expect(ask({ id: 4711 })).rejects.toThrow(
      expect.objectContaining({ code: 'renderer-unreachable', cause: expect.any(Error) }),
    );
    await expect(ask({ id: 4711 })).rejects.toBeInstanceOf(MediaAssetError);
  });
});

describe('the address of a build', () => {
  const call = JSON.stringify({ call: 'asset', asked: [{ id: 4711 }] });

  beforeEach(() => {
    run = () => {
      throw new Error('It has run.');
    };
  });

  /** Sends a request as anyone can. */
  function send(given: { headers?: Record<string, string>; body?: string; secret?: string }) {
    const { url, secret } = served.loopback;
    const headers = { authorization: `Bearer ${given.secret ?? secret}`, ...given.headers };
    const { promise, resolve, reject } =
      Promise.withResolvers<[status: number | undefined, text: string]>();
    const sent = httpRequest(url, { method: 'POST', headers }, async (response) => {
      resolve([response.statusCode, (await response.setEncoding('utf8').toArray()).join('')]);
    });
    // A body that's refused isn't read to its end.
    sent.on('error', reject);
    sent.end(given.body ?? call);
    return promise;
  }

  test.each([
    ['no secret', 403, { headers: { authorization: '' } }],
    ['another secret', 403, { secret: 'x'.repeat(43) }],
    ["another host's name, which can point here", 403, { headers: { host: 'evil.example' } }],
    ['the name of this machine', 403, { headers: { host: 'localhost' } }],
    ['no JSON', 400, { body: '{' }],
    ['a value that no page sends', 400, { body: 'null' }],
    ['an unknown function', 400, { body: '{"call":"toString","asked":[]}' }],
    ['a function of all objects', 400, { body: '{"call":"constructor","asked":[]}' }],
    ['a broken big integer', 400, { body: '{"astro-media-asset.value":"bigint","text":"x"}' }],
  ] as const)('refuses %s', async (_, status, request) => {
    const [answered, text] = await send(request);
    expect(answered).toBe(status);
    expect(text).not.toContain('It has run');
    expect(text).not.toContain(served.loopback.secret);
    expect(failures).toEqual([]);
  });

  test('refuses a body above 16 MB, or of unknown length, without reading it', async () => {
    const body = `{"call":"asset","asked":["${'x'.repeat(64 * 1024 * 1024)}"]}`;
    const refused = await send({ body }).catch((error: NodeJS.ErrnoException) => [error.code]);
    expect([400, 'ECONNRESET', 'EPIPE']).toContain(refused[0]);
    expect(await send({ headers: { 'transfer-encoding': 'chunked' } })).toEqual([400, '']);
    expect(failures).toEqual([]);
    run = () => 'still there';
    expect(await ask({ id: 4711 })).toBe('still there');
  });

  test('is on this machine alone, and another one in each build', async () => {
    const other = await serveRenderer(() => {});
    const { url, secret } = other.loopback;
    other.close();
    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect(url).not.toBe(served.loopback.url);
    expect(secret).not.toBe(served.loopback.secret);
    expect(secret).toHaveLength(43);
  });
});
