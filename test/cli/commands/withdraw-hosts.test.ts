import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import fastGlob from 'fast-glob';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type LocalServer, startLocalServer } from '../../support/service/local-server.ts';
import { builtRules } from '../../support/site/built-folder.ts';
import { folder, server, useUsageProject } from '../usage/usage-project.ts';

useUsageProject();

const hash = (character: string) => character.repeat(16);
const image = `_astro/media-asset/4711-${hash('a')}-${hash('b')}-harbour.webp`;
const other = `_astro/media-asset/4712-${hash('a')}-${hash('b')}-quay.webp`;
const text = 'a,b\n';
const textHash = createHash('sha256').update(text).digest('hex').slice(0, 16);
const file = `_astro/media-asset/4711-${textHash}-file/plan.csv`;

/** Answers a request itself, or leaves it to the files (`false`). */
type Host = (request: IncomingMessage, response: ServerResponse) => boolean;

const blank = { create: { width: 8, height: 8, channels: 3 as const, background: 'teal' } };
const bytes = await sharp(blank).webp().toBuffer();

let live: LocalServer;
/** The files that are online, by path. */
let online: Map<string, Buffer | string>;
let host: Host;
let builds: number;
/** The base URL of the service. */
let service: string;

beforeEach(async () => {
  online = new Map();
  host = () => false;
  builds = 0;
  service = server.url;
  live = await startLocalServer((request, response) => {
    if (host(request, response)) return;
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const found = online.get(pathname.endsWith('/') ? `${pathname}index.html` : pathname);
    const type = /\.(?:html|webp)$/.exec(pathname)?.[0] === '.webp' ? 'image/webp' : 'text/html';
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': type }).end(found);
  });
});

afterEach(() => live.close());

const page = (body: string) => `<!doctype html><title>Harbour</title>${body}`;
const withAsset = page(`<img data-media-asset="4711" src="/${image}">`);
const without = page('<p>Nothing.</p>');

/** A finished build: its pages and our files, with other rules from the second one on. */
async function build(files: Record<string, string | Buffer>, rules: object = {}) {
  builds += 1;
  await folder.remove('dist');
  await folder.build({
    ...{ site: live.url, service, finished: true, output: 'dist' },
    startedAt: `2026-03-0${builds}T08:00:00.000Z`,
    ...rules,
  });
  const stampText = `${builtRules.stamp}: a build\n`;
  for (const [path, content] of Object.entries({ [builtRules.stamp]: stampText, ...files })) {
    await folder.write(join('dist', path), content as string);
  }
  const { exitCode, output } = await command('report', 'dist', '--yes');
  expect(exitCode, output).toBe(0);
}

const environment = () => ({ MEDIA_ASSET_ACCESS_TOKEN: 'lantern', MEDIA_ASSET_BASE_URL: service });

/** Another server, until the end of the test. */
async function serve(respond: (request: IncomingMessage, response: ServerResponse) => void) {
  const started = await startLocalServer(respond);
  onTestFinished(() => started.close());
  return started;
}

/** One that has the image at every URL. */
const serveImage = () => serve((_, response) => answer(response, 200, bytes, 'image/webp'));

const historyFile = async () => {
  const names = await readdir(folder.path('.media-asset'));
  return `.media-asset/${names.find((name) => /^history-.*\.json$/.test(name))}`;
};
const readHistory = async () => readFile(folder.path(await historyFile()), 'utf8');

/** Puts the last build's files online. Those of earlier builds go. */
async function deploy() {
  online = new Map();
  for (const path of await fastGlob('**/*', { cwd: folder.path('dist'), dot: true })) {
    online.set(`/${path}`, await readFile(folder.path(join('dist', path))));
  }
}

const command = (...words: string[]) => folder.command(words, environment());

async function withdraw(...words: string[]) {
  const { exitCode, stdout } = await command('withdraw', '4711', '--json', ...words);
  return { exitCode, ...JSON.parse(stdout) };
}

/** A build with the asset was online, and one without it is. */
async function takeDown() {
  await build({ 'index.html': withAsset, [image]: bytes, [file]: text, [other]: bytes });
  await build({ 'index.html': without, [other]: bytes });
  await deploy();
}

