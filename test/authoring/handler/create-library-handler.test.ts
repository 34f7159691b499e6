import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { RecordFields } from '../../../src/config/record-option.ts';
import { emulatorClient, startService } from '../../assets/open-images.ts';
import { bendDefaults } from '../../support/bends/bend-settings.ts';
import { startLocalServer } from '../../support/service/local-server.ts';
import { answerForms, cookieSecret, handlerOf, openEditor, own, site, url } from './editor.ts';

const images = Array.from({ length: 4 }, (_, index) => ({
  path: `${index < 2 ? 'boats' : 'nets'}/image-${index}.png`,
  width: 40 + index,
  height: 30,
}));
const emulator = await startService(images, { fields: 'alt_en,alt_de,consent' });
const logged = vi.spyOn(console, 'error').mockImplementation(() => {});

const record = {
  fields: ['alt_en', 'alt_de'],
  read: ({ alt_de, alt_en }: RecordFields, { locale = '' }) => ({
    alt: (locale === 'de' && alt_de) || alt_en,
  }),
};
const rights = {
  fields: ['consent'],
  read: ({ consent }: RecordFields, { language }: { language: string }) => ({
    state:
      consent === 'yes' || consent === language ? ('allowed' as const) : ('forbidden' as const),
  }),
};
const i18n = { locales: ['en', 'de'], defaultLocale: 'en' };

const open = (options = {}) => openEditor(handlerOf(emulator, options));
async function signedIn(options = {}) {
  const editor = open(options);
  expect((await editor.signIn()).status).toBe(200);
  return editor;
}
const tokenRequests = () => emulator.log().filter(({ path }) => path === '/1/oauth2/token');

beforeEach(async () => {
  await emulator.setSettings(bendDefaults);
  await emulator.clearFaults();
  emulator.clearLog();
});
afterEach(() => {
  vi.useRealTimers();
  expect(logged).not.toHaveBeenCalled();
});

test('the handler needs no files, no sharp and no store, so it runs in other runtimes', async () => {
  const entry = 'src/authoring/handler/create-library-handler.ts';
  const { metafile } = await build({
    ...{ entryPoints: [entry], bundle: true, splitting: true, format: 'esm', platform: 'node' },
    ...{ metafile: true, write: false, outdir: 'unused', packages: 'external' },
  });
  const reached = new Set<string>([entry]);
  for (const file of reached)
    for (const { path, kind } of metafile.inputs[file]?.imports ?? [])
      if (kind !== 'dynamic-import') reached.add(path);
  expect(reached.size).toBeGreaterThan(50);
  expect([...reached].filter((one) => /^node:fs|^sharp$|assets\/store/.test(one))).toEqual([]);
});

describe('the options', () => {
  test.each([
    ['http://museum.example/api', cookieSecret, 'url:'],
    ['/api/media', cookieSecret, 'url:'],
    [url, 'short', 'cookieSecret:'],
    [url, undefined as never, 'cookieSecret:'],
  ])('refuse %s with %s', (own, secret, problem) => {
    expect(() => handlerOf(emulator, { url: own, cookieSecret: secret })).toThrow(problem);
  });

  test('need the service, its client and its secret', () => {
    expect(() => handlerOf(emulator, { service: {} })).toThrow('service.clientSecret');
  });
});

