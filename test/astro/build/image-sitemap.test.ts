import { readFile } from 'node:fs/promises';
import type { Element } from 'hast';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { RenditionAddress } from '../../../src/assets/formats/rendition-url.ts';
import { createImageSitemap, removeImageSitemap } from '../../../src/astro/build/image-sitemap.ts';
import { siteLanguages } from '../../../src/config/languages.ts';
import { scanSite } from '../../../src/scan/scan-site.ts';
import { type BuiltFolder, createBuiltFolder } from '../../support/site/built-folder.ts';
import { siteBuild } from '../../support/site/site-build.ts';

const site = 'https://harbour.example';
let folder: BuiltFolder;

beforeEach(async () => {
  folder = await createBuiltFolder();
  onTestFinished(() => folder.delete());
});

/** The path of a rendition of this width, which stands in its digest. */
const path = (id: number, width: number, { part = 'a', format = 'webp' } = {}) =>
  `media-asset/${id}-${'a'.repeat(16)}-${part}${String(width).padStart(15, '0')}-quay.${format}`;
const url = (...named: Parameters<typeof path>) => `/_astro/${path(...named)}`;
const img = (...named: Parameters<typeof path>) => `<img alt="" src="${url(...named)}">`;

interface Built {
  readonly missing?: readonly string[];
  readonly forbidden?: Readonly<Record<string, readonly string[]>>;
}

function openSitemap({ missing = [], forbidden = {} }: Built = {}) {
  const i18n = { locales: ['en', 'de'], defaultLocale: 'en' };
  const languages = siteLanguages({ base: '/', i18n });
  const records = Object.entries(forbidden).map(([id, codes]) => [
    id,
    {
      record: Object.fromEntries(
        ['en', 'de'].map((one) => [one, { mayShow: !codes.includes(one) }]),
      ),
    },
  ]);
  const build = siteBuild(folder.dir);
  return createImageSitemap({
    ...build,
    languages,
    locations: { toUrl: (one: string) => `/_astro/${one}` },
    published: { has: (one: string) => !missing.includes(one) },
    images: {
      publisher: {
        digests: () => Object.fromEntries(records),
        issuedRendition: ({ digest }: RenditionAddress) =>
          digest === 'file' ? undefined : { rectangle: digest[0], width: Number(digest.slice(1)) },
      },
    },
  } as unknown as Parameters<typeof createImageSitemap>[0]);
}

/** Writes the sitemap of these pages. Returns its pages with their images, and the codes of findings. */
async function write(pages: Record<string, string>, built: Built = {}, rules: object = {}) {
  for (const [file, html] of Object.entries(pages)) await folder.write(`dist/${file}`, html);
  const sitemap = openSitemap(built);
  const ofSite = {
    site,
    base: '/',
    format: 'directory',
    trailingSlash: 'ignore',
    exclude: [],
  } as const;
  await scanSite({
    dir: folder.path('dist'),
    rules: { ...ofSite, ...rules },
    onPage: (page, scan) => scan && sitemap.add(page),
  });
  const findings = await sitemap.write(folder.path('dist'));
  const xml = await readFile(folder.path('dist/sitemap-images.xml'), 'utf8').catch(() => '');
  const listed = Array.from(
    xml.matchAll(/<url><loc>(.*?)<\/loc>(.*?)<\/url>/g),
    ([, page = '', rest = '']) => [
      page.replace(site, ''),
      Array.from(rest.matchAll(/<image:loc>(.*?)<\/image:loc>/g), ([, one = '']) =>
        one.replace(site, ''),
      ),
    ],
  );
  return { xml, listed: Object.fromEntries(listed), codes: findings.map(({ code }) => code) };
}