/** Whether a request is for a file of asset 4711. */
const isImage = ({ url }: IncomingMessage) => url?.includes('/media-asset/4711-') ?? false;
const isHome = ({ url }: IncomingMessage) => url === '/';
const isBrowser = ({ headers }: IncomingMessage) =>
  /Chrome\//.test(headers['user-agent'] ?? '') && headers['sec-fetch-dest'] !== undefined;

function answer(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  type = 'text/html',
): true {
  response.writeHead(status, { 'content-type': type }).end(body);
  return true;
}

type Answer = [status: number, body: string | Buffer, type?: string];

/** Answers the requests that a test picks. */
const answering =
  (isAnswered: (request: IncomingMessage) => boolean) =>
  (...given: Answer): Host =>
  (request, response) =>
    isAnswered(request) && answer(response, ...given);
const everything = answering(() => true);
const images = answering(isImage);
const stamp = answering(({ url }) => url?.endsWith('.txt') ?? false);
const home = answering(isHome);
/** Redirects them to a place with this body. */
const moved =
  (isAnswered: (request: IncomingMessage) => boolean) =>
  (status: number, location: string, body = ''): Host =>
  (request, response) => {
    if (!isAnswered(request)) return request.url === location && answer(response, 200, body);
    return answer(response.setHeader('location', location), status, '');
  };
const movedHome = moved(isHome);

test('an asset is gone if its URLs are, the stamp is online, and no page names it', async () => {
  await takeDown();
  const { exitCode, gone, urls, pages, unknown } = await withdraw();
  expect({ exitCode, gone, unknown }).toEqual({ exitCode: 0, gone: true, unknown: [] });
  expect(urls).toEqual(
    [image, file].sort().map((path) => ({ url: `${live.url}/${path}`, status: 404, gone: true })),
  );
  expect(pages).toEqual([{ page: `${live.url}/`, from: ['history'], status: 200, gone: true }]);
});

test.each<[string, Host]>([
  ['the whole host answers 404', everything(404, 'Not found')],
  [
    'the host answers 404 to everything but browsers, which get the image',
    (request, response) => {
      if (!isBrowser(request)) return answer(response, 404, 'Not found');
      return isImage(request) && answer(response, 200, bytes, 'image/webp');
    },
  ],
  [
    'the image is only sent for `Accept: image/webp`',
    (request, response) =>
      /image\/webp/.test(request.headers.accept ?? '') &&
      isImage(request) &&
      answer(response, 200, bytes, 'image/webp'),
  ],
  [
    'the image is only sent to visitors of a page',
    (request, response) => {
      const isVisitor = request.headers.referer === `${live.url}/`;
      return isVisitor && isImage(request) && answer(response, 200, bytes, 'image/webp');
    },
  ],
  [
    'the image is only sent without a page',
    (request, response) =>
      request.headers.referer === undefined &&
      isImage(request) &&
      answer(response, 200, bytes, 'image/webp'),
  ],
  [
    'the page is in an encoding without ASCII',
    home(200, Buffer.from(withAsset, 'utf16le'), 'text/html; Charset="utf-16le"'),
  ],
  ['the body of the 404 is the image', images(404, bytes, 'image/webp')],
  ['the body of the 404 is the image, as HTML', images(404, bytes)],
  ['the body of the 404 is the file', images(404, text, 'text/csv')],
  [
    'the 404 has an image of another format, as HTML',
    images(410, '<svg xmlns="http://www.w3.org/2000/svg"/>'),
  ],
  ['the body of the 404 is called an image', images(404, 'Not found', 'image/webp')],
  ['the body of the 404 is longer than any error page', images(404, ' '.repeat(1024 ** 2 + 1))],
  ['the host answers 200 to everything', everything(200, without)],
  ['the host answers 200 with an error page for what is missing', images(200, 'Not found')],
  ['the image redirects elsewhere', moved(isImage)(301, 'https://elsewhere.example/')],
  ['the host refuses the image', images(403, 'No')],
  ['the stamp is missing', stamp(404, 'Not found')],
  ['the stamp has another text', stamp(200, 'A page')],
  [
    'the page still has the placeholder and the ID',
    home(200, page('<img data-media-asset="4711" src="data:image/webp;base64,AA==">')),
  ],
  [
    'the page still names a URL of the asset in its data',
    home(200, page(`<script>var a = "\\/${image.replaceAll('/', '\\/')}"</script>`)),
  ],
  ['the page fails', home(500, 'Sorry')],
  ['the page is longer than any', home(200, `${without}${' '.repeat(32 * 1024 ** 2)}`)],
  [
    'the host answers 404 to every request for a page',
    ({ headers }, response) =>
      headers['sec-fetch-dest'] === 'document' && answer(response, 404, 'Not found'),
  ],
  ["the page isn't HTML", home(200, '{}', 'application/json')],
  ['the page leads to a sign-in page', movedHome(302, '/sign-in/', without)],
  ['the page moved for good to one that shows the asset', movedHome(308, '/new/', withAsset)],
  [
    'the page moved for good to another host',
    (...both) => movedHome(308, `http://localhost:${live.port}/new/`)(...both),
  ],
  [
    "the page has a content coding that wasn't asked for",
    (request, response) =>
      isHome(request) &&
      answer(response.setHeader('content-encoding', 'br'), 200, brotliCompressSync(withAsset)),
  ],
  ['the connection ends', (request) => isImage(request) && Boolean(request.socket.destroy())],
])('nothing is proved if %s', async (_, given) => {
  await takeDown();
  host = given;
  const { exitCode, gone, urls, pages } = await withdraw();
  expect({ exitCode, gone }).toEqual({ exitCode: 3, gone: false });
  expect([...urls, ...pages].some((one) => !one.gone)).toBe(true);
});

