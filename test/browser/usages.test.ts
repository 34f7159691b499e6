/** @module-tag slow */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, openBrowser, type TestBrowser } from '../support/site/browser.ts';
import { openSiteWithService, type SiteWithService } from '../support/site/site-with-service.ts';

const chromium = findChromium();

describe.skipIf(chromium === undefined)("usages of a site's builds in a browser", () => {
  let setup: SiteWithService;
  let browser: TestBrowser;

  beforeAll(async () => {
    setup = await openSiteWithService('main-job');
    browser = await openBrowser(chromium ?? '');
  });

  afterAll(async () => {
    await browser?.close();
    await setup?.close();
  });

  test('appear while the asset is open, and disappear with their page', async () => {
    const page = await browser.open({ baseURL: setup.emulator.url });
    await page.goto('/asset/4712');
    await page.getByText('Not in use.').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();

    const first = await setup.build();
    expect(first.output).toContain('5 reported, 0 removed');
    await page.getByText('On 2 pages of 1 site').first().waitFor();
    const site = page.getByRole('heading', { level: 3, name: 'harbour.example' });
    expect(await site.count()).toBe(1);
    const links = page.locator('main li').getByRole('link');
    const listed = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(listed.filter((address) => address?.startsWith('http'))).toEqual([
      'https://harbour.example/',
      'https://harbour.example/quay/',
    ]);

    await setup.site.remove('src/pages/quay.astro');
    await setup.build();
    await page.getByRole('link', { name: 'The quay' }).waitFor({ state: 'detached' });
    await page.getByText('On 1 page of 1 site').first().waitFor();
    expect(browser.problems()).toEqual([]);
  });
});
