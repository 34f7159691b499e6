import { readdir } from 'node:fs/promises';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { findRenditions, formatRenditionPath } from '../../../src/assets/formats/rendition-url.ts';
import { findInFiles } from '../../support/process/find-in-files.ts';
import { everywhereFiles } from '../../support/site/everywhere-files.ts';
import type { Run } from '../../support/site/site.ts';
import { outputOf, useSite } from '../../support/site/site-with-service.ts';

const site = 'https://harbour.example';

const setup = useSite('everywhere', { files: everywhereFiles });
let run: Run;

beforeAll(async () => {
  run = await setup.build();
}, 120_000);

/** The renditions and files that a built file names, as `id name.extension`. */
async function namedIn(file: string): Promise<string[]> {
  const text = await setup.site.read(`dist/${file}`);
  return findRenditions(text).map(({ id, name, extension }) => `${id} ${name}.${extension}`);
}

/** Returns the attributes of the first tag whose start matches the pattern. */
async function attributesOf(file: string, start: string): Promise<Record<string, string>> {
  const html = await setup.site.read(`dist/${file}`);
  const [, text = ''] = new RegExp(`${start}([^>]*)>`).exec(html) ?? [];
  return Object.fromEntries(
    Array.from(text.matchAll(/([\w-]+)(?:="([^"]*)")?/g), ([, name = '', value]) => [
      name,
      value ?? '',
    ]),
  );
}

test('every rendition and file in a page, a stylesheet or a feed is published, next to a pipe', async () => {
  expect(run.exitCode, run.output).toBe(0);
  if (process.platform !== 'win32') expect(await readdir(setup.site.dist)).toContain('pipe.json');
  expect(run.output).not.toMatch(/rendition-unknown|\[WARN\] \[media-asset\]/);
  const published = await setup.site.files('dist/_astro/media-asset/**/*');
  const texts = await setup.site.files('dist/**/*.{html,css,xml,json}');
  const named = await Promise.all(texts.map((file) => setup.site.read(file)));
  const paths = named.flatMap((text) =>
    findRenditions(text).map((address) => `dist/_astro/${formatRenditionPath(address)}`),
  );
  expect(published).toEqual([...new Set(paths)].sort());
  // Nothing of the toolbar, and no place of a call.
  const ofAuthors = /media-asset-toolbar|astro-media-asset[:.]/;
  expect(await findInFiles(setup.site.dist, ofAuthors)).toEqual([]);
});

test('the service lists the assets of pages, but not those of feeds alone', () => {
  expect(setup.pairs()).toEqual([
    `4711 ${site}/museum/backgrounds/`,
    `4711 ${site}/museum/head/`,
    `4711 ${site}/museum/island/`,
    `4712 ${site}/museum/backgrounds/`,
    `4712 ${site}/museum/head/`,
    `4712 ${site}/museum/image-hosts/`,
    `4713 ${site}/museum/backgrounds/`,
    `4713 ${site}/museum/files/`,
    `4713 ${site}/museum/image-hosts/`,
    `4714 ${site}/museum/files/`,
    `4714 ${site}/museum/stylesheet/`,
    `4715 ${site}/museum/files/`,
    `4716 ${site}/museum/files/`,
    `4716 ${site}/museum/head/`,
    `4717 ${site}/museum/files/`,
    `4718 ${site}/museum/files/`,
    `4719 ${site}/museum/files/`,
    `4720 ${site}/museum/files/`,
  ]);
});