test.each<[string, Host]>([
  ['a 404 page of HTML with an inline SVG', images(404, '<!-- x --><html><svg></svg></html>')],
  ['an empty 410 of the type of an image', images(410, '', 'image/webp')],
  ['an XML error', images(404, '<?xml version="1.0"?><Error/>', 'application/xml')],
  ['a page that is gone', home(404, 'Not found')],
  ['a page that moved for good', movedHome(301, '/new/', without)],
])('%s is no objection', async (_, given) => {
  await takeDown();
  host = given;
  expect(await withdraw()).toMatchObject({ exitCode: 0, gone: true });
});

test('nothing is proved of an asset without a known URL', async () => {
  await build({ 'index.html': page('<img data-media-asset="4711" src="data:,">') });
  await build({ 'index.html': without });
  await deploy();
  expect(await withdraw()).toMatchObject({ exitCode: 3, urls: [], pages: [{ gone: true }] });
});

test('the host from before a move is asked too, as by a visitor of its own pages', async () => {
  const old = await serve(({ headers }, response) =>
    headers.referer === `${old.url}/`
      ? answer(response, 200, bytes, 'image/webp')
      : answer(response, 404, 'Not found'),
  );
  await build({ 'index.html': withAsset, [image]: bytes }, { site: old.url });
  await build({ 'index.html': page('<img data-media-asset="4712">') });
  await deploy();
  const found = await withdraw();
  expect(found).toMatchObject({ exitCode: 3, gone: false });
  expect(found.urls).toEqual([{ url: `${old.url}/${image}`, status: 200, gone: false }]);
  await old.close();
  const { exitCode, urls } = await withdraw();
  expect(exitCode).toBe(3);
  expect(urls[0]).toMatchObject({
    status: null,
    reason: expect.stringContaining(`:${old.port}`),
  });
});

test('a file is asked for on the site and below its assets prefix', async () => {
  const cdn = await serveImage();
  const assetsPrefixes = [cdn.url];
  await build({ 'index.html': withAsset, [image]: bytes }, { assetsPrefixes });
  await build({ 'index.html': without }, { assetsPrefixes });
  await deploy();
  const { exitCode, urls } = await withdraw();
  expect(exitCode).toBe(3);
  const states = urls.map(({ url, gone }: { url: string; gone: boolean }) => [url, gone]);
  expect(Object.fromEntries(states)).toEqual({
    [`${live.url}/${image}`]: true,
    [`${cdn.url}/${image}`]: false,
  });
});

