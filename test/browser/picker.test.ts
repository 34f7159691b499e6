/** @module-tag slow */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { PickedAsset } from '../../src/authoring/picker/picked-asset.ts';
import type { ListedAsset } from '../../src/authoring/toolbar/protocol.ts';
import { axeViolationsInBothSchemes } from '../support/browser/axe.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser-tests.ts';
import { assets, serveToolbarPage, type ToolbarPage } from '../support/browser/toolbar-page.ts';

const crop = { x: 100, y: 100, width: 600, height: 400 };

describeInBrowser('the picker', () => {
  const browser = useBrowser();
  let server: ToolbarPage;

  beforeAll(async () => {
    server = await serveToolbarPage();
  });
  afterEach(() => server.reset());
  afterAll(() => server?.close());

  const open = async (value?: object, width = 1000) => {
    const page = await browser.open({ baseURL: server.url, viewport: { width, height: 800 } });
    await page.goto('/picker');
    await page.waitForFunction("customElements.get('media-asset-field')");
    await page.evaluate(`{
      globalThis.changes = [];
      globalThis.keys = [];
      const field = document.querySelector('media-asset-field');
      document.addEventListener('change', ({ detail }) => changes.push(detail ?? null));
      for (const type of ['keydown', 'keyup', 'input', 'paste'])
        document.addEventListener(type, ({ key }) => keys.push(key ?? type));
      field.value = ${JSON.stringify(value)};
    }`);
    return page;
  };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const hero = (page: Page) => page.getByRole('group', { name: 'Hero' });
  const dialog = (page: Page) => page.getByRole('dialog');
  /** It's hidden first. The field changes when the browser says that it's closed. */
  const closed = (page: Page) => page.locator('dialog').waitFor({ state: 'detached' });
  const asset = (page: Page, at: number) => page.locator('.asset').nth(at);
  const changes = (page: Page) => page.evaluate<(PickedAsset | null)[]>('changes');
  const keys = (page: Page) => page.evaluate<string[]>('keys');
  const focused = (page: Page) =>
    page.evaluate(
      "document.querySelector('media-asset-field').shadowRoot.activeElement?.textContent",
    );
  const accessible = async (page: Page) =>
    expect(await axeViolationsInBothSchemes(page, 'body')).toEqual([]);
  const use = (page: Page) => button(page, 'Use this image').click();

  test('leads by keyboard alone from the field to a saved crop, and no key reaches the CMS', async () => {
    const page = await open();
    await button(page, 'Choose').focus();
    await page.evaluate('keys.length = 0');
    await page.keyboard.press('Enter');
    await page.getByText('20 results').waitFor();
    // What has opened the dialog belongs to the field.
    await page.evaluate('keys.length = 0');
    await page.keyboard.type('quay');
    await page.getByText('1 result', { exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Quay at dusk' }).waitFor();
    await expect.poll(() => page.getByLabel('Alt text').inputValue()).toBe('From the record');
    await page.keyboard.type('The quay');
    for (const name of ['Mark as decoration', 'Use this image', 'Crop']) {
      await page.keyboard.press('Tab');
      if (name !== 'Mark as decoration') expect(await focused(page)).toBe(name);
    }
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Crop' }).waitFor();
    await page.getByRole('application').press('Control+z');
    // From the right, by ten pixels.
    await page.keyboard.press('Alt+Shift+ArrowLeft');
    await page.keyboard.press('Enter');
    await page.getByText('The crop is set.').waitFor();
    expect(await focused(page)).toBe('Crop');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await closed(page);
    expect(await changes(page)).toEqual([
      { id: 5007, alt: 'The quay', crop: expect.objectContaining({ x: 0, y: 0 }) },
    ]);
    expect(await focused(page)).toBe('Change');
    // The key that has closed the dialog comes up in the field.
    expect((await keys(page)).filter((key) => key !== 'Enter')).toEqual([]);
  });

  test('shows what is cropped in the dialog, before it is used', async () => {
    const page = await open();
    await button(page, 'Choose').click();
    await asset(page, 7).click();
    await button(page, 'Crop').last().click();
    await page.getByLabel('Width').fill('400');
    await page.keyboard.press('Tab');
    await button(page, 'Use this crop').click();
    await expect
      .poll(() =>
        page
          .locator('.preview')
          .evaluate((one: { naturalWidth: number; naturalHeight: number }) =>
            Number((one.naturalWidth / one.naturalHeight).toFixed(2)),
          ),
      )
      .toBe(0.5);
    await button(page, 'Close').click();
    await closed(page);
    expect(await changes(page)).toEqual([]);
  });

  test('shows a value with its crop, name and text, and changes the crop alone', async () => {
    const page = await open({ id: 5007, crop, preset: 'card' });
    await hero(page).getByText('Quay at dusk').waitFor();
    await hero(page).getByText('Alt text of the record').waitFor();
    const shape = () =>
      hero(page)
        .locator('img')
        .evaluate((one: { naturalWidth: number; naturalHeight: number }) =>
          Number((one.naturalWidth / one.naturalHeight).toFixed(2)),
        );
    await expect.poll(shape).toBe(1.5);
    await button(page, 'Crop').click();
    await page.getByLabel('Width').fill('400');
    await page.keyboard.press('Tab');
    await button(page, 'Use this crop').click();
    await expect.poll(shape).toBe(1);
    const changed = { ...crop, width: 400 };
    expect(await changes(page)).toEqual([{ id: 5007, crop: changed, preset: 'card' }]);
    expect(await focused(page)).toBe('Crop');
  });

  test('Escape closes the topmost dialog alone, and changes nothing', async () => {
    const page = await open({ id: 5007, alt: 'The quay' });
    await button(page, 'Change').click();
    await button(page, 'Crop').last().click();
    await page.getByRole('dialog', { name: 'Crop' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog(page).count()).toBe(1);
    await expect.poll(() => focused(page)).toBe('Crop');
    await page.keyboard.press('Escape');
    await closed(page);
    expect(await focused(page)).toBe('Change');
    expect(await changes(page)).toEqual([]);
    expect((await keys(page)).filter((key) => key !== 'Escape')).toEqual([]);
  });

  test('another asset has neither the old crops nor the old text', async () => {
    const page = await open({
      id: 5007,
      alt: 'The quay',
      crop,
      focus: 'attention',
      preset: 'card',
      sources: [{ media: 'print', aspect: '1:1', crop }],
    });
    await button(page, 'Change').click();
    await expect.poll(() => page.getByLabel('Alt text').inputValue()).toBe('The quay');
    await button(page, 'All images').click();
    await asset(page, 2).click();
    await expect.poll(() => page.getByLabel('Alt text').inputValue()).toBe('From the record');
    await use(page);
    await expect
      .poll(() => changes(page))
      .toEqual([{ id: 5002, preset: 'card', sources: [{ media: 'print', aspect: '1:1' }] }]);
  });

  test.each([
    ['decoration', '', 'Decoration'],
    ['a text', 'Ships', 'Ships'],
  ])('saves %s', async (_, alt, shown) => {
    const page = await open({ id: 5007 });
    await button(page, 'Change').click();
    await expect.poll(() => page.getByLabel('Alt text').inputValue()).toBe('From the record');
    if (alt) await page.getByLabel('Alt text').fill(alt);
    else await page.getByLabel('Mark as decoration').check();
    await use(page);
    await expect.poll(() => changes(page)).toEqual([{ id: 5007, alt }]);
    await hero(page).getByText(shown).waitFor();
  });

  test('keeps what is typed while the record loads', async () => {
    const page = await open();
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/asset.json?*', async (route) => {
      await promise;
      await route.continue();
    });
    await button(page, 'Choose').click();
    await asset(page, 7).click();
    await page.keyboard.type('The ');
    resolve();
    await page.locator('dd').first().waitFor();
    await page.keyboard.type('quay');
    expect(await page.getByLabel('Alt text').inputValue()).toBe('The quay');
  });

  test('asks for a text if the record has none', async () => {
    server.record = { rights: 'allowed', isForbidden: false };
    const page = await open({ id: 5007 });
    await button(page, 'Change').click();
    await use(page);
    await page.getByText('Write what the image shows').waitFor();
    await accessible(page);
    expect(await changes(page)).toEqual([]);
  });

  test('a value that stays the same is no change', async () => {
    const page = await open({ id: 5007, crop });
    await button(page, 'Change').click();
    await expect.poll(() => page.getByLabel('Alt text').inputValue()).toBe('From the record');
    await use(page);
    await closed(page);
    expect(await changes(page)).toEqual([]);
  });

  test('removes the value, and says so to the CMS', async () => {
    const page = await open({ id: 5007 });
    await button(page, 'Remove').click();
    expect(await changes(page)).toEqual([null]);
    expect(await focused(page)).toBe('Choose');
    await hero(page).getByText('No image').waitFor();
    await accessible(page);
  });

  test('marks forbidden and ending assets in words, and takes a forbidden one at the second click', async () => {
    const [one, two] = assets(2) as [ListedAsset, ListedAsset];
    server.library = [
      { ...one, rights: 'forbidden', why: 'forbidden: consent is missing' },
      { ...two, rights: 'ending', why: 'allowed until 2026-12-31' },
    ];
    const rights = 'forbidden: consent is missing';
    server.record = { alt: 'From the record', rights, isForbidden: true };
    const page = await open();
    await button(page, 'Choose').click();
    await page.getByText('Allowed until 2026-12-31').waitFor();
    await accessible(page);
    await asset(page, 0).click();
    await use(page);
    await page.getByText('click again to place it anyway').waitFor();
    await accessible(page);
    expect(await changes(page)).toEqual([]);
    await use(page);
    await expect.poll(() => changes(page)).toEqual([{ id: 5000 }]);
    await hero(page).getByText(`The site may not show this asset (${rights}).`).waitFor();
  });

  test('takes an asset of which nothing is known at the second click too', async () => {
    const page = await open();
    await page.route('**/asset.json?*', (route) => route.abort('aborted'));
    await button(page, 'Choose').click();
    await asset(page, 0).click();
    await page.getByLabel('Alt text').fill('The quay');
    await use(page);
    await page.getByText("The site may not show this asset (its rights aren't known).").waitFor();
    expect(await changes(page)).toEqual([]);
    await use(page);
    await expect.poll(() => changes(page)).toEqual([{ id: 5000, alt: 'The quay' }]);
  });

  test.each([
    ['unknown', "It isn't known whether the site may show this asset."],
    ['allowed until 2026-12-31', 'Allowed until 2026-12-31'],
  ])('says in the field that rights are %s', async (rights, words) => {
    server.record = { alt: 'From the record', rights, isForbidden: false };
    const page = await open({ id: 5000 });
    await hero(page).getByText(words).waitFor();
  });

  test('lists images alone, in the language of the entry', async () => {
    const asked: (string | null)[] = [];
    const { find } = server;
    server.find = (query, library) => {
      asked.push(query.get('kind'), query.get('locale'));
      return find(query, library);
    };
    const page = await open();
    await button(page, 'Choose').click();
    await page.getByText('20 results').waitFor();
    expect(asked.slice(0, 2)).toEqual(['image', 'de']);
    expect(await button(page, 'Sign out').isVisible()).toBe(false);
  });

  test.each([1000, 390])('is accessible and fits at %i px', async (width) => {
    const page = await open({ id: 5007, crop }, width);
    const fits = async () =>
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
        width,
      );
    await hero(page).getByText('Quay at dusk').waitFor();
    await accessible(page);
    await fits();
    await button(page, 'Change').click();
    await expect.poll(() => page.getByLabel('Alt text').inputValue()).toBe('From the record');
    await accessible(page);
    await button(page, 'All images').click();
    await page.getByText('20 results').waitFor();
    await accessible(page);
    await fits();
    await page.getByLabel('Search assets').fill('nothing');
    await page.getByText('No asset matches “nothing”.').waitFor();
    await accessible(page);
  });

  test('says that the library is empty', async () => {
    server.library = [];
    const page = await open();
    await button(page, 'Choose').click();
    await page.getByText('There are no assets here.').waitFor();
    await accessible(page);
  });

  test('says in words that the dev server is gone, and goes on once it is back', async () => {
    const page = await open({ id: 5007 });
    await hero(page).getByText('Quay at dusk').waitFor();
    await page.context().setOffline(true);
    await page.evaluate("document.querySelector('media-asset-field').value = { id: 5003 }");
    const said = hero(page).getByText("The media library doesn't answer.");
    await said.waitFor();
    await said.evaluate((one: { textContent: string }) => {
      one.textContent = '';
    });
    await button(page, 'Crop').click();
    await said.waitFor();
    await button(page, 'Change').click();
    await page.getByRole('alert').getByText("The media library doesn't answer.").waitFor();
    await accessible(page);
    await button(page, 'All images').click();
    await page.getByRole('alert').getByText("The media library doesn't answer.").waitFor();
    await page.context().setOffline(false);
    await button(page, 'Retry').click();
    await asset(page, 7).click();
    await expect.poll(() => page.getByLabel('Alt text').inputValue()).toBe('From the record');
    await use(page);
    await expect.poll(() => changes(page)).toEqual([{ id: 5007 }]);
    expect(browser.problems().every((problem) => problem.includes('INTERNET_DISCONNECTED'))).toBe(
      true,
    );
  });

  test('is readonly, required, or named by its attributes', async () => {
    const page = await open({ id: 5007 });
    const set = (name: string) =>
      page.evaluate(`document.querySelector('media-asset-field').setAttribute('${name}', '')`);
    await set('required');
    expect(await button(page, 'Remove').count()).toBe(0);
    await page.evaluate("document.querySelector('media-asset-field').value = null");
    await hero(page).getByText('No image (required)').waitFor();
    await set('readonly');
    expect(await button(page, 'Choose').isDisabled()).toBe(true);
    await accessible(page);
  });

  test('takes a value that was set before it was defined, also if the module loads twice', async () => {
    const page = await open();
    const value = await page.evaluate(`(async () => {
      const frame = document.body.appendChild(document.createElement('iframe'));
      const document_ = frame.contentDocument;
      const field = document_.body.appendChild(document_.createElement('media-asset-field'));
      field.value = { toJS: () => ({ id: '5007' }) };
      for (const query of ['1', '2']) {
        const script = document_.createElement('script');
        Object.assign(script, { type: 'module', src: '/authoring/picker/media-asset-field.js?' + query });
        const loaded = new Promise((done, fail) => Object.assign(script, { onload: done, onerror: fail }));
        document_.body.append(script);
        await loaded;
      }
      return [field.value, Object.hasOwn(field, 'value')];
    })()`);
    expect(value).toEqual([{ id: 5007 }, false]);
  });
});
