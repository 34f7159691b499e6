import { readdir } from 'node:fs/promises';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { drawTestImage } from '../../support/images/test-images.ts';
import { astroHas } from '../../support/site/astro-major.ts';
import { outputOf, useSite } from '../../support/site/site-with-service.ts';

/** Asset 4715. */
const report = Buffer.from('%PDF-1.7\n% a report\n%%EOF\n');

const setup = useSite('markdown');

// One site. Its builds depend on each other.
beforeAll(async () => {
  await setup.replaceAsset('report.pdf', report);
});

const page = (path: string) => setup.site.read(`dist/${path}/index.html`);

/** Width, height and kind of the files in a page, in order. */
async function filesOf(path: string): Promise<string[]> {
  const urls = (await page(path)).match(/\/_astro\/media-asset\/[^\s"]+(?<!pdf)(?=[\s"])/g) ?? [];
  return Promise.all(
    urls.map(async (url) => {
      const { width, height, format } = await sharp(await setup.site.readOutput(url)).metadata();
      const name = url.replace(/.*-[0-9a-f]{16}-/, '');
      return `${name} ${width}x${height} ${format}`;
    }),
  );
}

test('Markdown and MDX in pages and collections shows images and is reported as usages', async () => {
  const output = await outputOf(setup.build());
  expect(output).not.toContain('error');
  expect(await filesOf('rope')).toEqual([
    'the-quay.webp 240x160 webp',
    'the-quay.webp 120x80 webp',
    'the-quay.webp 240x160 webp',
    'the-harbour.avif 200x200 heif',
    'the-harbour.avif 400x400 heif',
    'the-harbour.jpg 200x200 jpeg',
    'the-harbour.jpg 200x200 jpeg',
    'the-harbour.jpg 400x400 jpeg',
    'a-ship.webp 120x120 webp',
    'a-ship.webp 120x120 webp',
    'a-ship.webp 240x240 webp',
    '4714.webp 720x540 webp',
    '4714.webp 640x480 webp',
    '4714.webp 720x540 webp',
    '4714.webp 750x563 webp',
    '4714.webp 800x600 webp',
  ]);
  expect(await filesOf('boat')).toEqual([
    'the-ship.webp 90x120 webp',
    'the-ship.webp 90x120 webp',
    'the-ship.webp 180x240 webp',
  ]);
  expect(await filesOf('notes/knot')).toEqual([
    'a-knot.webp 160x120 webp',
    'a-knot.webp 160x120 webp',
    'a-knot.webp 320x240 webp',
  ]);
  expect(await filesOf('notes/net')).toEqual(['a-net.webp 64x48 webp']);
  expect(setup.pairs().filter((pair) => !pair.endsWith('/gallery/'))).toEqual([
    '4711 https://harbour.example/notes/knot/',
    '4711 https://harbour.example/rope/',
    '4712 https://harbour.example/rope/',
    '4713 https://harbour.example/boat/',
    '4713 https://harbour.example/rope/',
    '4714 https://harbour.example/notes/net/',
    '4714 https://harbour.example/rope/',
    '4715 https://harbour.example/boat/',
  ]);
});

test('a draft that no page shows publishes nothing', async () => {
  const folder = setup.site.path('dist/_astro/media-asset');
  const files = (await readdir(folder, { recursive: true })).join('\n');
  expect(files).toContain('a-knot.webp');
  expect(files).not.toContain('not-yet.webp');
});

test('a link publishes a file', async () => {
  const tag = /<a [^>]*data-media-asset="4715"[^>]*>The <em>tides<\/em><\/a>/.exec(
    await page('boat'),
  )?.[0];
  expect(tag).toContain('type="application/pdf"');
  expect(tag).toContain('download="The tides.pdf"');
  const href = /href="([^"]*\/4715\.pdf)"/.exec(tag ?? '')?.[1] ?? '';
  expect(Buffer.from(await setup.site.readOutput(href))).toEqual(report);
  expect(setup.pairs()).toContain('4715 https://harbour.example/boat/');
});

test('a folder of the service can be a collection', async () => {
  const html = await page('gallery');
  expect(html.match(/<figure id="\d+">/g)).toHaveLength(4);
  expect(html).toContain('<figcaption>quay.png</figcaption>');
  expect(setup.pairs().filter((pair) => pair.endsWith('/gallery/'))).toHaveLength(4);
});