describe('a sign-in', () => {
  test('leads to the service and back, and its page tells the others', async () => {
    const editor = open();
    expect(await editor.json('folders.json')).toMatchObject({
      status: 401,
      error: { code: 'sign-in-required' },
    });
    const address = await editor.allow();
    expect(address).toMatch(`${url}/_media-asset/callback?`);
    const page = await editor.callback(address);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'nonce-/,
    );
    expect(await page.text()).toContain("new BroadcastChannel('media-asset-sign-in')");
    for (const set of page.headers.getSetCookie())
      expect(set).toMatch(
        /^__Host-.*; Path=\/; Max-Age=\d+; HttpOnly; Secure; SameSite=(Strict|Lax)$/,
      );
    // Editors can read, and not list usages.
    const judges = { usages: false };
    expect(await editor.json('folders.json')).toMatchObject({ status: 200, judges });
  });

  test('is refused in words, without a session', async () => {
    const editor = open();
    const page = await editor.callback(await editor.allow('deny'));
    expect(page.status).toBe(400);
    expect(await page.text()).toContain('or you didn’t allow access');
    expect(editor.cookies.size).toBe(0);
  });

  test('works once, and only in the browser that has begun it', async () => {
    const editor = open();
    const address = await editor.allow();
    expect((await open().callback(address)).status).toBe(400);
    expect((await editor.callback(address)).status).toBe(200);
    const again = await editor.callback(address);
    expect(again.status).toBe(400);
    expect(await again.text()).toContain('expired');
    expect((await editor.json('session.json')).status).toBe(200);
  });

  test.each(['state=x', '', 'code=a&code=b', 'state=', 'error=%3Cscript%3E'])(
    'ends with a page without scripts for a callback with %s',
    async (query) => {
      const editor = open();
      await editor.ask('sign-in');
      const page = await editor.callback(`callback?${query}`);
      expect(page.status).toBe(400);
      expect(await page.text()).not.toContain('<script');
      expect([...editor.cookies.keys()].join()).not.toContain('session');
    },
  );

  test('ends after ten minutes', async () => {
    const editor = open();
    const address = await editor.allow();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 });
    expect((await editor.callback(address)).status).toBe(400);
  });

  test('can be ended', async () => {
    const editor = await signedIn();
    expect((await editor.ask('sign-out')).status).toBe(405);
    expect((await editor.ask('sign-out', { method: 'POST' })).status).toBe(200);
    expect((await editor.json('session.json')).error?.code).toBe('sign-in-required');
  });
});

