import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readOutput } from '../../src/scan/read-output.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';
import { readFiles, rules, service } from './built-output.ts';

const rendition = '/_astro/media-asset/4711-0123456789abcdef-fedcba9876543210-quay.webp';

const onWindows = process.platform === 'win32';
const isRoot = process.getuid?.() === 0;

let dir: string;

beforeEach(async () => {
  dir = await temporaryFolder('output');
});

const read = (files: Record<string, string | Uint8Array>) => readFiles(dir, files);

/** A page is named by its path. */
const nameOf = (file: string) => (file.endsWith('.html') ? `/${file}` : file);

/** The files in which a rendition is found. */
async function filesWithRendition(files: Record<string, string>): Promise<string[]> {
  const { found } = await read(files);
  return found.flatMap(({ file, renditions }) => renditions.map(() => file));
}

test.each([
  'index.html',
  'quay/index.html',
  '_astro/site.css',
  '_astro/gallery.js',
  'feed.xml',
  'feed.atom',
  'news.rss',
  'data/pictures.json',
  'app.webmanifest',
  'gallery.js.map',
  'data.cjs',
  'feed',
  'api/pictures',
  'map.geojson',
  'list.csv',
  'film.vtt',
  'page.xhtml',
  '_redirects',
  '.well-known/x.unknown-type',
])('finds a rendition in %s', async (file) => {
  const { renditions } = await read({ [file]: `… "${rendition}" …` });
  expect(renditions).toMatchObject([
    { address: { id: 4711, sourceHash: '0123456789abcdef' }, page: nameOf(file) },
  ]);
});

test.each(['quay.webp', 'QUAY.JPG', 'site.woff2', 'chunks/page.mjs'])(
  "doesn't read %s, which is binary or not for visitors",
  async (file) => {
    expect(await filesWithRendition({ [file]: rendition })).toEqual([]);
  },
);

test("doesn't read binary data under an unknown name", async () => {
  const found = await filesWithRendition({
    'tiles.unknown': `\0${rendition}`,
    tiles: `${'x'.repeat(5 * 1024 ** 2)}\0${rendition}`,
    'page.html': `\0${rendition}`,
  });
  expect(found).toEqual(['page.html']);
});

test('reads pages in folders that are named like a file or a glob', async () => {
  const files = [
    ...['(group)/a.html', '.well-known/b.html', '[slug]/c.html', 'a.html/b.html'],
    ...['feed.xml/index.html', '{d,e}/!f.html'],
  ];
  const written = Object.fromEntries(files.map((file) => [file, rendition]));
  expect(await filesWithRendition(written)).toEqual(files);
});

test('reads a link to a file, and follows no link to a folder', async () => {
  await mkdir(join(dir, 'boats'));
  await writeFile(join(dir, 'boats/index.html'), rendition);
  await symlink(join(dir, 'boats/index.html'), join(dir, 'link.html'));
  await symlink(join(dir, 'boats'), join(dir, 'ships'), 'junction');
  expect(await filesWithRendition({})).toEqual(['boats/index.html', 'link.html']);
});

test.skipIf(onWindows)("skips entries that aren't files, with any name", async () => {
  const socket = createServer().listen(join(dir, 'socket.json'));
  await once(socket, 'listening');
  onTestFinished(() => {
    socket.close();
  });
  execFileSync('mkfifo', ['pipe.json'], { cwd: dir });
  await symlink(join(dir, 'missing.json'), join(dir, 'dangling.json'));
  await symlink(join(dir, 'loop.json'), join(dir, 'loop.json'));
  await symlink(join(dir, 'pipe.json'), join(dir, 'link-to-pipe.json'));
  await symlink('/dev/zero', join(dir, 'zero.json'));
  expect(await filesWithRendition({ 'a.html': rendition })).toEqual(['a.html']);
});

test.skipIf(onWindows || isRoot)('names a file without read permission', async () => {
  await writeFile(join(dir, 'data.json'), rendition);
  await chmod(join(dir, 'data.json'), 0);
  await expect(read({})).rejects.toMatchObject({
    code: 'scan-unreadable',
    message: expect.stringContaining(join(dir, 'data.json')),
  });
});

