/** @module-tag slow */
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, useBrowser } from '../support/browser/browser-tests.ts';
import { holdImages, layoutShift } from '../support/browser/hold-images.ts';
import type { LocalServer } from '../support/service/local-server.ts';
import { serveFolder } from '../support/site/serve-folder.ts';
import { useSite } from '../support/site/site-with-service.ts';

const create = { width: 5120, height: 2560, channels: 3, background: '#2f6f4f' } as const;
const files = { 'zone.jpg': await sharp({ create }).jpeg().toBuffer() };

/**
 * The images of the page, without any layout in the site's config. Their qualities differ, because
 * Chromium takes a larger file than it needs if it has that file already.
 */
const written = [
  '<MediaAsset id={4715} alt="" quality={61} />',
  '<MediaAsset id={4715} alt="" quality={62} priority />',
  '<MediaAsset id={4715} alt="" quality={63} width={720} />',
  '<MediaAsset id={4715} alt="" quality={64} aspect="16:9" formats={["webp"]} />',
  '<MediaAsset id={4715} alt="" quality={65} width={900} height={900} />',
];
const inMarkdown = [
  '![](media:4715?quality=66&decoration)',
  '![](media:4715?quality=67&width=600&decoration)',
];

/** A lazy image's width decides its file, an eager one's `sizes`. */
const address = 'media:4715?widths=320,640,1600&layout=full-width&decoration';
const props = 'id={4715} alt="" layout="full-width" widths={[320, 640, 1600]}';
const inColumn = [
  `<MediaAsset ${props} />`,
  `<MediaAsset ${props} formats={['avif']} />`,
  `<MediaAsset ${props} loading="eager" />`,
];

const windows = [390, 800, 1280].flatMap((width) => [1, 2, 3].map((scale) => ({ width, scale })));

describeInBrowser('the files that a browser loads', () => {
  const browser = useBrowser();
  const setup = useSite('main-job', { files });
  let host: LocalServer;

  beforeAll(async () => {
    const { site } = setup;
    await site.write('src/quay.md', inMarkdown.join('\n\n'));
    await site.write(
      'src/pages/index.astro',
      `---
import { MediaAsset } from 'astro-media-asset/components';
import { Content } from '../quay.md';
---
<html lang="en"><head><title>Widths</title>
<meta name="viewport" content="width=device-width" /></head><body>
${written.join('<br />\n')}<Content />
</body></html>
`,
    );
    await site.write('src/column.md', `![](${address})\n\n![](${address}&priority)\n`);
    await site.write(
      'src/pages/column.astro',
      `---
import { MediaAsset } from 'astro-media-asset/components';
import { Content } from '../column.md';
---
<html lang="en"><head><title>Column</title></head><body><div>
${inColumn.join('')}<Content />
</div></body></html>
<style is:global>div { width: 250px }</style>
`,
    );
    expect(await setup.build({ MEDIA_ASSET_REPORT: 'never' })).toMatchObject({ exitCode: 0 });
    host = await serveFolder(site.dist);
  });

  afterAll(() => host?.close());

  test.each(windows)(
    'of images without a layout fit a window of $width px at $scale x, as their shapes do',
    async ({ width, scale }) => {
      const viewport = { width, height: 6000 };
      const page = await browser.open({ baseURL: host.url, viewport, deviceScaleFactor: scale });
      await page.goto('/');
      await page.waitForFunction('[...document.images].every(({ complete }) => complete)');
      const { scrolled, images } = await page.evaluate<{
        scrolled: number;
        images: { src: string; width: number; height: number; attributes: number }[];
      }>(`({
      scrolled: document.documentElement.scrollWidth - innerWidth,
      images: [...document.images].map((image) => ({
        src: new URL(image.currentSrc).pathname,
        width: image.clientWidth,
        height: image.clientHeight,
        attributes: image.getAttribute('width') / image.getAttribute('height'),
      })),
    })`);
      expect(scrolled).toBe(0);
      expect(images).toHaveLength(written.length + inMarkdown.length);
      for (const image of images) {
        expect(image.width).toBeGreaterThan(300);
        expect(image.width).toBeLessThanOrEqual(1280);
        expect(image.width / image.height).toBeCloseTo(image.attributes, 1);
        const file = await sharp(await setup.site.readOutput(image.src)).metadata();
        const most = width === 390 && scale === 1 ? 1.8 : 1.3;
        expect(file.width / (image.width * scale)).toBeLessThanOrEqual(most);
      }
    },
  );

  test('in a column of 250 px fit the column if the image is lazy, and its sizes if it is eager', async () => {
    const viewport = { width: 1280, height: 2000 };
    const page = await browser.open({ baseURL: host.url, viewport });
    const release = await holdImages(page);
    await page.goto('/column/', { waitUntil: 'domcontentloaded' });
    release();
    await page.waitForFunction('[...document.images].every(({ complete }) => complete)');
    const images = await page.evaluate<{ src: string; box: number[] }[]>(
      '[...document.images].map(({ currentSrc: src, width, height }) => ({ src, box: [width, height] }))',
    );
    const widths = images.map(async ({ src }) => {
      const bytes = await setup.site.readOutput(new URL(src).pathname);
      return (await sharp(bytes).metadata()).width;
    });
    expect(await Promise.all(widths)).toEqual([320, 320, 1600, 320, 1600]);
    expect(images.map(({ box }) => box)).toEqual(Array(5).fill([250, 125]));
    expect(await layoutShift(page)).toBe(0);
  });
});
