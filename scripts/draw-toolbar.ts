/**
 * Draws `docs/toolbar.webp`: an author replaces an image of the playground, crops the new one and saves
 * it. `npm run docs:pictures`.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { findChromium, openBrowser } from '../test/support/browser/browser.ts';
import { startDevServer } from '../test/support/site/dev-server.ts';
import { openPlaygroundSite } from '../test/support/site/playground-site.ts';

const file = join(fileURLToPath(new URL('../docs', import.meta.url)), 'toolbar.webp');
const viewport = { width: 1200, height: 750 };
/** How long a frame is shown, in milliseconds. */
const short = 1600;
const long = 3000;

const chromium = findChromium();
if (chromium === undefined) throw new Error('The pictures need a Chromium.');
const { site, emulator, close } = await openPlaygroundSite();
const server = await startDevServer({ site, emulator });
const browser = await openBrowser(chromium);
try {
  const page = await browser.open({ baseURL: server.url, viewport, deviceScaleFactor: 1 });
  const frames = await replaceAndCrop(page);
  await sharp(
    frames.map(({ image }) => image),
    { join: { animated: true } },
  )
    .webp({ quality: 72, effort: 6, smartSubsample: true, delay: frames.map(({ ms }) => ms) })
    .toFile(file);
  console.log(file);
} finally {
  await browser.close();
  await server.stop();
  await close();
}

async function replaceAndCrop(page: Page): Promise<{ image: Buffer; ms: number }[]> {
  const frames: { image: Buffer; ms: number }[] = [];
  const panel = page.getByRole('complementary', { name: 'Media assets' });
  const dialog = page.getByRole('dialog');
  async function frame(ms: number, pointed?: Locator): Promise<void> {
    await page.waitForLoadState('networkidle');
    if (pointed) await pointed.hover();
    frames.push({ image: await page.screenshot(), ms });
  }

  await page.goto('/about/', { waitUntil: 'networkidle' });
  const shown = `document.querySelector('img[data-media-asset="4724"]')`;
  await page.evaluate(`${shown}.scrollIntoView({ block: 'center', behavior: 'instant' })`);
  await frame(short);
  await page
    .locator('astro-dev-toolbar')
    .locator('button[data-app-id="astro-media-asset"]')
    .click();
  const outline = page
    .getByRole('group', { name: 'Images on this page' })
    .getByRole('button', { name: '4724' });
  await panel.waitFor();
  await outline.waitFor();
  await frame(long, outline);
  await outline.click();
  const replace = panel.getByRole('button', { name: 'Replace' });
  await panel.getByText('src/pages/about.md').waitFor();
  await frame(long, replace);
  await replace.click();
  await panel.getByLabel('Search assets').fill('market');
  const found = panel.getByRole('listbox').getByRole('option').first();
  await panel.getByText(/result/).waitFor();
  await frame(long, found);
  await found.click();
  await panel.getByLabel('Alt text').fill('The fish market, with a striped awning.');
  const cropAndReplace = panel.getByRole('button', { name: 'Crop and replace' });
  await frame(short, cropAndReplace);
  await cropAndReplace.click();
  await dialog.waitFor();
  await frame(short);
  const image = await dialog.locator('img').first().boundingBox();
  if (!image) throw new Error('The crop editor has no image.');
  await page.mouse.move(image.x + image.width * 0.15, image.y + image.height * 0.22);
  await page.mouse.down();
  await page.mouse.move(image.x + image.width * 0.85, image.y + image.height * 0.85, { steps: 5 });
  await page.mouse.up();
  await frame(long, dialog.getByRole('button', { name: 'Save' }));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await panel.getByText('Saved to').waitFor();
  await page.locator('img[data-media-asset="4719"]').first().waitFor();
  await frame(long);
  return frames;
}