describe('a session', () => {
  test('ends after eight hours, also if its tokens are renewed', async () => {
    const editor = await signedIn();
    const start = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: start + 7.9 * 3_600_000 });
    expect((await editor.json('session.json')).status).toBe(200);
    expect((await editor.json('folders.json')).error?.code).not.toBe('sign-in-required');
    vi.setSystemTime(start + 8.01 * 3_600_000);
    expect((await editor.json('session.json')).error?.code).toBe('sign-in-required');
  });

  test('with refresh tokens that work once is renewed once for a hundred images', async () => {
    await emulator.setSettings({ refreshTokens: 'rotated', tokenLifetime: 4 });
    const editor = await signedIn();
    await delay(3800);
    emulator.clearLog();
    const ask = () => editor.json('image.webp?id=4711&width=320');
    const stale = await Promise.all(Array.from({ length: 100 }, ask));
    const [{ after } = {}] = stale;
    for (const one of stale)
      expect(one).toMatchObject({ status: 401, after, error: { code: 'session-stale' } });
    expect(emulator.log()).toEqual([]);
    await emulator.setSettings({ tokenLifetime: 3600 });
    // As the browser does under a lock, in each tab.
    for (let tab = 0; tab < 5; tab += 1)
      expect((await editor.json(`session.json?after=${after}`)).status).toBe(200);
    expect(tokenRequests()).toHaveLength(1);
    const shown = await Promise.all(
      Array.from({ length: 100 }, () => editor.ask('image.webp?id=4711&width=320')),
    );
    expect(new Set(shown.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('whose token the service refuses is renewed, or else needs a sign-in', async () => {
    const editor = await signedIn();
    await emulator.setFaults([{ call: 'folder-tree', kind: 'status', status: 401, times: 1 }]);
    const { status, error, after } = await editor.json('folders.json');
    expect({ status, code: error?.code }).toEqual({ status: 401, code: 'session-stale' });
    expect((await editor.json('assets.json?limit=9')).total).toBe(4);
    await emulator.setFaults([{ call: 'any', kind: 'status', status: 401 }]);
    const later = await editor.json('assets.json?limit=9&search=image');
    expect(later.error?.code).toBe('session-stale');
    expect((await editor.json('asset.json?id=4711')).error?.code).toBe('session-stale');
    expect((await editor.json('image.webp?id=4711&width=320')).error?.code).toBe('session-stale');
    await emulator.clearFaults();
    expect((await editor.json(`session.json?after=${after}`)).status).toBe(200);
    expect(tokenRequests().length).toBeGreaterThan(1);
    expect((await editor.json('folders.json')).status).toBe(200);
  });

  test("without a refresh token ends with the service's token", async () => {
    await emulator.setSettings({ refreshTokens: 'none', tokenLifetime: 0.5 });
    const editor = await signedIn();
    await delay(600);
    const { error, after } = await editor.json('folders.json');
    expect(error?.code).toBe('session-stale');
    const renewed = await editor.json(`session.json?after=${after}`);
    expect(renewed.error?.code).toBe('sign-in-required');
  });

  test('stays if the service can’t be reached', async () => {
    const proxy = await startLocalServer((_, response) => response.destroy());
    const editor = await signedIn();
    const away = openEditor(handlerOf({ url: proxy.url }));
    for (const [name, value] of editor.cookies) away.cookies.set(name, value);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 });
    expect((await away.json('session.json')).error?.message).toContain("can't be reached");
    expect(away.cookies.size).toBeGreaterThan(0);
    await proxy.close();
  });

  test.each([
    [100, 1],
    [2500, 2],
    [4000, 3],
  ])('with tokens of %i characters has %i cookies', async (length, count) => {
    const editor = openEditor(handlerOf(await longTokens(length)));
    expect((await editor.signIn()).status).toBe(200);
    expect(editor.cookies.size).toBe(count);
    for (const [name, value] of editor.cookies)
      expect(name.length + value.length).toBeLessThan(4096);
    expect((await editor.json('session.json')).status).toBe(200);
    editor.cookies.delete([...editor.cookies.keys()].at(-1) ?? '');
    expect((await editor.json('session.json')).status).toBe(401);
  });

  test('with tokens that are too long says so', async () => {
    const editor = openEditor(handlerOf(await longTokens(6000)));
    const page = await editor.signIn();
    expect(page.status).toBe(400);
    expect(page.text).toContain('fit into cookies');
  });
});