describe('a file that is too long to be read', () => {
  const longer = 64 * 1024 ** 2 + 1;

  test.each(['map.pmtiles', 'data'])('is skipped if it is binary: %s', async (file) => {
    await writeFile(join(dir, file), `\0${rendition}`);
    await truncate(join(dir, file), longer);
    expect(await filesWithRendition({ 'a.html': rendition })).toEqual(['a.html']);
  });

  test.each(['data.csv', 'a.html'])('is an error if it is text: %s', async (file) => {
    await writeFile(join(dir, file), Buffer.alloc(longer, 'a'));
    await expect(read({})).rejects.toMatchObject({
      code: 'scan-unreadable',
      message: `${join(dir, file)} couldn't be read: it's larger than 67108864 bytes.`,
    });
  });
});

test('data that repeats a name has it once', async () => {
  const content = `"${rendition}","${service}/1/file/4711/download/0",`.repeat(50_000);
  const { renditions, assets } = await read({ 'data.json': content });
  expect({ renditions, assets }).toMatchObject({ renditions: [{}], assets: [4711] });
});

test("reads nothing if the output doesn't exist", async () => {
  const output = join(dir, 'client');
  expect(await readOutput(output, rules, { judges: true })).toEqual([]);
});

test("skips Astro's code for prerendering static pages", async () => {
  const found = await filesWithRendition({
    '.prerender/chunks/page.mjs': rendition,
    '.prerender/chunks/_astro_data-layer-content.js': rendition,
    'notes/.prerender/index.html': rendition,
  });
  expect(found).toEqual(['notes/.prerender/index.html']);
  // It's apart from what visitors get, so an endpoint's file is read.
  expect(await filesWithRendition({ 'de/data.mjs': rendition })).toContain('de/data.mjs');
});

test("finds the service's own download URLs, also inside a host's, and none of other services", async () => {
  const inside = (id: number) => encodeURIComponent(`${service}/1/file/${id}/download/0`);
  const { assets } = await read({
    'a.html': `<img src="${service}/1/file/4711/download/-1?x1=0&amp;y1=0">
      <a href="${service}/1/file/12/download/0">file</a>
      <a href="${service}/1/file/13/usage">usage</a>
      <img src="https://other.example/1/file/14/download/0">
      <img src="/_image?href=${inside(15)}&amp;w=640">
      <img src="/.netlify/images?url=${encodeURIComponent(inside(16))}">`,
  });
  expect(assets).toEqual([12, 15, 16, 4711]);
});

test.each([
  ...[
    'https://media.example/dam/1/file/4711/download/0',
    '//media.example/dam/1/file/4711/download/0',
  ],
  ...[
    'http://media.example/dam/1/file/4711/download/0',
    'HTTPS://Media.Example/dam/1/file/4711/download/0',
  ],
  'https://media.example:443/dam/1/file/4711/download/0',
  'https://media.example/dam/1/file/%34711/download/0',
  'https://media.example/dam/1/./file/4711/x/../download/0',
  'https:\\\\media.example\\dam\\1\\file\\4711\\download\\0',
  rendition.replace('-', '&#45;'),
  rendition.replace('media-asset/', 'media-asset\\'),
  rendition.replace('media-asset/', 'media-asset/./'),
  rendition.replace('media-asset/47', 'media-asset/47&#9;'),
])('a page shows the asset that its scan counts: %s', async (url) => {
  const { found, assets } = await read({ 'a.html': `<title>A</title><img src="${url}" alt="">` });
  expect([assets, found[0]?.scan?.usage.assets]).toEqual([[4711], [4711]]);
});

describe('a text that quotes a URL shows nothing', () => {
  const urls = [`${service}/1/file/4711/download/0`, rendition];
  test.each([
    ['a.html', '<img src=a alt="The original: URL">'],
    ['a.html', '<meta name="description" content="The original: URL">'],
    ['a.html', '<p data-caption="The original: URL">URL</p>'],
    ['a.html', '<code>URL</code><!-- URL -->'],
    ['a.html', '<script type="application/ld+json">{"caption":"The original: URL"}</script>'],
    ['a.html', '<script>const texts = { alt: "The original: URL" }</script>'],
    ['a.html', '<astro-island props="{&quot;alt&quot;:[0,&quot;See URL&quot;]}"></astro-island>'],
    ['llms.txt', 'See URL\n'],
    ['llms.txt', '- [The original](URL): harbour\n'],
    ['guide.md', 'Write `URL`.'],
    ['search.json', '[{"text":"The original: URL"}]'],
    ['rss.xml', '<description>&lt;p&gt;The original, URL&lt;/p&gt;</description>'],
    ['a.css', '/* URL */ a::before { content: "See URL" }'],
  ])('%s: %s', async (file, text) => {
    for (const url of urls) {
      expect((await read({ [file]: text.replaceAll('URL', url) })).assets).toEqual([]);
    }
  });
});

