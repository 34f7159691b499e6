/** @module-tag slow */
import { globSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mediaFolder } from '../../playground/scripts/processes/emulator.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser-tests.ts';
import { layoutShift } from '../support/browser/hold-images.ts';
import { displayedPixels, meanDifference } from '../support/images/test-images.ts';
import { openPlaygroundSite, type PlaygroundSite } from '../support/site/playground-site.ts';
import { serveFolder } from '../support/site/serve-folder.ts';

/** In the order of their IDs. */
const pictures = globSync('**/*.{jpg,png}', { cwd: mediaFolder }).sort();

/** Allows nothing from other origins, and only the build's own styles and scripts. */
const policy = JSON.stringify({ directives: ["default-src 'self'", "img-src 'self' data:"] });

describeInBrowser('the gallery of the playground in a browser', () => {
  const browser = useBrowser();
  let playground: PlaygroundSite;
  let host: { url: string; close(): void };

  beforeAll(async () => {
    playground = await openPlaygroundSite();
    const { emulator, site } = playground;
    // The other pages take most of the build.
    for (const name of await readdir(site.path('src/pages')))
      if (name !== 'collection') await site.remove(`src/pages/${name}`);
    await site.remove('src/pages/collection/closer.astro');
    // The browser reports each violation as a problem, and a placeholder is one under Astro's policy.
    await site.edit('src/pages/collection/index.astro', 'placeholder="blur"', '');
    await site.edit(
      'astro.config.ts',
      'integrations:',
      `security: { csp: ${policy} }, integrations:`,
    );
    const built = await site.build({ ...emulator.env, MEDIA_ASSET_REPORT: 'never' });
    expect(built).toMatchObject({ exitCode: 0 });
    host = await serveFolder(site.dist);
  });

  afterAll(async () => {
    host?.close();
    await playground?.close();
  });

  const open = (width: number, deviceScaleFactor = 1) =>
    browser.open({ baseURL: host.url, viewport: { width, height: 900 }, deviceScaleFactor });

  test.each([
    [390, 2, 960],
    [800, 1, 480],
    [1280, 1, 320],
  ])(
    "at %i px and %ix, uses the source of %i px, and doesn't shift",
    async (width, density, source) => {
      const page = await open(width, density);
      await page.goto('/collection/');
      const shown = await showAll(page);
      expect(shown).toHaveLength(pictures.length);
      expect(new Set(shown.map(({ naturalWidth }) => naturalWidth))).toEqual(new Set([source]));
      for (const { displayed } of shown) expect(source).toBeGreaterThanOrEqual(displayed * density);
      expect(await layoutShift(page)).toBe(0);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    },
  );

  test('shows every image like its original, with its own aspect ratio', async () => {
    const page = await open(800);
    await page.goto('/collection/');
    await showAll(page);
    for (const [index, path] of pictures.entries()) {
      const image = page.locator(`main figure img[data-media-asset="${4711 + index}"]`);
      const seen = await image.screenshot({ animations: 'disabled' });
      const original = readFileSync(join(mediaFolder, path));
      expect(await difference(seen, original), path).toBeLessThan(12);
    }
  });
});

interface Shown {
  /** The width of the source that the browser has chosen. */
  naturalWidth: number;
  /** In CSS pixels. */
  displayed: number;
}

/** Scrolls through the page until all images have loaded. */
function showAll(page: Page): Promise<Shown[]> {
  return page.evaluate(`(async () => {
    const shown = [];
    for (const image of document.querySelectorAll('main figure img[data-media-asset]')) {
      image.scrollIntoView();
      await image.decode();
      const path = new URL(image.currentSrc).pathname;
      const candidate = image.srcset.split(', ').find((text) => text.startsWith(path));
      const naturalWidth = Number.parseInt(candidate.split(' ')[1], 10);
      shown.push({ naturalWidth, displayed: image.clientWidth });
    }
    return shown;
  })()`);
}

/** The mean difference of an image on the screen from its original at that size, of 255. */
async function difference(seen: Buffer, original: Buffer): Promise<number> {
  const { width, height } = await sharp(seen).metadata();
  const scaled = sharp(original).autoOrient().resize(width, height, { fit: 'fill' });
  return meanDifference(seen, await displayedPixels(await scaled.png().toBuffer()));
}