describe('getMediaAsset() and getMediaFile()', () => {
  test.each([
    ['rss.xml', ['4713 rss.webp', '4715 4715.wav']],
    ['feed.json', ['4714 json-feed.webp']],
    ['sitemap.xml', ['4711 sitemap.webp']],
    ['theme.css', ['4714 stylesheet.webp']],
    ['head/index.html', ['4711 open-graph.jpg', '4712 json-ld.webp', '4716 4716.mp4']],
    ['image-hosts/index.html', ['4712 netlify.webp', '4713 astro.webp']],
    ['backgrounds/index.html', ['4713 element.webp', '4711 inline.webp', '4712 variable.webp']],
  ])('give %s its assets', async (file, expected) => {
    expect([...new Set(await namedIn(file))].sort()).toEqual(expected.sort());
  });

  test.each(['rss.xml', 'feed.json', 'sitemap.xml', 'head/index.html'])(
    'give %s absolute URLs, with the base',
    async (file) => {
      const text = await setup.site.read(`dist/${file}`);
      const addresses = [...text.matchAll(/[^"<>]*\/media-asset\//g)].map(([one]) => one);
      expect(new Set(addresses)).toEqual(new Set([`${site}/museum/_astro/media-asset/`]));
    },
  );

  test('give a feed the size and type of an enclosure', async () => {
    expect(await setup.site.read('dist/rss.xml')).toContain(
      `length="${everywhereFiles['vessel-bell.wav'].length}" type="audio/wav"`,
    );
  });
});

describe('<MediaFile>', () => {
  test('is a link to the same bytes with name, type and size, in the language of the link', async () => {
    const link = await attributesOf('files/index.html', '<a data-media-asset="4717"');
    expect(link).toMatchObject({
      type: 'application/pdf',
      download: 'Annual report.pdf',
      class: 'download',
      lang: 'nb',
    });
    expect(await setup.site.read('dist/files/index.html')).toContain(
      `>Annual report (PDF, ${everywhereFiles['vessel-report.pdf'].length} byte)</a>`,
    );
    const published = await setup.site.readOutput(link.href?.replace('/museum', '') ?? '');
    expect(Buffer.from(published).equals(everywhereFiles['vessel-report.pdf'])).toBe(true);
  });

  test('shows its content as the text, and has no name from the service in its URL', async () => {
    const html = await setup.site.read('dist/files/index.html');
    expect(html).toMatch(
      /<a data-media-asset="4715" href="[^"]*\/4715\.wav" type="audio\/wav">The <em>bell<\/em><\/a>/,
    );
    expect(html).not.toContain('vessel');
  });
});

describe('<MediaVideo>', () => {
  test('has its size, a poster of that size, a type and captions', async () => {
    const video = await attributesOf('files/index.html', '<video (?=[^>]*aria-label)');
    expect(video).toMatchObject({
      'data-media-asset': '4716 4714',
      'data-media-asset-layout': 'constrained',
      width: '640',
      height: '360',
      controls: '',
      preload: 'metadata',
      'aria-label': 'The ferry comes in',
    });
    expect(await setup.site.read('dist/files/index.html')).toMatch(
      /:where\(\[data-media-asset-layout="?constrained"?\]\)\s*\{\s*max-width:\s*100%/,
    );
    expect(video.poster).toMatch(/\/4714-[0-9a-f-]+-the-ferry-comes-in\.webp$/);
    expect(await setup.site.read('dist/files/index.html')).toMatch(
      /<source src="[^"]*\/4716\.mp4" type="video\/mp4">\s*<track kind="captions"/,
    );
  });

  test('leaves size and controls to the page if requested', async () => {
    const video = await attributesOf('files/index.html', '<video (?![^>]*aria-label)');
    expect(video).toMatchObject({
      'data-media-asset': '4716 4713',
      width: '200',
      height: '100',
      preload: 'none',
      muted: '',
    });
    expect(video).not.toHaveProperty('controls');
    expect(video).not.toHaveProperty('data-media-asset-layout');
  });

  test('a QuickTime video has no type, with which Chromium would skip it', async () => {
    expect(await setup.site.read('dist/files/index.html')).toMatch(
      /width="320" height="180"[^>]*>\s*<source src="[^"]*\/4718\.mov">/,
    );
  });

  test('a video of unknown size has a poster of its given width, or of 1280 pixels', async () => {
    const html = await setup.site.read('dist/files/index.html');
    const posters = [...html.matchAll(/poster="\/museum([^"]*\/4720-[^"]*)"/g)].map(
      ([, url]) => url,
    );
    const sizes = posters.map(async (url = '') => {
      const { width, height } = await sharp(await setup.site.readOutput(url)).metadata();
      return `${width}x${height}`;
    });
    expect(await Promise.all(sizes)).toEqual(['640x480', '1280x960']);
  });
});

test('a page keeps the places of a withdrawn file and video without naming them', async () => {
  await setup.deleteAsset('vessel-report.pdf');
  await setup.deleteAsset('vessel-film.mp4');
  await setup.site.edit('astro.config.mjs', 'mediaAsset()', "mediaAsset({ unavailable: 'warn' })");
  const output = await outputOf(setup.build());

  expect(output).toMatch(
    /asset 4716 \(404\) on \/museum\/files\/ \(src\/pages\/files.astro:10:5, src\/pages\/files.astro:17:5\), \/museum\/head\//,
  );
  const html = await setup.site.read('dist/files/index.html');
  expect(html).toMatch(
    /<a data-media-asset-unavailable="4717" class="download" lang="nb">Annual report<\/a>/,
  );
  expect(html).toMatch(
    /<video data-media-asset-unavailable="4716" data-media-asset-layout="constrained" width="400" height="400" controls/,
  );
  expect(await setup.site.files('dist/**/4717-*')).toEqual([]);
  expect(await setup.site.files('dist/**/*.mp4')).toEqual([]);
  expect(setup.pairs().filter((pair) => /^471[67] /.test(pair))).toEqual([]);
});
