import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, open, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readBuiltFiles, unreadAddresses } from '../../../src/astro/build/built-files.ts';
import { markFailure } from '../../../src/astro/markdown/markdown-failures.ts';
import { mediaAssetError } from '../../../src/errors/errors.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

const baseUrl = 'https://media.example/dam';
const rendition = '/_astro/media-asset/4711-0123456789abcdef-fedcba9876543210-quay.webp';

const onWindows = process.platform === 'win32';
const isRoot = process.getuid?.() === 0;

let dir: string;

beforeEach(async () => {
  dir = await temporaryFolder('output');
});

async function read(files: Record<string, string>) {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, file)), { recursive: true });
    await writeFile(join(dir, file), text);
  }
  return readBuiltFiles(dir, { baseUrl, toPage: (file) => `<${file}>` });
}

/** The files in which a rendition is found. */
async function filesWithRendition(files: Record<string, string>): Promise<string[]> {
  const { renditions } = await read(files);
  return renditions.map(({ page }) => page.slice(1, -1));
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
    { address: { id: 4711, sourceHash: '0123456789abcdef' }, page: `<${file}>` },
  ]);
});

test.each(['quay.webp', 'QUAY.JPG', 'site.woff2', 'chunks/page.mjs', 'gallery.js.map'])(
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

describe('a file that is too long to read at once', () => {
  const step = 16 * 1024;
  const ids = Array.from({ length: 9 * 64 }, (_, index) => index + 1);
  const address = (id: number) => `media:${id}?crop=400,200,2400,1600&amp;width=640`;
  const textOf = (id: number) =>
    `<img src="${address(id)}"> ${rendition.replace('4711', `${id}`)} "originalUrl": "${baseUrl}/1/file/${id}/download/0"`;

  test.each(Array.from({ length: 16 }, (_, index) => index * 14))(
    'gives each rendition, download and Markdown URL complete, %i before each multiple of 16 kB',
    async (start) => {
      const content = Buffer.alloc((ids.length + 1) * step);
      for (const id of ids) content.write(textOf(id), id * step - start);
      await writeFile(join(dir, 'data.xml'), content);
      const { renditions, assets, unread } = await read({});
      expect(renditions.map(({ address: { id, name } }) => `${id} ${name}`)).toEqual(
        ids.map((id) => `${id} quay`),
      );
      expect(assets).toEqual(ids.map((id) => ({ id, page: '<data.xml>', isData: true })));
      expect(unread.map((one) => one.address)).toEqual(ids.map(address));
    },
  );

  test('needs little memory', { tags: ['slow'] }, async () => {
    await read({ 'data.json': rendition });
    const island = '<!--[if astro]>server-island-start<![endif]-->';
    const file = await open(join(dir, 'index.html'), 'w');
    for (let id = 1; id <= 560; id += 1) {
      await file.write(`${island}"${rendition.replace('4711', `${id}`)}"`, id * 1024 ** 2);
    }
    await file.close();
    const before = process.resourceUsage().maxRSS;
    const { renditions, deferred } = await read({});
    expect(renditions).toHaveLength(561);
    expect(deferred).toEqual(['<index.html>']);
    expect((process.resourceUsage().maxRSS - before) / 1024).toBeLessThan(300);
  });
});

test("reads nothing if the output doesn't exist", async () => {
  const output = join(dir, 'client');
  const { renditions } = await readBuiltFiles(output, { baseUrl, toPage: (file) => file });
  expect(renditions).toEqual([]);
});

test("skips Astro's code for prerendering static pages", async () => {
  const found = await filesWithRendition({
    'chunks/_astro_data-layer-content.mjs': rendition,
    '.prerender/chunks/_astro_data-layer-content.js': rendition,
    'notes/.prerender/index.html': rendition,
  });
  expect(found).toEqual(['notes/.prerender/index.html']);
});

test('finds the marks of refused assets with their pages', async () => {
  const { refused } = await read({
    'a.html': '<img data-media-asset-unavailable="4711"><img data-media-asset-unavailable="12">',
    'b.html': '<img data-media-asset-unavailable="4711">',
  });
  expect(refused).toEqual([
    { id: 4711, page: '<a.html>' },
    { id: 12, page: '<a.html>' },
    { id: 4711, page: '<b.html>' },
  ]);
});

test("finds the service's own download URLs, also inside a host's, and none of other services", async () => {
  const inside = (id: number) => encodeURIComponent(`${baseUrl}/1/file/${id}/download/0`);
  const { assets } = await read({
    'a.html': `<img src="${baseUrl}/1/file/4711/download/-1?x1=0&amp;y1=0">
      <a href="${baseUrl}/1/file/12/download/0">file</a>
      <a href="${baseUrl}/1/file/13/usage">usage</a>
      <img src="https://other.example/1/file/14/download/0">
      <img src="/_image?href=${inside(15)}&amp;w=640">
      <img src="/.netlify/images?url=${encodeURIComponent(inside(16))}">`,
  });
  expect(assets.map(({ id }) => id)).toEqual([4711, 12, 15, 16]);
});

test('distinguishes a URL in data from one that is fetched', async () => {
  const at = (id: number) => `${baseUrl}/1/file/${id}/download/0`;
  const { assets } = await read({
    'a.html': `<astro-island props="{&quot;picture&quot;:[0,{&quot;originalUrl&quot;:[0,&quot;${at(1)}&quot;]}]}">
      <script type="application/json">{"customFormatUrl":"${at(2)}","src":"${at(3)}"}</script>
      <img alt="originalUrl" src="${at(4)}">`,
  });
  expect(assets.filter(({ isData }) => isData).map(({ id }) => id)).toEqual([1, 2]);
  expect(assets).toHaveLength(4);
});

test('finds the pages with server islands', async () => {
  const { deferred } = await read({
    'a.html': '<p><!--[if astro]>server-island-start<![endif]--><script></script></p>',
    'b.html': '<p>server-island-start</p>',
    '.prerender/chunks/render.mjs': "'<!--[if astro]>server-island-start<![endif]-->'",
  });
  expect(deferred).toEqual(['<a.html>']);
});

test('finds the failures of Markdown as they were', async () => {
  const place = { file: 'src/pages/a.md', line: 3 };
  const failure = mediaAssetError('alt-missing', { id: 4711, place });
  const [[name, value] = []] = Object.entries(markFailure(failure));
  const { failures } = await read({ 'a.html': `<img ${name}="${value}" alt="">` });
  const { message } = failure;
  expect(failures).toMatchObject([{ code: 'alt-missing', message, place, asset: 4711 }]);
});

test('finds unresolved Markdown URLs with their pages', async () => {
  const html = '<img alt="" src="media:4711?width=1"><a href=media:12>Report</a> media:13';
  const { unread } = await read({ 'a.html': html });
  expect(unread).toEqual([
    { address: 'media:4711?width=1', page: '<a.html>' },
    { address: 'media:12', page: '<a.html>' },
  ]);
});

const rss = (content: string) => `<rss version="2.0"><item>${content}</item></rss>`;
const json = (content: string) =>
  JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', items: [{ content }] });

test.each([
  ['a.html', '<code>&lt;img src=&quot;media:4711&quot;></code>', []],
  ['a.html', '<p>![A boat](media:1)</p>', []],
  ['rss.xml', rss('&lt;img alt="" src=&quot;media:1&quot;&gt;'), ['media:1']],
  ['rss.xml', rss('<![CDATA[<img src="media:1?a=1&b=2">]]>'), ['media:1?a=1&b=2']],
  ['rss.xml', rss('![A boat](media:1?width=9)'), ['media:1?width=9']],
  ['rss.xml', rss('<![CDATA[[A report](<media:2>)]]>'), ['media:2']],
  ['feed.atom', '<feed><content>&lt;a href=&#39;media:2&#39;&gt;</content></feed>', ['media:2']],
  ['feed.json', json('<a>\n</a><img\nsrc="media:1">'), ['media:1']],
  ['feed.json', json('![A boat](media:1)'), ['media:1']],
  // Mentions of such a URL, and files that aren't feeds:
  ['rss.xml', rss('&lt;p&gt;&amp;lt;img src=&amp;quot;media:1&amp;quot;&lt;/p&gt;'), []],
  ['search.json', JSON.stringify(['![A boat](media:1)']), []],
  ['a.js', ' src="media:1"', []],
])('in %s reads %s as %j', (file, text, found) => {
  expect(unreadAddresses(file, text)).toEqual(found);
});