test.each([
  ['a.json', '{"src":"URL","srcset":"URL 80w, URL 160w"}'],
  ['a.json', String.raw`{"html":"<img src=\"URL\">"}`],
  ['rss.xml', '<image>URL</image>'],
  ['rss.xml', '<description>&lt;img alt="" src=&quot;URL&quot;&gt;</description>'],
  ['a.css', 'a { background: url( URL ) }'],
  ['list.txt', '["URL"]'],
  ['list.csv', 'Quay wall,URL,320'],
  ['a.js', 'a.style = "background: url(URL)"'],
])('data shows the asset of a URL that stands alone: %s: %s', async (file, text) => {
  for (const url of [rendition, `${service}/1/file/4711/download/0`])
    expect((await read({ [file]: text.replaceAll('URL', url) })).assets).toEqual([4711]);
});

test('distinguishes a URL in data from one that is fetched', async () => {
  const at = (id: number) => `${service}/1/file/${id}/download/0`;
  const { assets, fetched } = await read({
    'a.html': `<astro-island props="{&quot;picture&quot;:[0,{&quot;originalUrl&quot;:[0,&quot;${at(1)}&quot;]}]}">
      <script type="application/json">{"customFormatUrl":"${at(2)}","src":"${at(3)}"}</script>
      <img alt="originalUrl" src="${at(4)}"><!-- ${at(5)} --><p>${at(6)}</p>
      <script type="application/json">{"images":["${at(7)}","${at(8)}"]}</script>
      <script type="application/ld+json">{"image":"${at(8)}"}</script>
      <b style="background: url(${at(9)})"></b><img srcset="${at(10)} 2x">
      <img src="/.netlify/images?url=${encodeURIComponent(at(11))}">`,
    'a.js': `export default "${at(12)}"`,
    'b.css': `a { background: url(${at(13)}) }`,
    'c.json': `["${at(14)}"]`,
  });
  expect(assets.toSorted((one, other) => one - other)).toEqual([
    ...[1, 2, 3, 4, 7, 8, 9, 10, 11, 12, 13, 14],
  ]);
  expect(fetched).toEqual([4, 8, 9, 10, 11, 13]);
});

test('scans pages, with the stylesheets that they load', async () => {
  await read({
    'a.html': '<title>A</title><link rel="stylesheet" href="/a.css"><img data-media-asset="1">',
    'a.css': '@import "/b/c.css"; @import "/missing.css";',
    'b/c.css': `a { background: url(${rendition}) }`,
    'old.html': '<meta http-equiv="refresh" content="0;url=/a.html">',
  });
  const found = await readOutput(dir, rules, { judges: true });
  expect(found.map(({ file, scan }) => [file, scan?.usage.assets, scan?.stylesheets])).toEqual([
    ['a.css', undefined, undefined],
    ['a.html', [1, 4711], ['a.css', 'b/c.css']],
    ['b/c.css', undefined, undefined],
    ['old.html', undefined, undefined],
  ]);
});

test('finds the pages with server islands', async () => {
  const { deferred } = await read({
    'a.html': '<p><!--[if astro]>server-island-start<![endif]--><script></script></p>',
    'b.html': '<p>server-island-start</p>',
    '.prerender/chunks/render.mjs': "'<!--[if astro]>server-island-start<![endif]-->'",
  });
  expect(deferred).toEqual(['/a.html']);
});

test('a site that judges nothing is read for what browsers fetch and for markers, and needs no scan', async () => {
  const own = `${service}/1/file/4712/download/0`;
  const text = `The original: ${service}/1/file/4713/download/0`;
  await read({ 'index.html': `<title>A</title><img src="${rendition}"><img src="${own}">${text}` });
  const [found] = await readOutput(dir, rules, { judges: false });
  expect(found).toMatchObject({
    scan: undefined,
    assets: [4711, 4712].map((id) => ({ id, page: '/index.html' })),
    renditions: [{ page: '/index.html' }],
  });
});