test('only images that need styles come with them', async () => {
  expect(await page('notes/knot')).toContain('[data-media-asset-layout]');
  expect(await page('rope')).toContain('[data-media-asset-layout]');
  expect(await page('boat')).not.toContain('[data-media-asset-layout]');
});

test('content that Astro keeps from an unchanged build has its images', {
  tags: ['slow'],
}, async () => {
  const before = await Promise.all(['rope', 'notes/knot', 'notes/net'].map(page));
  const { output } = await setup.buildAlone();
  expect(output).not.toContain('Clearing content store');
  if (astroHas('incremental builds'))
    expect(output).toMatch(/notes\/knot\/index\.html \(restored\)/);
  expect(await Promise.all(['rope', 'notes/knot', 'notes/net'].map(page))).toEqual(before);
  expect(await filesOf('notes/knot')).toHaveLength(3);
});

test('a changed asset updates content that Astro keeps; copied and unread URLs are findings', {
  tags: ['slow'],
}, async () => {
  const before = await page('notes/knot');
  const copied = /\/_astro\/media-asset\/[^\s"]+/
    .exec(before)?.[0]
    .replace(/(-[0-9a-f]{16})-[0-9a-f]{16}-/, '$1-0123456789abcdef-');
  await setup.site.write('src/pages/copied.md', `![Copied](${copied})\n`);
  await setup.site.write(
    'src/pages/unread.astro',
    '<title>Unread</title><img src="media:4711" alt="" />',
  );
  const changed = { path: 'harbour.jpg', width: 640, height: 480, seed: 9 };
  await setup.replaceAsset(changed.path, await drawTestImage(changed));
  const output = await outputOf(setup.build());
  expect(await page('notes/knot')).not.toBe(before);
  expect(await filesOf('notes/knot')).toHaveLength(3);
  expect(output).toContain(`/copied/ uses ${copied}, an image that no component`);
  expect(output).toContain("/unread/ contains media:4711, which browsers can't open");
});

test('a mistake in an entry fails this build and the next one, with file and line', {
  tags: ['slow'],
}, async () => {
  await setup.site.edit('src/content/notes/knot.md', 'crop=', 'corp=');
  for (const _ of ['first', 'next']) {
    const output = await outputOf(setup.build(), 1);
    expect(output).toContain('src/content/notes/knot.md:5: ');
    expect(output).toContain(
      'Unknown parameter `corp` of asset 4711. Did you mean `crop`? Valid parameters: crop,',
    );
    expect(output).toContain('[parameter-unknown]');
  }
});

test('an unknown ID in an entry fails the build, with file and line', {
  tags: ['any-astro', 'slow'],
}, async () => {
  const entry = await setup.site.read('src/content/notes/knot.md');
  await setup.site.write(
    'src/content/notes/knot.md',
    entry.replace('media:4711?corp=', 'media:4999?crop='),
  );
  const output = await outputOf(setup.build(), 1);
  await setup.site.write('src/content/notes/knot.md', entry);
  expect(output).toContain('asset 4999 (404) on /notes/knot/ (src/content/notes/knot.md:5)');
});

test("a collection that can't be listed fails the build", {
  tags: ['any-astro', 'slow'],
}, async () => {
  await setup.site.edit('src/content.config.ts', 'folder: 1,', 'folder: 999,');
  const output = await outputOf(setup.build(), 1);
  expect(output).toContain('There is no folder 999.');
  expect(output).toContain('[library-unknown]');
  await setup.site.edit('src/content.config.ts', 'folder: 999,', 'folder: 1,');
});

// Before Astro 7, remark and rehype are the default.
test.runIf(astroHas('Sätteri'))(
  'remark and rehype give the same results as the default processor',
  { tags: ['slow'] },
  async () => {
    await setup.site.edit('src/content/notes/knot.md', 'corp=', 'crop=');
    await setup.site.edit(
      'astro.config.mjs',
      'experimental:',
      'markdown: { processor: unified() },\n  experimental:',
    );
    await setup.site.edit(
      'astro.config.mjs',
      'import mdx',
      "import { unified } from '@astrojs/markdown-remark';\nimport mdx",
    );
    const { exitCode } = await setup.build();
    expect(exitCode).toBe(0);
    expect(await filesOf('notes/knot')).toHaveLength(3);
    expect(await filesOf('notes/net')).toHaveLength(1);
    expect(await filesOf('boat')).toHaveLength(3);
    expect(await filesOf('rope')).toHaveLength(16);
  },
);
