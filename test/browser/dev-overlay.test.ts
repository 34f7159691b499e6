/** @module-tag slow */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, openBrowser, type TestBrowser } from '../support/browser.ts';
import { type DevServer, startDevServer } from '../support/dev-server.ts';
import { type Harbour, openHarbour } from '../support/harbour.ts';
import { displayedPixels } from '../support/test-pictures.ts';

const chromium = findChromium();

describe.skipIf(chromium === undefined)('the dev server in a browser', () => {
  let harbour: Harbour;
  let server: DevServer;
  let browser: TestBrowser;

  beforeAll(async () => {
    harbour = await openHarbour('main-job');
    await harbour.deleteAsset('quay.png');
    server = await startDevServer(harbour);
    browser = await openBrowser(chromium ?? '');
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await harbour?.close();
  });

  test('says in the overlay, once, which asset cannot be had; below it stands a labelled picture, and the page goes on', async () => {
    const page = await browser.open({ baseURL: server.url });
    await page.goto('/');
    const overlay = page.locator('vite-error-overlay');
    await overlay.waitFor();
    expect(await overlay.locator('#name').textContent()).toBe('asset-unknown');
    expect(await overlay.locator('#message-content').textContent()).toContain('asset 4712 (404)');
    expect(await overlay.locator('#hint-content').textContent()).toContain('Escape closes this.');
    await page.keyboard.press('Escape');
    await overlay.waitFor({ state: 'detached' });

    const standIn = page.getByAltText('The quay');
    expect(await standIn.boundingBox()).toMatchObject({ width: 240, height: 160 });
    const shot = await displayedPixels(await standIn.screenshot());
    const colours = new Set<string>();
    for (let at = 0; at < shot.data.length; at += 3) {
      colours.add(Buffer.from(shot.data.slice(at, at + 3)).toString('hex'));
    }
    // The ground and the letters.
    expect([...colours]).toEqual(expect.arrayContaining(['fdecea', '8a1c12']));
    // It is loaded lazily.
    const harbour = 'document.querySelector("img[alt=\'The whole harbour\']")';
    const width = `${harbour}.decode().then(() => ${harbour}.naturalWidth)`;
    expect(await page.evaluate(width)).toBe(400);
    expect(await page.getByRole('link', { name: 'The quay' }).isVisible()).toBe(true);

    await page.reload();
    await page.waitForLoadState('networkidle');
    expect(await overlay.count()).toBe(0);
    expect(await standIn.isVisible()).toBe(true);
    expect(browser.problems()).toEqual([]);
  });
});
