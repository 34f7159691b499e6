/**
 * Takes the screenshot `docs/emulator.png`: an asset in the emulator, with the pages of the playground
 * that use it. `npm run docs:pictures`.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { findChromium, openBrowser } from '../test/support/browser/browser.ts';
import { openPlaygroundSite } from '../test/support/site/playground-site.ts';

const file = join(fileURLToPath(new URL('../docs', import.meta.url)), 'emulator.png');

const chromium = findChromium();
if (chromium === undefined) throw new Error('The pictures need a Chromium.');
const { site, emulator, close } = await openPlaygroundSite();
const browser = await openBrowser(chromium);
try {
  const built = await site.build({ ...emulator.env, MEDIA_ASSET_REPORT: 'always' });
  if (built.exitCode !== 0) throw new Error(built.output);
  const page = await browser.open({
    baseURL: emulator.url,
    viewport: { width: 1280, height: 600 },
    deviceScaleFactor: 1,
  });
  await page.goto('/asset/4718');
  await page.waitForFunction('document.querySelector(".preview img").complete');
  await sharp(await page.screenshot())
    .png({ palette: true, effort: 10 })
    .toFile(file);
  console.log(file);
} finally {
  await browser.close();
  await close();
}
