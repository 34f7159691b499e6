/** @module-tag slow */
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ListedAsset } from '../../src/authoring/toolbar/protocol.ts';
import { axeViolationsInBothSchemes } from '../support/site/axe.ts';
import { describeInBrowser, useBrowser } from '../support/site/browser-tests.ts';
import {
  place,
  serveToolbarPage,
  shownAsset,
  type ToolbarPage,
} from '../support/site/toolbar-page.ts';

const crop = { x: 100, y: 100, width: 600, height: 400 };

const assets = (count: number): ListedAsset[] =>
  Array.from({ length: count }, (_, index) => ({
    id: 5000 + index,
    name: index === 7 ? 'Quay at dusk' : `Asset ${index}`,
    kind: 'image',
    size: { width: 1200, height: 800 },
  }));

describeInBrowser('the toolbar app', () => {
  const browser = useBrowser();
  let server: ToolbarPage;

  beforeAll(async () => {
    server = await serveToolbarPage();
  });

  afterEach(() => server.reset());

  afterAll(async () => {
    await server?.close();
  });

  const open = async ({ isOpen = true } = {}) => {
    const page = await browser.open({
      baseURL: server.url,
      viewport: { width: 1200, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto('/');
    await page.waitForFunction('globalThis.toolbar');
    if (isOpen) await page.evaluate('toolbar.toggleState({ state: true })');
    if (isOpen) await page.getByRole('complementary', { name: 'Media assets' }).waitFor();
    return page;
  };

  describe('on the page', () => {
    test('loads its entry alone until it opens', async () => {
      const page = await open({ isOpen: false });
      const scripts = await page.evaluate(
        `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).filter((path) => path.endsWith('.js')).sort()`,
      );
      expect(scripts).toEqual([
        '/authoring/toolbar/app/entry.js',
        '/authoring/toolbar/app/tab-memory.js',
        '/start.js',
      ]);
    });

    test('outlines images with ID, name and problems, at their place', async () => {
      server.images = [shownAsset(), shownAsset({ id: 4712, problems: ['Too small.'] })];
      const page = await open();
      const outlines = page.getByRole('group', { name: 'Images on this page' });
      await expect
        .poll(() => outlines.getByRole('button').allTextContents())
        .toEqual(['4711 Harbor', '!4712 Harbor']);
      const second = outlines.getByRole('button', { name: 'Image 4712, Harbor, Too small.' });
      await page.mouse.wheel(0, 300);
      const places = () =>
        Promise.all([second.boundingBox(), page.locator('main img').nth(1).boundingBox()]);
      // The page may still scroll.
      await expect.poll(async () => isDeepStrictEqual(...(await places()))).toBe(true);
    });

    test('shows the record of an image, with its rights, and the image again after a reload', async () => {
      const record = {
        alt: 'A quay',
        credit: 'Photo: Ada',
        rights: 'allowed until 2026-12-31',
        isForbidden: false,
      };
      const layout = { width: 1200, height: 800, widths: [1200] };
      server.images = [shownAsset({ record, layout })];
      const page = await open();
      await outline(page).click();
      const facts = page.locator('dl').filter({ hasText: 'Alt text' });
      const texts = await facts.locator('dt, dd').allTextContents();
      const pairs = texts.flatMap((text, index) =>
        index % 2 === 0 ? [`${text}: ${texts[index + 1]}`] : [],
      );
      expect(pairs).toEqual(
        expect.arrayContaining([
          'Alt text: The harbor',
          "Record's alt text: A quay",
          'Credit: Photo: Ada',
          'Rights: allowed until 2026-12-31',
          // The browser's layout, not the file.
          'On the page: 600 × 400 px',
        ]),
      );
      // Nothing tints the selected image.
      const tint = `getComputedStyle(${canvas}.querySelector('[aria-pressed=true]')).backgroundColor`;
      expect(await page.evaluate(tint)).toBe('rgba(0, 0, 0, 0)');
      await page.reload();
      await page.getByRole('heading', { name: 'Harbor' }).waitFor();
    });

    test('lists hidden images, and says if there are none', async () => {
      const page = await open();
      await page.evaluate(`document.querySelector('main img').style.display = 'none'`);
      await page.evaluate(`document.querySelector('main').append(document.createElement('p'))`);
      await expect.poll(() => outline(page).isVisible()).toBe(false);
      await page.getByRole('button', { name: /^Harbor 4711/ }).waitFor();
      await page.evaluate(`document.querySelector('main img').remove()`);
      await page.getByText('No media assets on this page').waitFor();
    });
  });

  describe('crop and replace', () => {
    test('saves a crop to the place that it names', async () => {
      server.images = [shownAsset({ props: { crop } })];
      const page = await open();
      await outline(page).click();
      await page.getByText('src/pages/index.astro:12', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Crop', exact: true }).click();
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await page.getByText('Saved to src/pages/index.astro:12').waitFor();
      expect(server.saved).toEqual([{ place, change: { crop: { ...crop, x: 101 } } }]);
    });

    test('shows why a save failed, and saves nothing', async () => {
      server.images = [shownAsset({ props: { crop } })];
      server.saveFailure = { code: 'source-changed', message: 'The file has changed.' };
      const page = await open();
      await outline(page).click();
      await page.getByRole('button', { name: 'Crop', exact: true }).click();
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('The file has changed.').waitFor();
      expect(server.saved).toEqual([]);
      expect(browser.problems()).toEqual([`409 ${server.url}/_media-asset/save.json`]);
    });

    test('asks which place to change if several fit', async () => {
      const other = { ...place, line: 40 };
      server.places = { places: [place, other], isCall: false };
      const page = await open();
      await outline(page).click();
      await page.getByLabel('src/pages/index.astro:40').check();
      await page.getByRole('button', { name: 'Crop', exact: true }).click();
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Shift+ArrowLeft');
      await page.keyboard.press('Enter');
      await expect.poll(() => server.saved.map((save) => save.place.line)).toEqual([40]);
    });

    test('never chooses a number alone, also if its file is named like the page', async () => {
      const number = {
        ...place,
        file: 'src/content/index.md',
        kind: 'yaml',
        number: 4711,
      } as const;
      server.places = { places: [number], isCall: false };
      const page = await open();
      await outline(page).click();
      await page.getByText('These numbers may be the image’s ID, or something else.').waitFor();
      const choice = page.getByRole('radio', { name: 'src/content/index.md:12: 4711' });
      expect(await choice.isChecked()).toBe(false);
    });

    test('asks before it changes a value that only has the same asset', async () => {
      server.places = { places: [place], isCall: false };
      const page = await open();
      await outline(page).click();
      const choice = page.getByRole('radio', { name: 'src/pages/index.astro:12' });
      await choice.waitFor();
      expect(await choice.isChecked()).toBe(false);
      await page.getByRole('button', { name: 'Crop', exact: true }).click();
      await page.getByText('Choose the place to change first.').waitFor();
      await choice.check();
      await page.getByRole('button', { name: 'Crop', exact: true }).click();
      await page.getByRole('dialog').waitFor();
    });

    test("says why it's off if the dev server doesn't answer this browser", async () => {
      server.refusal = { code: 'toolbar-remote', message: 'Another machine.', hint: 'Go there.' };
      const page = await open();
      const notice = page.getByRole('alert').filter({ hasText: 'Another machine.' });
      await notice.getByText('Go there.').waitFor();
      const problems = browser.problems().map((problem) => problem.split(' ')[0]);
      expect(new Set(problems)).toEqual(new Set(['403']));
    });

    test('replaces an image, without its crop', async () => {
      server.images = [shownAsset({ props: { crop } })];
      server.library = assets(20);
      const page = await open();
      await outline(page).click();
      await page.getByRole('button', { name: 'Replace' }).click();
      await page.getByRole('option', { name: /Quay/ }).click();
      const alt = page.getByLabel('Alt text');
      await expect.poll(() => alt.inputValue()).toBe('From the record');
      await alt.fill('New');
      await page.getByRole('button', { name: 'Replace', exact: true }).click();
      await page.getByText('Saved to').waitFor();
      expect(server.saved).toEqual([{ place, change: { id: 5007, alt: 'New', crop: null } }]);
    });

    const replaceWithQuay = async () => {
      const page = await open();
      await outline(page).press('Enter');
      await page.getByRole('button', { name: 'Replace' }).press('Enter');
      // The places of the image are asked for first.
      await page.getByRole('searchbox').waitFor();
      await page.keyboard.type('quay');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Replace with Quay' }).waitFor();
      return page;
    };
    const replace = (page: Page) => page.getByRole('button', { name: 'Replace', exact: true });

    test("a replacement gets the new record's text, never the old image's", async () => {
      server.library = assets(20);
      const page = await replaceWithQuay();
      await page.getByText('Until now: “The harbor”').waitFor();
      await replace(page).press('Enter');
      await page.getByText('Saved to').waitFor();
      expect(server.saved).toEqual([{ place, change: { id: 5007, alt: 'From the record' } }]);
    });

    test('a source without an alt text stays without one, and the record supplies it', async () => {
      server.images = [shownAsset({ given: undefined })];
      server.library = assets(20);
      const page = await replaceWithQuay();
      await replace(page).click();
      await page.getByText('Saved to').waitFor();
      expect(server.saved).toEqual([{ place, change: { id: 5007 } }]);
    });

    test('without a text in the record, asks for one, or for a mark as decoration', async () => {
      server.library = assets(20);
      server.record = undefined;
      const page = await replaceWithQuay();
      await page.keyboard.press('Enter');
      await page.getByText('Write what the image shows, or mark it as decoration.').waitFor();
      await expect.poll(() => page.evaluate(focusedId)).toBe('asset-alt');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      await replace(page).press('Enter');
      await page.getByText('Saved to').waitFor();
      expect(server.saved).toEqual([{ place, change: { id: 5007, alt: '' } }]);
    });

    test('says that the alt text comes from a template, and leaves it', async () => {
      server.places = { places: [{ ...place, isAltFixed: true }], isCall: true };
      server.library = assets(20);
      const page = await replaceWithQuay();
      await page.getByText("The page's template has the alt text “The harbor”.").waitFor();
      await replace(page).press('Enter');
      await page.getByText('Saved to').waitFor();
      expect(server.saved.map(({ change }) => change)).toEqual([{ id: 5007 }]);
    });

    test('places an asset that the site may not show only at the second click', async () => {
      server.library = assets(20).map((asset) => ({ ...asset, isForbidden: asset.id === 5007 }));
      server.record = { alt: 'A quay', rights: 'forbidden: no consent', isForbidden: true };
      const page = await replaceWithQuay();
      await replace(page).click();
      const alert = page.getByRole('alert').filter({ hasText: 'forbidden: no consent' });
      await alert.getByText('Choose another one, or click again').waitFor();
      expect(server.saved).toEqual([]);
      await replace(page).click();
      await page.getByText('Saved to').waitFor();
      expect(server.saved.map(({ change }) => change)).toEqual([{ id: 5007, alt: 'A quay' }]);
    });
  });

  describe('the library', () => {
    const openLibrary = async (options = {}) => {
      const page = await open(options);
      await page.getByRole('tab', { name: 'Library' }).click();
      return page;
    };

    test('loads more of 10,000 assets at the end', async () => {
      server.library = assets(10_000);
      const page = await openLibrary();
      const list = page.getByRole('listbox', { name: 'Assets' });
      const options = list.getByRole('option');
      await options.first().focus();
      // Each End goes to the end of what's loaded.
      await expect
        .poll(async () => {
          await page.keyboard.press('End');
          return options.count();
        })
        .toBeGreaterThanOrEqual(300);
      expect(await list.getByRole('option', { selected: true }).textContent()).toMatch('99');
      await page.keyboard.press('Home');
      expect(await list.getByRole('option', { selected: true }).textContent()).toMatch('Asset 0');
    });

    test('crops the first result at Enter, and copies it with the crop and the alt', async () => {
      server.library = assets(20);
      const page = await openLibrary();
      await page.keyboard.type('quay');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Shift+ArrowLeft');
      await page.keyboard.press('Enter');
      await page.getByLabel('Alt text').fill('The "quay"');
      await page.getByRole('button', { name: 'Copy for Astro' }).click();
      await page.getByText('Copied for Astro.').waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
        '<MediaAsset id={5007} crop={{ x: 0, y: 0, width: 1199, height: 800 }} alt="The &quot;quay&quot;" />',
      );
    });

    const copy = async (page: Page, syntax: string) => {
      const read = () => page.evaluate('navigator.clipboard.readText()');
      await page.evaluate("navigator.clipboard.writeText('')");
      await page.getByRole('button', { name: `Copy for ${syntax}` }).press('Enter');
      // The number of found assets can be announced after it.
      await expect.poll(read).not.toBe('');
      return read();
    };
    const openQuay = async () => {
      server.library = assets(20);
      const page = await openLibrary();
      await page.keyboard.type('quay');
      await page.getByRole('option', { name: /Quay/ }).click();
      await page.getByRole('heading', { name: 'Quay at dusk' }).waitFor();
      return page;
    };

    test('copies no alt text if the record\'s is right, and `alt=""` only for decoration', async () => {
      const page = await openQuay();
      await expect.poll(() => page.getByLabel('Alt text').inputValue()).toBe('From the record');
      expect(await copy(page, 'Astro')).toBe('<MediaAsset id={5007} />');
      expect(await copy(page, 'Markdown')).toBe('![](media:5007)');
      expect(await copy(page, 'Frontmatter')).toBe('hero:\n  id: 5007');
      await page.getByLabel('Mark as decoration').press('Space');
      expect(await copy(page, 'Astro')).toBe('<MediaAsset id={5007} alt="" />');
      expect(await copy(page, 'Markdown')).toBe('![](media:5007?decoration)');
      expect(await copy(page, 'Frontmatter')).toBe('hero:\n  id: 5007\n  alt: ""');
    });

    test('without a text in the record, copies nothing until there is one', async () => {
      server.record = undefined;
      const page = await openQuay();
      await page.getByRole('button', { name: 'Copy for Astro' }).click();
      await page.getByText('Write what the image shows, or mark it as decoration.').waitFor();
      await page.keyboard.type('A quay');
      expect(await copy(page, 'Markdown')).toBe('![A quay](media:5007)');
    });

    test('marks assets that the site may not show, and copies them only at the second click', async () => {
      server.record = { alt: 'A quay', rights: 'forbidden: no consent', isForbidden: true };
      server.library = assets(20).map((asset) => ({ ...asset, isForbidden: asset.id === 5007 }));
      const page = await openLibrary();
      await page.getByRole('option', { name: /Forbidden/ }).click();
      await page.getByRole('heading', { name: 'Quay at dusk' }).waitFor();
      await page.getByRole('button', { name: 'Copy for Astro' }).click();
      await page.getByText('The site may not show this asset (forbidden: no consent).').waitFor();
      expect(await copy(page, 'Astro')).toBe('<MediaAsset id={5007} />');
    });

    test('asks for texts in the language of the page', async () => {
      server.images = [shownAsset({ locale: 'de' })];
      const asked: string[] = [];
      server.library = assets(20);
      const page = await open();
      page.on('request', (request) =>
        asked.push(new URL(request.url()).searchParams.get('locale') ?? ''),
      );
      await page.getByRole('tab', { name: 'Library' }).click();
      await page.getByRole('option', { name: /Quay/ }).click();
      await page.getByText('About').waitFor();
      expect(asked.filter(Boolean)).toEqual(['de', 'de']);
    });

    test('says that nothing matches, and goes back level by level at Escape', async () => {
      server.library = assets(20);
      const page = await openLibrary();
      await page.keyboard.type('nothing');
      await page.getByText('No asset matches “nothing”.').waitFor();
      await page.getByLabel('Search assets').fill('');
      const folder = page.getByLabel('Folder');
      await folder.selectOption('1');
      await page.getByLabel('Search assets').fill('quay');
      await page.getByText(/ results? in all folders$/).waitFor();
      expect(await folder.isDisabled()).toBe(true);
      await page.getByRole('option', { name: /Quay/ }).click();
      await page.getByRole('heading', { name: 'Quay at dusk' }).waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => page.evaluate(focusedText)).toMatch('Quay at dusk');
      await page.keyboard.press('Escape');
      expect(await page.evaluate('toolbar.state')).toBe(false);
    });

    test('shows an error with its code and hint, and tries again', async () => {
      const failure = { code: 'service-down', message: 'No answer.', hint: 'Wait a moment.' };
      server.failure = failure;
      const page = await openLibrary();
      const alert = page.getByRole('alert');
      await alert.waitFor();
      expect(await alert.textContent()).toBe('No answer.Wait a moment.service-downRetry');
      server.failure = undefined;
      server.library = assets(3);
      await page.getByRole('button', { name: 'Retry' }).click();
      await page.getByText('3 results').waitFor();
      const [problem] = browser.problems();
      expect(problem).toMatch(/^502 .*assets\.json/);
    });
  });

  describe('has no accessibility violations, light and dark', () => {
    const openWithAll = () => {
      server.images = [shownAsset({ props: { crop }, problems: ['Too small.'] })];
      server.library = assets(20);
      return open();
    };
    const check = async (page: Page, state: string) =>
      expect(await axeViolationsInBothSchemes(page, 'media-canvas'), state).toEqual([]);

    test('from the page to a replacement', async () => {
      const page = await openWithAll();
      await check(page, 'the page');
      await outline(page).click();
      await page.getByRole('heading', { name: 'Harbor' }).waitFor();
      await page.getByText('About').waitFor();
      await check(page, 'an image');
      await page.getByRole('button', { name: 'Replace' }).click();
      await page.getByRole('option', { name: /Quay/ }).click();
      await page.getByLabel('Alt text').waitFor();
      await check(page, 'a replacement');
    });

    test('from the library to an asset', async () => {
      const page = await openWithAll();
      await page.getByRole('tab', { name: 'Library' }).click();
      const quay = page.getByRole('option', { name: /Quay/ });
      await quay.waitFor();
      await check(page, 'the library');
      await page.keyboard.type('nothing');
      await page.getByText('No asset matches').waitFor();
      await check(page, 'no result');
      await page.getByLabel('Search assets').fill('quay');
      await quay.click();
      await page.getByRole('heading', { name: /Quay/ }).waitFor();
      await check(page, 'an asset');
    });

    test('in a library without assets', async () => {
      const page = await openWithAll();
      server.library = [];
      await page.getByRole('tab', { name: 'Library' }).click();
      await page.getByText('There are no assets').waitFor();
      await check(page, 'an empty library');
      server.failure = { code: 'service-down', message: 'No answer.', hint: 'Wait a moment.' };
      await page.getByLabel('Folder').selectOption('1');
      await page.getByText('No answer.').waitFor();
      expect(browser.problems()).toHaveLength(1);
      await check(page, 'a failure');
      await page.route('**/assets.json*', () => {});
      await page.getByLabel('Folder').selectOption('2');
      await page.getByText('Loading…').waitFor();
      await check(page, 'a library that is loading');
    });

    test('with several places, and with none', async () => {
      const page = await openWithAll();
      server.places = { places: [place, { ...place, line: 20 }], isCall: false };
      await outline(page).click();
      await page.getByText('Several places fit').waitFor();
      await check(page, 'an image with several places');
      const notice = { code: 'source-computed', message: 'It is computed.', hint: 'Copy.' };
      server.places = { places: [], isCall: false, notice };
      await outline(page).click();
      await page.getByText('It is computed.').waitFor();
      await check(page, 'an image that the page computes');
    });
  });
});

const focusedText = `(() => {
  const { shadowRoot } = document.querySelector('media-canvas');
  return shadowRoot.activeElement?.textContent ?? '';
})()`;

const canvas = "document.querySelector('media-canvas').shadowRoot";
const focusedId = `${canvas}.activeElement?.id`;

function outline(page: Page) {
  return page.getByRole('group', { name: 'Images on this page' }).getByRole('button').first();
}