describe('an image sitemap', () => {
  test('has the largest rendition of each image that a page shows', async () => {
    const { listed, codes } = await write({
      'index.html': `<img alt="" src="${url(1, 300)}" srcset="${url(1, 600)} 600w, ${url(1, 300)} 300w">`,
      'crops/index.html': `${img(1, 300)}${img(1, 300, { part: 'b' })}${img(2, 90)}`,
      'picture/index.html': `<picture><source srcset="${url(1, 600, { format: 'avif' })} 600w">${img(1, 600)}</picture>`,
      'poster/index.html': `<video poster="${url(3, 200)}" src="/_astro/media-asset/4-${'a'.repeat(16)}-file/film.mp4"></video>`,
    });
    expect(codes).toEqual([]);
    expect(listed).toEqual({
      '/': [url(1, 600)],
      '/crops/': [url(1, 300), url(1, 300, { part: 'b' }), url(2, 90)],
      '/picture/': [url(1, 600)],
      '/poster/': [url(3, 200)],
    });
  });

  test("has nothing that isn't an image on a page", async () => {
    const hidden = `<p>${url(1, 300)}</p><a href="${url(1, 300)}">It</a><!-- ${img(1, 300)} -->
      <meta property="og:image" content="${site}${url(1, 300)}">
      <p style="background: url(${url(1, 300)})"></p><template>${img(1, 300)}</template>
      <img alt="" src="data:image/webp;base64,UklGRg=="><img alt="" src="/other.webp">`;
    const { listed } = await write(
      { 'index.html': img(2, 300), 'hidden/index.html': hidden, 'gone/index.html': img(3, 300) },
      { missing: [path(3, 300)] },
    );
    expect(Object.keys(listed)).toEqual(['/']);
  });

  test.each([
    ['an error page', '404.html', ''],
    ['an error page in a folder', 'de/404/index.html', ''],
    ['a redirect page', 'old/index.html', '<meta http-equiv="refresh" content="0;url=/">'],
    ['a page that robots must not list', 'a/index.html', '<meta name="robots" content="noindex">'],
    ['one that a robot must not list', 'a/index.html', "<META content='none' NAME=Googlebot>"],
    ['an excluded page', 'drafts/index.html', ''],
  ])('leaves out %s', async (_, file, head) => {
    const { listed } = await write(
      { 'index.html': img(1, 300), [file]: `<title>A</title>${head}${img(1, 300)}` },
      {},
      { exclude: ['/drafts'] },
    );
    expect(Object.keys(listed)).toEqual(['/']);
  });

  test('lists a page that only says how it may be listed', async () => {
    const head = '<meta name="robots" content="max-image-preview:large, nofollow">';
    const quoted = '<meta name="description" content="What noindex means">';
    expect((await write({ 'index.html': head + quoted + img(1, 300) })).listed).toHaveProperty('/');
  });

  test("leaves out an asset that a page's language forbids, and one without a verdict", async () => {
    const pages = { 'index.html': img(1, 300) + img(2, 300), 'de/index.html': img(1, 300) };
    const { listed } = await write(pages, { forbidden: { 1: ['de'] } });
    expect(listed).toEqual({ '/': [url(1, 300), url(2, 300)] });
    await folder.remove('dist/sitemap-images.xml');
    expect((await write(pages, { forbidden: { 1: ['en', 'de'] } })).listed).toEqual({
      '/': [url(2, 300)],
    });
  });

  test('lists the first 50,000 pages by URL', async () => {
    const sitemap = openSitemap();
    const properties = { src: url(1, 300) };
    const element: Element = { type: 'element', tagName: 'img', properties, children: [] };
    const read = {
      ...{ text: '', isUtf8: true },
      elements: () => [{ element, at: undefined, live: true, inSvg: false }],
    };
    const pages = Array.from({ length: 50_001 }, (_, at) => `${site}/${100_000 - at}/`);
    for (const page of pages)
      sitemap.add({ file: 'a.html', url: page, read, scan: () => undefined });
    expect(await sitemap.write(folder.dir)).toEqual([]);
    const xml = await readFile(folder.path('sitemap-images.xml'), 'utf8');
    const listed = Array.from(xml.matchAll(/<loc>(.*?)<\/loc>/g), ([, page]) => page);
    expect(listed).toHaveLength(50_000);
    expect(listed).toEqual(pages.sort().slice(0, 50_000));
  });

  test('is valid XML, in an order that stays the same', async () => {
    const { xml, listed } = await write({
      'b/index.html': img(1, 9),
      'a & b/index.html': img(1, 9),
    });
    expect(Object.keys(listed)).toEqual(['/a%20&amp;%20b/', '/b/']);
    expect(xml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n/);
  });

  test("isn't written without images, or over a file of the site", async () => {
    expect((await write({ 'index.html': '<h1>Quay</h1>' })).xml).toBe('');
    await folder.write('dist/sitemap-images.xml', '<urlset/>');
    const { xml, codes } = await write({ 'index.html': img(1, 300) });
    expect({ xml, codes }).toEqual({ xml: '<urlset/>', codes: ['sitemap-taken'] });
  });

  test("of an earlier build is deleted, and a site's own file stays", async () => {
    await write({ 'index.html': img(1, 300) });
    await removeImageSitemap(folder.path('dist'));
    expect((await write({ 'index.html': img(2, 300) })).listed).toEqual({ '/': [url(2, 300)] });
    await folder.write('dist/sitemap-images.xml', '<urlset/>');
    await removeImageSitemap(folder.path('dist'));
    expect(await readFile(folder.path('dist/sitemap-images.xml'), 'utf8')).toBe('<urlset/>');
  });
});
