/** @module-tag slow */
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, useBrowser } from '../support/site/browser-tests.ts';
import { holdImages, layoutShift } from '../support/site/hold-images.ts';
import { serveFolder } from '../support/site/serve-folder.ts';
import { openSiteWithService, type SiteWithService } from '../support/site/site-with-service.ts';

const picture = { width: 1600, height: 800, channels: 3, background: '#2f6f4f' } as const;

describeInBrowser('in a column of 250 px', () => {
  const browser = useBrowser();
  let setup: SiteWithService;
  let host: { url: string; close(): void };

  beforeAll(async () => {
    const files = { 'zone.png': await sharp({ create: picture }).png().toBuffer() };
    setup = await openSiteWithService('main-job', { files });
    const { site } = setup;
    const address = 'media:4715?widths=320,640,1600&layout=full-width&decoration';
    await site.write('src/quay.md', `![](${address})\n\n![](${address}&priority)\n`);
    const props = 'id={4715} alt="" layout="full-width" widths={[320, 640, 1600]}';
    await site.write(
      'src/pages/column.astro',
      `---
import { MediaAsset } from 'astro-media-asset/components';
import { Content } from '../quay.md';
---
<html lang="en"><head><title>Column</title></head><body><div>
<MediaAsset ${props} /><MediaAsset ${props} formats={['avif']} />
<MediaAsset ${props} loading="eager" /><Content />
</div></body></html>
<style is:global>div { width: 250px }</style>
`,
    );
    expect(await setup.build({ MEDIA_ASSET_REPORT: 'never' })).toMatchObject({ exitCode: 0 });
    host = await serveFolder(site.dist);
  });

  afterAll(async () => {
    host?.close();
    await setup?.close();
  });

  test('a lazy image loads the file for the column, an eager one the file for its sizes', async () => {
    const viewport = { width: 1280, height: 2000 };
    const page = await browser.open({ baseURL: host.url, viewport });
    const release = await holdImages(page);
    await page.goto('/column/', { waitUntil: 'domcontentloaded' });
    release();
    await page.waitForFunction('[...document.images].every(({ complete }) => complete)');
    const urls: string[] = await page.evaluate(
      '[...document.images].map(({ currentSrc }) => currentSrc)',
    );
    const widths = urls.map(async (url) => {
      const bytes = await setup.site.readOutput(new URL(url).pathname);
      return (await sharp(bytes).metadata()).width;
    });
    expect(await Promise.all(widths)).toEqual([320, 320, 1600, 320, 1600]);
    const boxes: number[][] = await page.evaluate(
      '[...document.images].map(({ width, height }) => [width, height])',
    );
    expect(boxes).toEqual(Array(5).fill([250, 125]));
    expect(await layoutShift(page)).toBe(0);
  });
});