/** A service with tokens of a length, which is the emulator otherwise. */
async function longTokens(length: number) {
  const server = await startLocalServer(async (request, response) => {
    if (request.url?.startsWith('/authorize')) {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      const { redirect_uri = '', state = '' } = Object.fromEntries(
        new URLSearchParams(Buffer.concat(parts).toString()),
      );
      response.writeHead(303, { location: `${redirect_uri}?code=c&state=${state}` }).end();
      return;
    }
    const token = 'a'.repeat(length);
    const answer = { access_token: token, refresh_token: token, expires_in: 3600 };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  onTestFinished(() => server.close());
  return server;
}

describe('a request', () => {
  const foreign = { origin: 'https://evil.example' };
  test.each<[string, number, RequestInit & { headers?: Record<string, string> }]>([
    ['of another site', 403, { headers: { 'sec-fetch-site': 'cross-site' } }],
    ['of a sister site', 403, { headers: { 'sec-fetch-site': 'same-site' } }],
    ['from the address bar', 403, { headers: { 'sec-fetch-site': 'none' } }],
    ['with another origin', 403, { headers: foreign }],
    ['with the origin of a sandbox', 403, { headers: { origin: 'null' } }],
    ['by POST', 405, { method: 'POST', headers: { origin: site } }],
    ['by PUT', 405, { method: 'PUT' }],
    ['by DELETE', 405, { method: 'DELETE' }],
    ['by HEAD', 405, { method: 'HEAD' }],
    ['by OPTIONS', 405, { method: 'OPTIONS' }],
  ])('%s is refused with %i', async (_, status, init) => {
    const editor = await signedIn();
    emulator.clearLog();
    for (const path of [
      'folders.json',
      'assets.json?limit=9',
      'asset.json?id=4711',
      'session.json',
    ])
      expect((await editor.ask(path, init)).status).toBe(status);
    expect((await editor.ask('image.webp?id=4711&width=320', init)).status).toBe(status);
    expect(emulator.log()).toEqual([]);
  });

  test('without the own header is refused, also for an image', async () => {
    const editor = await signedIn();
    for (const path of ['folders.json', 'image.webp?id=4711&width=320']) {
      const cookie = Array.from(editor.cookies, (one) => one.join('=')).join('; ');
      const request = new Request(`${url}/_media-asset/${path}`, { headers: { cookie } });
      expect((await handlerOf(emulator)(request)).status).toBe(403);
    }
  });

  test('can’t begin or end a session from another site', async () => {
    const editor = await signedIn();
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await editor.ask('sign-in', { headers })).status).toBe(403);
    expect((await editor.ask('sign-out', { method: 'POST', headers })).status).toBe(403);
    expect((await editor.json('session.json')).status).toBe(200);
  });

  test.each([
    'upload.json',
    'places.json',
    'save.json',
    'insert.json',
    'undo.json',
    'cms/decap.js',
    '',
    'constructor',
    '__proto__',
    'folders.json/../session.json',
    '%66olders.json',
    'toString',
  ])('for %s is refused as unknown', async (path) => {
    const editor = await signedIn();
    const { status, error } = await editor.json(
      path.replace('folders.json/../session.json', 'a/session.json'),
    );
    expect({ status, code: error?.code }).toEqual({ status: 404, code: 'toolbar-request-invalid' });
  });

  test.each([
    'asset.json',
    'asset.json?id=0',
    'asset.json?id=1e400',
    'asset.json?id=4711%2F..%2F1',
    'asset.json?id=4711&x=1',
    'asset.json?id=NaN',
    'asset.json?id=1.5',
    'image.webp?id=4711',
    'image.webp?id=4711&width=321',
    'image.webp?id=4711&width=320&path=/1/foldertree',
    'assets.json',
    'assets.json?limit=0',
    'assets.json?limit=9&folder=..',
    'folders.json?depth=1',
  ])('with %s is refused, and the service isn’t asked', async (path) => {
    const editor = await signedIn();
    emulator.clearLog();
    expect((await editor.json(path)).status).toBe(400);
    expect(emulator.log()).toEqual([]);
  });

  test.each<[string, (value: string) => string, { cookieSecret?: string; url?: string }]>([
    ['nothing', () => '', {}],
    ['another secret', (value) => value, { cookieSecret: 'x'.repeat(40) }],
    ['another address', (value) => value, { url: `${site}/other` }],
    ['a changed byte', (value) => value.replace(/.$/, (one) => (one === 'A' ? 'Q' : 'A')), {}],
    ['a cut cookie', (value) => value.slice(0, 40), {}],
    ['a text', () => 'eyJhY2Nlc3MiOiJ4In0', {}],
    ['too much', () => 'A'.repeat(4000), {}],
  ])('with a session of %s needs a sign-in', async (_, change, options) => {
    const editor = await signedIn();
    const changed = Array.from(editor.cookies, ([name, value]) => `${name}=${change(value)}`);
    const headers = { ...own, cookie: changed.join('; ') };
    const address = `${options.url ?? url}/_media-asset/session.json`;
    const answer = await handlerOf(emulator, options)(new Request(address, { headers }));
    expect(answer.status).toBe(401);
  });

  test("with a sign-in's state as its session needs a sign-in", async () => {
    const editor = open();
    await editor.ask('sign-in');
    for (const [name, value] of editor.cookies)
      editor.cookies.set(name.replace('state', 'session'), value);
    expect((await editor.json('session.json')).status).toBe(401);
  });

  test('sends people to its own address, whatever the host says', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    const request = new Request(`http://evil.example/api/media/_media-asset/sign-in`, { headers });
    const location = (await handlerOf(emulator)(request)).headers.get('location') ?? '';
    expect(new URL(location).searchParams.get('redirect_uri')).toBe(`${url}/_media-asset/callback`);
  });
});

