/** @module-tag slow */
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, useBrowser } from '../support/site/browser-tests.ts';
import { serveFolder } from '../support/site/serve-folder.ts';
import { openSiteWithService, type SiteWithService } from '../support/site/site-with-service.ts';

const original = { width: 5120, height: 2560, channels: 3, background: '#2f6f4f' } as const;

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

const windows = [390, 800, 1280].flatMap((width) => [1, 2, 3].map((scale) => ({ width, scale })));

describeInBrowser('images without a layout of their own', () => {
  const browser = useBrowser();
  let setup: SiteWithService;
  let host: { url: string; close(): void };

  beforeAll(async () => {
    const files = { 'zone.jpg': await sharp({ create: original }).jpeg().toBuffer() };
    setup = await openSiteWithService('main-job', { files });
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
    expect(await setup.build({ MEDIA_ASSET_REPORT: 'never' })).toMatchObject({ exitCode: 0 });
    host = await serveFolder(site.dist);
  }, 120_000);

  afterAll(async () => {
    host?.close();
    await setup?.close();
  });

  test.each(windows)(
    'fit a window of $width px at $scale x, in shape and in their files',
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
});
