/** @module-tag slow */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { displayedPixels } from '../support/images/test-images.ts';
import { findChromium, openBrowser, type TestBrowser } from '../support/site/browser.ts';
import { type DevServer, startDevServer } from '../support/site/dev-server.ts';
import { openSiteWithService, type SiteWithService } from '../support/site/site-with-service.ts';

const chromium = findChromium();

describe.skipIf(chromium === undefined)('the dev server in a browser', () => {
  let setup: SiteWithService;
  let server: DevServer;
  let browser: TestBrowser;

  beforeAll(async () => {
    setup = await openSiteWithService('main-job');
    await setup.deleteAsset('quay.png');
    server = await startDevServer(setup);
    browser = await openBrowser(chromium ?? '');
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await setup?.close();
  });

  test('shows a labelled placeholder for a missing asset, and the rest of the page', async () => {
    const page = await browser.open({ baseURL: server.url });
    await page.goto('/');
    const placeholder = page.getByAltText('The quay');
    expect(await placeholder.boundingBox()).toMatchObject({ width: 240, height: 160 });
    const shot = await displayedPixels(await placeholder.screenshot());
    const colours = new Set<string>();
    for (let at = 0; at < shot.data.length; at += 3) {
      colours.add(Buffer.from(shot.data.slice(at, at + 3)).toString('hex'));
    }
    // The background and the letters.
    expect([...colours]).toEqual(expect.arrayContaining(['fdecea', '8a1c12']));
    // The image is lazy.
    const harbour = 'document.querySelector("img[alt=\'The whole harbour\']")';
    const width = `${harbour}.decode().then(() => ${harbour}.naturalWidth)`;
    expect(await page.evaluate(width)).toBe(400);
    expect(await page.getByRole('link', { name: 'The quay' }).isVisible()).toBe(true);
    expect(await page.locator('vite-error-overlay').count()).toBe(0);
    expect(browser.problems()).toEqual([]);
  });
});