describe('an image', () => {
  test('is the original, which no page can embed or run', async () => {
    const editor = await signedIn();
    const answer = await editor.ask('image.webp?id=4711&width=1600');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, no-store',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-media-asset-original': '1',
    });
    const original = await emulator.fetch('/1/file/4711/download/0');
    expect(await answer.arrayBuffer()).toEqual(await original.arrayBuffer());
  });

  /** A service that answers downloads with these bytes, and everything else as the emulator. */
  async function serving(respond: (response: import('node:http').ServerResponse) => unknown) {
    const seen: { path: string; token: string | undefined }[] = [];
    const server = await startLocalServer(async (request, response) => {
      seen.push({ path: request.url ?? '', token: request.headers.authorization });
      await respond(response);
    });
    onTestFinished(() => server.close());
    const editor = openEditor(
      handlerOf(emulator, {
        service: {
          ...{ baseUrl: server.url, accountsUrl: emulator.url, authUrl: emulator.url },
          ...{ clientId: 'emulator', clientSecret: 'emulator-secret' },
        },
      }),
    );
    expect((await editor.signIn()).status).toBe(200);
    return { editor, seen };
  }
  const picture = Buffer.from('RIFF\x10\0\0\0WEBPVP8 0123', 'latin1');

  test('that arrives byte by byte is shown', async () => {
    const { editor } = await serving(async (response) => {
      for (const byte of picture) {
        response.write(Buffer.of(byte));
        await delay(1);
      }
      response.end();
    });
    const answer = await editor.ask('image.webp?id=4711&width=320');
    expect(answer.headers.get('content-type')).toBe('image/webp');
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(picture);
  });

  test.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['an SVG after blanks', `${' '.repeat(40)}<svg onload="alert(1)"/>`],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['a PDF', '%PDF-1.7 and more of it'],
    ['a TIFF', 'II*\0 and more of its bytes'],
    ['text', 'just a text that is long enough'],
    ['nothing', ''],
    ['half of a signature', '\x89PN'],
  ])('that is %s isn’t shown, whatever type it has', async (_, text) => {
    const { editor } = await serving((response) =>
      response
        .writeHead(200, {
          'content-type': 'image/png',
          'last-modified': 'Mon, 02 Mar 2026 10:00:00 GMT',
        })
        .end(Buffer.from(text, 'latin1')),
    );
    const answer = await editor.ask('image.webp?id=4711&width=1600');
    expect(answer.status).toBe(415);
    expect(answer.headers.get('content-type')).toBe('application/json');
  });

  test('larger than its limit isn’t sent', async () => {
    const size = { 'content-length': '1000001' };
    const { editor } = await serving((response) => response.writeHead(200, size).write(picture));
    const refused = await editor.json('image.webp?id=4711&width=320');
    expect(refused).toMatchObject({ status: 415, error: { code: 'preview-missing' } });
    expect(refused.error?.message).toBe("Browsers can't show asset 4711: it's too large.");
    const unsized = await serving((response) => {
      response.write(picture);
      response.end(Buffer.alloc(1_100_000));
    });
    const answer = await unsized.editor.ask('image.webp?id=4711&width=320');
    await expect(answer.arrayBuffer()).rejects.toThrow();
  });

  test('that redirects to another origin never takes the token there', async () => {
    const tokens: unknown[] = [];
    const other = createServer((request, response) => {
      tokens.push(request.headers.authorization);
      response.end(picture);
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    const { editor, seen } = await serving((response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${port}/signed` }).end(),
    );
    expect((await editor.ask('image.webp?id=4711&width=320')).status).toBe(200);
    expect(tokens).toEqual([undefined]);
    expect(seen.at(-1)?.token).toMatch(/^Bearer /);
  });

  test('comes from a path of the service, if it has previews', async () => {
    const preview = (id: number) => `/1/file/${id}/download/-1?x1=0&y1=0&w=9&h=8`;
    const editor = await signedIn({ preview });
    emulator.clearLog();
    const answer = await editor.ask('image.webp?id=4711&width=320');
    expect([answer.status, answer.headers.get('x-media-asset-original')]).toEqual([200, null]);
    expect(emulator.log().map(({ path }) => path)).toEqual(['/1/file/4711/download/-1']);
    const outside = await signedIn({ preview: () => '@evil.example/' });
    const refused = await outside.json('image.webp?id=4711&width=320');
    expect(refused.error?.code).toBe('argument-invalid');
  });
});

describe('records and rights', () => {
  test('are those of the site, in the language of the entry, or else in its default', async () => {
    const update = emulatorClient(emulator).files.update;
    await update(4711, { consent: 'de', alt_en: 'A cutter', alt_de: 'Ein Kutter' });
    await update(4712, { consent: 'yes' });
    const editor = await signedIn({ record, rights, i18n });
    const rightsIn = async (locale: string) => {
      const { assets = [], total, isReading } = await editor.json(`assets.json?limit=9${locale}`);
      expect({ total, isReading }).toEqual({ total: 4, isReading: false });
      return Object.fromEntries(assets.map(({ id, rights }) => [id, rights]));
    };
    expect(await rightsIn('&locale=de')).toMatchObject({ 4711: 'allowed', 4712: 'allowed' });
    expect(await rightsIn('&locale=en')).toMatchObject({ 4711: 'forbidden', 4712: 'allowed' });
    const german = await editor.json('asset.json?id=4711&locale=de');
    expect(german.record).toMatchObject({ alt: 'Ein Kutter', isForbidden: false });
    expect((await editor.json('asset.json?id=4711&locale=en')).record).toMatchObject({
      ...{ alt: 'A cutter', isForbidden: true },
    });
    expect(german.usages).toBeUndefined();
    const { assets: found } = await editor.json('assets.json?limit=9&search=image-2');
    expect(found?.map(({ id }) => id)).toEqual([4713]);
  });

  test.each(answerForms)('are the same if the service answers with %o', async (settings) => {
    await emulatorClient(emulator).files.update(4711, { consent: 'no', alt_en: 'A cutter' });
    await emulatorClient(emulator).files.update(4712, { consent: 'yes' });
    await emulator.setSettings(settings);
    const editor = await signedIn({ record, rights });
    const { assets = [] } = await editor.json('assets.json?limit=9');
    const judged = Object.fromEntries(assets.map(({ id, rights }) => [id, rights]));
    expect(judged).toMatchObject({ 4711: 'forbidden', 4712: 'allowed' });
    const { record: own } = await editor.json('asset.json?id=4711');
    expect(own).toMatchObject({ alt: 'A cutter', rights: 'forbidden', isForbidden: true });
    expect((await editor.json('folders.json')).status).toBe(200);
  });

  test('that no answer carries are unknown, never allowed', async () => {
    await emulator.setSettings({ recordCall: 'missing', listedFields: 'id,name' });
    const editor = await signedIn({ rights: { ...rights, unknown: 'warn' } });
    const { assets = [] } = await editor.json('assets.json?limit=9');
    expect(new Set(assets.map(({ rights }) => rights))).toEqual(new Set(['unknown']));
    const { record: own } = await editor.json('asset.json?id=4711');
    expect(own).toMatchObject({ rights: 'unknown' });
  });
});