test("a host's image URL that pages have named is asked for too", async () => {
  const optimized = `/_vercel/image?url=%2F${encodeURIComponent(image)}&w=640`;
  const html = page(`<img src="${optimized.replace('&', '&amp;')}">`);
  await build({ 'index.html': html, [image]: bytes, [other]: bytes });
  await build({ 'index.html': without, [other]: bytes });
  await deploy();
  host = ({ url }, response) => url === optimized && answer(response, 200, bytes, 'image/webp');
  const { exitCode, urls } = await withdraw();
  expect(exitCode).toBe(3);
  expect(urls).toEqual([
    { url: `${live.url}/${image}`, status: 404, gone: true },
    { url: `${live.url}${optimized}`, status: 200, gone: false },
  ]);
});

test("the service's own URLs are gone if it still gives out another asset", async () => {
  let refused = /^4711$/;
  const gateway = await serve(({ method, url }, response) => {
    const [, id = ''] = /^\/dam\/1\/file\/(\d+)\/download/.exec(url ?? '') ?? [];
    if (method === 'POST') return answer(response, 200, '{}', 'application/json');
    if (refused.test(id)) return answer(response, 404, 'No such file');
    return answer(response, 200, bytes, 'image/webp');
  });
  service = `${gateway.url}/dam`;
  const html = (id: number) => `<img src="${service}/1/file/${id}/download/-1?w=8&amp;h=8">`;
  await build({ 'index.html': page(html(4711) + html(4712)) });
  await build({ 'index.html': page(html(4712)) });
  await deploy();
  const url = `${service}/1/file/4711/download/-1?w=8&h=8`;
  refused = /./;
  expect(await withdraw()).toMatchObject({ exitCode: 3, urls: [{ url, status: 404 }] });
  refused = /^4711$/;
  expect(await withdraw()).toMatchObject({ exitCode: 0, urls: [{ url, status: 404 }] });
});

describe('what was proved gone', () => {
  test('is asked for no more, unless a build publishes it again', async () => {
    await takeDown();
    await withdraw();
    expect(await withdraw()).toMatchObject({ exitCode: 1, error: { code: 'asset-unpublished' } });
    await build({ 'index.html': withAsset, [image]: bytes });
    await deploy();
    expect(await withdraw()).toMatchObject({ exitCode: 3, urls: [{ status: 200 }] });
  });

  test('stays known if it is in the last build, which may not be online yet', async () => {
    await takeDown();
    await build({ 'index.html': withAsset, [image]: bytes });
    await withdraw();
    await build({ 'index.html': without });
    const { urls } = await withdraw();
    expect(urls.map(({ url }: { url: string }) => url)).toContain(`${live.url}/${image}`);
  });
});

