/** @module-tag slow */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { AssetsAnswer, ListedAsset } from '../../src/authoring/toolbar/protocol.ts';
import { axeViolationsInBothSchemes } from '../support/browser/axe.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser-tests.ts';
import {
  assets,
  list,
  serveToolbarPage,
  type ToolbarPage,
} from '../support/browser/toolbar-page.ts';

describeInBrowser("the toolbar's library", () => {
  const browser = useBrowser();
  let server: ToolbarPage;

  beforeAll(async () => {
    server = await serveToolbarPage();
  });
  afterEach(() => server.reset());
  afterAll(() => server?.close());

  const openLibrary = async () => {
    const page = await browser.open({
      baseURL: server.url,
      viewport: { width: 1200, height: 800 },
    });
    await page.goto('/');
    await page.waitForFunction('globalThis.toolbar');
    await page.evaluate('toolbar.toggleState({ state: true })');
    await page.getByRole('tab', { name: 'Library' }).click();
    return page;
  };
  const grid = (page: Page) => page.getByRole('listbox', { name: 'Assets' });
  const names = (page: Page) => grid(page).getByRole('option').locator('.name').allTextContents();
  const busy = (page: Page) => page.locator('.library').getAttribute('aria-busy');
  const accessible = async (page: Page) =>
    expect(await axeViolationsInBothSchemes(page, 'media-canvas')).toEqual([]);
  const focused = (page: Page) =>
    page.evaluate("document.querySelector('media-canvas').shadowRoot.activeElement?.dataset.id");

  const answerOf = (
    found: readonly ListedAsset[],
    rest: Partial<AssetsAnswer> = {},
  ): AssetsAnswer => ({
    ...{ assets: found, total: found.length, undecided: 0, isReading: false },
    ...rest,
  });

  test("a search shows that it's busy, and earlier results and late answers never pose as its own", async () => {
    const late = Promise.withResolvers<void>();
    const slow = Promise.withResolvers<void>();
    server.find = async (query, library) => {
      const text = query.get('search');
      await (text === 'a' ? late.promise : text === 'quay' ? slow.promise : undefined);
      return list(library, query);
    };
    const page = await openLibrary();
    await page.getByText('20 results').waitFor();
    const asked = (text: string) =>
      page.waitForRequest((request) => request.url().includes(`search=${text}`));
    const first = asked('a');
    await page.getByLabel('Search assets').fill('a');
    await first;
    const second = asked('quay');
    await page.getByLabel('Search assets').fill('quay');
    await second;
    await page.getByText('Searching…').waitFor();
    expect(await busy(page)).toBe('true');
    await expect.poll(() => grid(page).getByRole('option').count()).toBe(0);
    await accessible(page);
    late.resolve();
    slow.resolve();
    await page.getByText('1 result', { exact: true }).waitFor();
    expect(await names(page)).toEqual(['Quay at dusk']);
    expect(await busy(page)).toBe('false');
  });

  test('results that arrive while the author is elsewhere take no message away', async () => {
    const slow = Promise.withResolvers<void>();
    server.find = async (query, library) => {
      await slow.promise;
      return list(library, query);
    };
    const page = await openLibrary();
    await page.getByText('Loading…').waitFor();
    await page.getByRole('tab', { name: 'Page' }).click();
    await page.getByRole('textbox', { name: 'Alt text of Harbor' }).fill('The port');
    await page.keyboard.press('Enter');
    await page.getByText('Saved to src/pages/index.astro:12').waitFor();
    const answered = page.waitForResponse((response) => response.url().includes('assets.json'));
    slow.resolve();
    await answered;
    // The app has the answer by then.
    await page.evaluate('new Promise((done) => requestIdleCallback(done))');
    expect(await page.getByText('Saved to src/pages/index.astro:12').count()).toBe(1);
    await page.getByRole('tab', { name: 'Library' }).click();
    await page.getByText('20 results').waitFor();
  });

  test('more assets come while the author looks, who stays at the focused one', async () => {
    const more = Promise.withResolvers<void>();
    const all = assets(20);
    server.find = async (query) => {
      if (query.get('again') === 'false') return answerOf(all.slice(5, 8), { isReading: true });
      await more.promise;
      return answerOf(all);
    };
    const page = await openLibrary();
    await page.getByText('3 results until now').waitFor();
    await page.getByText('More are being read…').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toBe('5006');
    more.resolve();
    await page.getByText('20 results', { exact: true }).waitFor();
    expect(await names(page)).toEqual(all.map(({ name }) => name));
    expect(await focused(page)).toBe('5006');
  });

  test('says which folder failed next to the assets of the others, and reads it again', async () => {
    const failure = { code: 'service-failed', message: 'Boats couldn’t be read.', hint: 'Wait.' };
    server.find = async () => answerOf(assets(3), { failure });
    const page = await openLibrary();
    await page.getByRole('alert').getByText('Boats couldn’t be read.').waitFor();
    expect(await names(page)).toHaveLength(3);
    await accessible(page);
    server.find = async () => answerOf(assets(5));
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('5 results').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('looks further for a filter, and says what it can’t know', async () => {
    const asked: (string | null)[][] = [];
    server.find = async (query) => {
      asked.push(['only', 'limit', 'sort', 'kind'].map((name) => query.get(name)));
      const found = query.get('only') ? assets(1) : assets(20);
      return answerOf(found, {
        undecided: query.get('only') ? (query.get('limit') === '50' ? 8 : 3) : 0,
      });
    };
    const page = await openLibrary();
    await page.getByLabel('Kind').selectOption('Image');
    await page.getByLabel('Sort').selectOption('By name');
    await page.getByLabel('Filter').selectOption('Forbidden');
    await page.getByText('Whether the filter fits 3 more assets isn’t known.').waitFor();
    await accessible(page);
    expect(asked.slice(-2)).toEqual([
      ['forbidden', '50', 'name', 'image'],
      ['forbidden', '400', 'name', 'image'],
    ]);
  });

  test('shows assets that are used nowhere, and offers only filters that the site can decide', async () => {
    server.find = async (query) =>
      answerOf(query.get('only') === 'unused' ? assets(2) : assets(20));
    const page = await openLibrary();
    await page.getByLabel('Filter').selectOption('Used nowhere');
    await page.getByText('2 results').waitFor();
    server.judges = { rights: false, alt: false, usages: true };
    const filters = (await openLibrary()).getByLabel('Filter').locator('option');
    await expect.poll(() => filters.allTextContents()).toEqual(['No filter', 'Used nowhere']);
  });

  test('has a badge in words for what an author should know', async () => {
    const [one, two, three] = assets(3) as [ListedAsset, ListedAsset, ListedAsset];
    server.library = [
      { ...one, rights: 'forbidden', why: 'forbidden: consent is missing', hasAlt: false },
      { ...two, rights: 'ending', why: 'allowed until 2026-12-31' },
      { ...three, rights: 'allowed', hasAlt: true },
    ];
    const page = await openLibrary();
    const badges = async () => {
      const cells = await grid(page).getByRole('option').all();
      return Promise.all(cells.map((cell) => cell.locator('.badges > *').allTextContents()));
    };
    await expect
      .poll(badges)
      .toEqual([
        ['Forbidden: consent is missing', 'No alt text'],
        ['Allowed until 2026-12-31'],
        [],
      ]);
    await accessible(page);
  });

  test('it stays open after a reload, with folder, search, filters, scroll and selection', async () => {
    server.library = assets(400);
    const page = await openLibrary();
    await page.getByLabel('Folder').selectOption('2');
    await page.getByLabel('Kind').selectOption('Image');
    await page.getByLabel('Search assets').fill('Asset');
    await page.getByText('399 results').waitFor();
    const cells = grid(page).getByRole('option');
    await cells.nth(30).focus();
    const top = () => page.locator('.scroller').evaluate((one) => one.scrollTop);
    const before = await top();
    expect(before).toBeGreaterThan(0);
    await page.reload();
    await expect.poll(top).toBe(before);
    expect(await page.getByLabel('Search assets').inputValue()).toBe('Asset');
    expect(await page.getByLabel('Folder').inputValue()).toBe('2');
    expect(await page.getByLabel('Kind').inputValue()).toBe('image');
    expect(await cells.nth(30).getAttribute('aria-selected')).toBe('true');
    // And after a look at an asset.
    await cells.nth(30).click();
    await page.getByRole('button', { name: 'Back' }).click();
    await expect.poll(top).toBe(before);
    expect(await focused(page)).toBe(await cells.nth(30).getAttribute('data-id'));
    // An author who opens the app again begins with the page.
    await page.getByRole('button', { name: 'Close media assets' }).click();
    await page.evaluate('toolbar.toggleState({ state: true })');
    await page.getByRole('textbox', { name: 'Alt text of Harbor' }).waitFor();
  });
});
