/**
 * Takes the screenshots `docs/gallery-….webp`: the playground's gallery in three windows, as
 * visitors see it. `npm run docs:pictures`.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { findChromium, openBrowser } from '../test/support/browser/browser.ts';
import { openPlaygroundSite } from '../test/support/site/playground-site.ts';
import { serveFolder } from '../test/support/site/serve-folder.ts';

const docs = fileURLToPath(new URL('../docs', import.meta.url));
const windows = [
  { width: 390, height: 844, deviceScaleFactor: 2 },
  { width: 800, height: 1000, deviceScaleFactor: 1 },
  { width: 1280, height: 900, deviceScaleFactor: 1 },
];

const chromium = findChromium();
if (chromium === undefined) throw new Error('The pictures need a Chromium.');
const { site, emulator, close } = await openPlaygroundSite();
try {
  const built = await site.build({ ...emulator.env, MEDIA_ASSET_REPORT: 'never' });
  if (built.exitCode !== 0) throw new Error(built.output);
  const host = await serveFolder(site.dist);
  const browser = await openBrowser(chromium);
  for (const { deviceScaleFactor, ...viewport } of windows) {
    const page = await browser.open({ baseURL: host.url, viewport, deviceScaleFactor });
    await page.goto('/collection/', { waitUntil: 'networkidle' });
    const file = join(docs, `gallery-${viewport.width}.webp`);
    await sharp(await page.screenshot())
      // Otherwise colours bleed over the images' edges into the page.
      .webp({ quality: 82, smartSubsample: true, effort: 6 })
      .toFile(file);
    console.log(file);
  }
  await browser.close();
  host.close();
} finally {
  await close();
}