describe('a source that is missing', () => {
  const remove = async (pattern: RegExp) => {
    for (const name of await readdir(folder.path('.media-asset')))
      if (pattern.test(name)) await folder.remove(`.media-asset/${name}`);
  };

  test.each([
    ['history', /^history-/, 3, 'The publication history is missing'],
    ['ledger', /^ledger-/, 0, 'The ledger is missing'],
    ['build', /^$/, 0, "The last build isn't here as a whole"],
  ] as const)('is named: %s', async (name, pattern, exitCode, sentence) => {
    await takeDown();
    await remove(pattern);
    if (name === 'build') {
      // As a build that the asset has failed leaves it.
      const path = folder.path('.media-asset/build.json');
      const rules = JSON.parse(await readFile(path, 'utf8'));
      await folder.write('.media-asset/build.json', JSON.stringify({ ...rules, finished: false }));
    }
    const found = await command('withdraw', '4711');
    expect(found.exitCode).toBe(exitCode);
    expect(found.stdout).toContain(sentence);
    expect(found.stdout).not.toMatch(/no page/i);
    const [record = ''] = await readdir(folder.path('.media-asset/withdrawals'));
    const filed = await readFile(folder.path(`.media-asset/withdrawals/${record}`), 'utf8');
    expect(JSON.parse(filed)).toMatchObject({ unknown: [name], gone: exitCode === 0 });
  });

  test('the ledger knows a page whose report was sent and not answered', async () => {
    server.treat = () => 'lost';
    await build({ 'index.html': withAsset, [image]: bytes });
    await remove(/^history-/);
    const { pages, exitCode } = await withdraw();
    expect(exitCode).toBe(3);
    expect(pages).toMatchObject([
      { page: `${live.url}/`, from: expect.arrayContaining(['ledger']) },
    ]);
  });

  test('nothing is proved by a history that was lost and began again after other reports', async () => {
    await build({ 'index.html': withAsset, [image]: bytes });
    await remove(/^history-/);
    await build({ 'index.html': withAsset, [file]: text });
    await build({ 'index.html': without });
    await deploy();
    online.set(`/${image}`, bytes);
    expect(await withdraw()).toMatchObject({
      ...{ exitCode: 3, gone: false, isWhole: false },
      ...{ urls: [{ gone: true }], pages: [{ gone: true }] },
    });
  });

  test('nothing is proved by a history from an older cache than the ledger', async () => {
    await build({ 'index.html': withAsset, [file]: text });
    const older = await readHistory();
    await build({ 'index.html': withAsset, [image]: bytes });
    await deploy();
    online.delete(`/${file}`);
    await folder.remove('dist');
    await folder.write(await historyFile(), older);
    online.set('/index.html', without);
    expect(await withdraw()).toMatchObject({
      ...{ exitCode: 3, gone: false, isWhole: false },
      ...{ urls: [{ gone: true }], pages: [{ gone: true }] },
    });
  });

  test('a folder that is reconciled is in the history too', async () => {
    await takeDown();
    const added = image.replace(hash('b'), hash('c'));
    await folder.write('dist/index.html', withAsset.replace(image, added));
    await folder.write(`dist/${added}`, 'an image');
    const { exitCode, output } = await command('reconcile', 'dist', '--yes');
    expect(exitCode, output).toBe(0);
    expect(await readHistory()).toContain(added);
  });

  test('a checkout has the pages that the service lists, and proves nothing', async () => {
    const pages = Array.from({ length: 8 }, (_, at) => `${live.url}/${at}/`);
    host = (request, response) => request.url !== '/' && answer(response, 200, withAsset);
    await build(Object.fromEntries(pages.map((_, at) => [`${at}/index.html`, withAsset])));
    await folder.remove('.media-asset');
    await folder.remove('dist');
    const [listed] = server.model.records;
    // A use in a project is on no page.
    if (listed) server.model.records.push({ ...listed, page: '' });
    const found = await withdraw('--site', live.url, '--service', server.url);
    const unknown = ['build', 'history', 'ledger'];
    expect(found).toMatchObject({ exitCode: 3, gone: false, elsewhere: 0, unknown });
    expect(found.pages).toHaveLength(8);
    expect(found.pages[0]).toMatchObject({ from: ['service'], gone: false });
  });

  test('nothing is proved in a checkout if the service lists nothing', async () => {
    const found = await withdraw('--site', live.url, '--service', 'http://127.0.0.1:9');
    const unknown = ['build', 'history', 'ledger', 'service'];
    expect(found).toMatchObject({ exitCode: 3, gone: false, pages: [], urls: [], unknown });
  });
});

test('the history is written before the first usage is sent, so a killed run loses nothing', async () => {
  let atFirst: string | undefined;
  server.treat = async () => {
    atFirst ??= await readHistory();
    return 'done' as const;
  };
  await build({ 'index.html': withAsset, [image]: bytes });
  expect(atFirst).toContain(`${live.url}/${image}`);
});

test('a plan adds nothing to the history', async () => {
  await build({ 'index.html': without });
  const before = await readHistory();
  await folder.write('dist/index.html', withAsset);
  await folder.write(`dist/${image}`, 'an image');
  expect((await command('plan', 'dist')).exitCode).toBe(0);
  expect(await readHistory()).toBe(before);
});

test('a broken history stops a report and a withdrawal, and stays as it is', async () => {
  await takeDown();
  await folder.write(await historyFile(), '{');
  const reported = await command('report', 'dist', '--yes');
  expect(reported.output).toContain('history-broken');
  expect(await withdraw()).toMatchObject({ exitCode: 1, error: { code: 'history-broken' } });
  expect(await readHistory()).toBe('{');
});
