/** @module-tag slow */
import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { AssetChange, SourcePlace } from '../../src/authoring/toolbar/protocol.ts';
import { axeViolationsInBothSchemes } from '../support/browser/axe.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser-tests.ts';
import {
  assets,
  place,
  serveToolbarPage,
  shownAsset,
  type ToolbarPage,
} from '../support/browser/toolbar-page.ts';

const crop = { x: 100, y: 100, width: 600, height: 400 };
const failure = { code: 'service-down', message: 'No answer.', hint: 'Wait a moment.' };

describeInBrowser('the toolbar app', () => {
  const browser = useBrowser();
  let server: ToolbarPage;

  beforeAll(async () => {
    server = await serveToolbarPage();
  });

  afterEach(() => server.reset());

  afterAll(() => server?.close());

  const open = async ({ isOpen = true, touch = false } = {}) => {
    const page = await browser.open({
      baseURL: server.url,
      viewport: touch ? { width: 390, height: 780 } : { width: 1200, height: 800 },
      hasTouch: touch,
      isMobile: touch,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto('/');
    await page.waitForFunction('globalThis.toolbar');
    if (isOpen) await page.evaluate('toolbar.toggleState({ state: true })');
    if (isOpen) await page.getByRole('complementary', { name: 'Media assets' }).waitFor();
    return page;
  };

  /** Light and dark. */
  const expectAccessible = async (page: Page) =>
    expect(await axeViolationsInBothSchemes(page, 'media-canvas')).toEqual([]);

  /** Opens the app with the first image of the page. */
  const openImage = async () => {
    const page = await open();
    await outline(page).click();
    return page;
  };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const openCrop = async (page: Page) => {
    await button(page, 'Crop').click();
    await page.getByRole('dialog').waitFor();
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

    test('opens although the page reloads before the app has loaded', async () => {
      const page = await open({ isOpen: false });
      await page.evaluate('toolbar.toggleState({ state: true }); location.reload()');
      await page.getByRole('complementary', { name: 'Media assets' }).waitFor();
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
      await expectAccessible(page);
    });

    test('shows the record of an image, with its rights, and the image again after a reload', async () => {
      const rights = 'allowed until 2026-12-31';
      const record = { alt: 'A quay', credit: 'Photo: Ada', rights, isForbidden: false };
      const layout = { width: 1200, height: 800, widths: [1200] };
      server.images = [shownAsset({ record, layout })];
      const page = await openImage();
      const texts = page.locator('dl').filter({ hasText: 'Alt text' }).locator('dt, dd');
      expect((await texts.allTextContents()).join(' | ')).toMatch(
        // The browser's layout, not the file.
        /Alt text \| The harbor \| Record's alt text \| A quay \| Credit \| Photo: Ada \| Rights \| allowed until 2026-12-31 .*On the page \| 600 × 400 px/,
      );
      await page.getByText('About').waitFor();
      await expectAccessible(page);
      // Nothing tints the selected image.
      const tint = `getComputedStyle(${canvas}.querySelector('[aria-pressed=true]')).backgroundColor`;
      expect(await page.evaluate(tint)).toBe('rgba(0, 0, 0, 0)');
      await page.reload();
      await page.getByRole('heading', { name: 'Harbor' }).waitFor();
    });

    const aspect = '1:1';
    const point = { x: 0.25, y: 0.5 };
    test.each([
      ['a crop', { crop }, [100, 100, 600, 400], undefined],
      [
        'a crop and a shape, which the build cuts',
        { crop, aspect },
        [100, 100, 600, 400],
        undefined,
      ],
      // The focus point is in fractions of the crop.
      ['all of them', { crop, aspect, focus: point }, [100, 100, 400, 400], [250, 300]],
      ['a shape around a point', { aspect, focus: point }, [0, 0, 800, 800], [300, 400]],
      ['a shape around what the build finds', { aspect, focus: 'attention' }, undefined, undefined],
      ['nothing of them', {}, undefined, undefined],
    ] as const)('outlines on the whole image what it shows with %s', async (_, props, part, at) => {
      server.images = [shownAsset({ props })];
      const page = await openImage();
      const preview = button(page, 'Show Harbor larger');
      const whole = await preview.locator('.frame').boundingBox();
      const scale = 1200 / (whole?.width ?? 0);
      /** In pixels of the original. */
      async function boxOf(name: string): Promise<number[] | undefined> {
        const found = preview.locator(name);
        if ((await found.count()) === 0) return undefined;
        const { x, y, width, height } = (await found.boundingBox()) ?? {
          x: 0,
          y: 0,
          width: 0,
          height: 0,
        };
        const [left, top] = [x - (whole?.x ?? 0), y - (whole?.y ?? 0)];
        return [left, top, width, height].map((length) => Math.round((length * scale) / 10) * 10);
      }
      expect(Math.round((whole?.height ?? 0) * scale)).toBe(800);
      expect(await boxOf('.part')).toEqual(part);
      expect(await boxOf('.point')).toEqual(at && [...at, 0, 0]);
    });

    test('shows an image larger at a click or Enter, and Escape leads back to its view', async () => {
      server.images = [shownAsset({ props: { crop } })];
      const page = await openImage();
      const larger = page.getByRole('dialog', { name: 'Harbor' });
      const widthOf = async (part: Locator) => (await part.boundingBox())?.width ?? 0;
      const preview = button(page, 'Show Harbor larger');
      await preview.press('Enter');
      await larger.waitFor();
      expect(await widthOf(larger.locator('.part'))).toBeGreaterThan(
        2 * (await widthOf(preview.locator('.part'))),
      );
      await larger.locator('img[src^="blob:"]').waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await expect.poll(() => larger.count()).toBe(0);
      await preview.and(page.locator(':focus')).waitFor();
      await preview.click();
      await larger.locator('.frame').click();
      await expect.poll(() => larger.count()).toBe(0);
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

  describe('alt texts', () => {
    const fieldOf = (page: Page, name: string) =>
      page.getByRole('textbox', { name: `Alt text of ${name}`, exact: true });
    const record = { alt: 'A quay', rights: 'allowed', isForbidden: false };
    const changes = () => server.saved.map(({ change }) => change);

    test('of all images of the page are fields in a list, saved one by one', async () => {
      server.images = [
        shownAsset(),
        shownAsset({ id: 4712, name: 'Mole', alt: 'A quay', given: undefined, record }),
        shownAsset({ id: 4713, name: 'Boat', alt: '', given: '' }),
      ];
      const page = await open();
      expect(await fieldOf(page, 'Harbor').inputValue()).toBe('The harbor');
      expect(await fieldOf(page, 'Mole').getAttribute('placeholder')).toBe('A quay (record)');
      expect(await fieldOf(page, 'Boat').isDisabled()).toBe(true);
      await expectAccessible(page);
      await fieldOf(page, 'Harbor').fill('The harbor at dusk');
      await page.keyboard.press('Tab');
      await expect.poll(changes).toEqual([{ alt: 'The harbor at dusk' }]);
      await fieldOf(page, 'Mole').fill('The mole');
      await page.keyboard.press('Enter');
      await expect.poll(changes).toHaveLength(2);
      await page.getByRole('checkbox', { name: 'Mole is decoration' }).check();
      await expect.poll(() => changes().slice(1)).toEqual([{ alt: 'The mole' }, { alt: '' }]);
      // Nothing is written that hasn't changed.
      await fieldOf(page, 'Harbor').focus();
      await page.keyboard.press('Tab');
      expect(changes()).toHaveLength(3);
    });

    test('that are missing are the first thing to mend', async () => {
      server.images = [
        shownAsset(),
        shownAsset({ id: 4712, name: 'Mole', alt: '', given: undefined }),
      ];
      const page = await open();
      await page.getByText('One image has no alt text.').waitFor();
      await button(page, 'Write it').click();
      await page.keyboard.type('   ');
      await page.keyboard.press('Enter');
      await page.getByText('Write what the image shows, or mark it as decoration.').waitFor();
      await page.keyboard.type('The mole');
      await page.keyboard.press('Enter');
      await expect.poll(changes).toEqual([{ alt: 'The mole' }]);
    });

    test('of the record are shown in each language of the site, next to the page’s own', async () => {
      server.images = [shownAsset({ record })];
      server.alts = [
        { language: 'en', alt: 'A quay' },
        { language: 'de', alt: 'Ein Kai' },
        { language: 'fr', alt: '' },
        { language: 'sv' },
      ];
      const page = await openImage();
      const texts = page.getByRole('heading', { name: "The record's alt texts" }).locator('..');
      await expect
        .poll(() => texts.getByRole('listitem').allTextContents())
        .toEqual(['en: A quay', 'de: Ein Kai', 'fr: no text', 'sv: not known']);
      // A screen reader says it in German.
      await texts.locator('[lang=de]').getByText('Ein Kai').waitFor();
      await expectAccessible(page);
      await fieldOf(page, 'Harbor').fill('The page’s own');
      await page.keyboard.press('Enter');
      await expect.poll(changes).toEqual([{ alt: 'The page’s own' }]);
    });

    test('are left to the record when the field is emptied', async () => {
      server.images = [shownAsset({ record })];
      const page = await openImage();
      await fieldOf(page, 'Harbor').fill('');
      await page.keyboard.press('Enter');
      await expect.poll(changes).toEqual([{ alt: null }]);
    });

    test('in progress survive a reload, with the focus, and say if the source has changed', async () => {
      const page = await open();
      await fieldOf(page, 'Harbor').fill('The harbor at d');
      await page.reload();
      await expect.poll(() => fieldOf(page, 'Harbor').inputValue()).toBe('The harbor at d');
      await page.getByText('Not saved yet', { exact: true }).waitFor();
      await page.keyboard.type('awn');
      server.images = [shownAsset({ alt: 'The port', given: 'The port' })];
      await page.reload();
      await page.getByText('Not saved yet. The source now has “The port”.').waitFor();
      expect(server.saved).toEqual([]);
      await fieldOf(page, 'Harbor').press('Enter');
      await expect.poll(changes).toEqual([{ alt: 'The harbor at dawn' }]);
    });

    test('in progress go with their asset, not with what takes its place', async () => {
      const page = await open();
      await fieldOf(page, 'Harbor').fill('The harbor at d');
      // As when someone inserts an image above.
      server.images = [shownAsset({ id: 4712, name: 'Mole', alt: 'A mole', given: 'A mole' })];
      await page.reload();
      const field = fieldOf(page, 'Mole');
      await field.waitFor();
      expect(await field.inputValue()).toBe('A mole');
      await field.focus();
      await page.keyboard.press('Tab');
      server.images = [shownAsset()];
      await page.reload();
      await page.getByText('Not saved yet', { exact: true }).waitFor();
      expect(server.saved).toEqual([]);
    });

    test('that a save refuses stay in the field, with the reason', async () => {
      server.saveFailure = { code: 'source-changed', message: 'The file has changed.' };
      const page = await open();
      await fieldOf(page, 'Harbor').fill('The harbor at dusk');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('The file has changed.').waitFor();
      expect(await fieldOf(page, 'Harbor').inputValue()).toBe('The harbor at dusk');
      expect(browser.problems()).toEqual([`409 ${server.url}/_media-asset/save.json`]);
    });

    test("that a template sets aren't written", async () => {
      server.places = { places: [{ ...place, isAltFixed: true }], isCall: true };
      const page = await open();
      await fieldOf(page, 'Harbor').fill('The harbor at dusk');
      await page.keyboard.press('Enter');
      await page.getByText("The page's template has the alt text “The harbor”.").waitFor();
      expect(server.saved).toEqual([]);
    });
  });

  describe('for everyone', () => {
    test('the keyboard stays in the panel, and goes back to the toolbar at Escape', async () => {
      const page = await open();
      const focused = () => page.evaluate(`${canvas}.activeElement?.textContent`);
      await button(page, 'Last saves').focus();
      await page.keyboard.press('Tab');
      expect(await focused()).toBe('Page');
      await page.keyboard.press('Escape');
      const opener = `document.querySelector('astro-dev-toolbar').shadowRoot.activeElement?.dataset.appId`;
      expect(await page.evaluate(opener)).toBe('astro-media-asset');
    });

    test.each(['ltr', 'rtl'] as const)(
      'on a page in %s, the panel covers the end, until the author moves it',
      async (dir) => {
        server.dir = dir;
        const page = await open();
        const panel = page.getByRole('complementary', { name: 'Media assets' });
        const isLeft = async () => ((await panel.boundingBox())?.x ?? 0) < 100;
        expect(await isLeft()).toBe(dir === 'rtl');
        const own = `getComputedStyle(${canvas}.querySelector('.panel')).direction`;
        expect(await page.evaluate(own)).toBe('ltr');
        await button(page, 'Move to the other side').click();
        await page.reload();
        await expect.poll(isLeft).toBe(dir === 'ltr');
      },
    );

    test('at 400 %, the library scrolls as a whole, and nothing is cut off', async () => {
      const page = await open();
      await page.setViewportSize({ width: 320, height: 256 });
      await page.getByRole('tab', { name: 'Library' }).click();
      // Folders and filters have options too, and are there first.
      const last = page.getByRole('listbox', { name: 'Assets' }).getByRole('option').last();
      await last.scrollIntoViewIfNeeded();
      const box = await last.boundingBox();
      expect(box?.y).toBeLessThan(256);
      const sideways = `${canvas}.querySelector('.panel').scrollWidth - ${canvas}.querySelector('.panel').clientWidth`;
      expect(await page.evaluate(sideways)).toBe(0);
      const body = `${canvas}.querySelector('.body')`;
      expect(await page.evaluate(`${body}.scrollHeight > ${body}.clientHeight`)).toBe(true);
    });

    test('a finger meets at least 44 px of all that it can press', async () => {
      const small: unknown[] = [];
      const page = await open({ touch: true });
      const look = async (state: string) => {
        const found = (await page.evaluate(smallTargets)) as unknown[];
        small.push(...found.map((target) => [state, target]));
      };
      await look('the page');
      await page.getByRole('complementary').getByRole('listitem').getByRole('button').first().tap();
      await page.getByText('About').waitFor();
      await look('an image');
      await button(page, 'Crop').tap();
      await page.getByRole('dialog').waitFor();
      await look('the crop editor');
      await button(page, 'Cancel').tap();
      await page.getByRole('tab', { name: 'Library' }).tap();
      await page.getByRole('option', { name: /Quay/ }).waitFor();
      await look('the library');
      await page.getByRole('option', { name: /Quay/ }).tap();
      await page.getByRole('heading', { name: 'Quay at dusk' }).waitFor();
      await look('an asset');
      expect(small).toEqual([]);
    });

    test('a crop of a few pixels is saved only when the author asks twice', async () => {
      server.images = [shownAsset({ props: { crop: { ...crop, width: 12, height: 12 } } })];
      const page = await openImage();
      await openCrop(page);
      await page.keyboard.press('Shift+ArrowLeft');
      await page.keyboard.press('Enter');
      await page.getByText('A crop has less than 16 pixels on a side.').waitFor();
      expect(server.saved).toEqual([]);
      await page.keyboard.press('Enter');
      await expect.poll(() => server.saved.length).toBe(1);
    });
  });

  test('a page with 400 images, and texts of 10,000 characters, stays usable', async () => {
    const long = `${'A quay '.repeat(1430)}.`;
    const record = { alt: long, credit: long, rights: `forbidden: ${long}`, isForbidden: true };
    server.record = record;
    server.images = Array.from({ length: 400 }, (_, index) =>
      shownAsset({
        ...{ id: 4711 + index, name: `Image ${index}`, alt: long, given: undefined, record },
        place: { file: place.file, line: index + 1 },
      }),
    );
    const page = await open();
    const field = page.getByRole('textbox', { name: 'Alt text of Image 399' });
    const before = Date.now();
    await field.fill('The last one');
    await field.press('Enter');
    await expect
      .poll(() => server.saved.map(({ change }) => change))
      .toEqual([{ alt: 'The last one' }]);
    expect(Date.now() - before).toBeLessThan(5000);
    await page.getByRole('button', { name: /^Image 399 / }).click();
    await page.getByText('About').waitFor();
    const sideways = `${canvas}.querySelector('.view').scrollWidth - ${canvas}.querySelector('.view').clientWidth`;
    expect(await page.evaluate(sideways)).toBe(0);
    await page.getByRole('tab', { name: 'Library' }).click();
    await page.getByRole('option', { name: /Quay/ }).click();
    const length = async () => (await page.getByLabel('Alt text').inputValue()).length;
    await expect.poll(length).toBe(long.length);
    expect(await page.evaluate(sideways)).toBe(0);
  });

  describe('saves', () => {
    const saved = { file: 'src/pages/index.astro', line: 12 };

    test('are listed with what undo changes, and undone', async () => {
      server.saves = [
        { ...saved, save: 2, before: 'alt="Old"', after: 'alt="New"', canUndo: true },
        { ...saved, save: 1, before: 'a', after: 'b', canUndo: false },
      ];
      const page = await open();
      await button(page, 'Last saves').click();
      await page.getByText('− alt="New"').waitFor();
      await page.getByText('+ alt="Old"').waitFor();
      await page.getByText('The file has changed since.').waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Undo the save to src/pages/index.astro:12' }).click();
      await page.getByText('Undone in src/pages/index.astro:12').waitFor();
      expect(server.undone).toEqual([2]);
      await page.reload();
      await page.getByText('Undone in src/pages/index.astro:12').waitFor();
    });
  });

  test('a crop that was chosen on a larger version is replaced by the one that shows the same part', async () => {
    const mapped = { x: 150, y: 100, width: 300, height: 150 };
    const problem = 'The image has changed since someone chose its crop.';
    server.images = [shownAsset({ props: { crop }, mapped, problems: [problem] })];
    const page = await openImage();
    await page.getByRole('listitem').getByText(problem).waitFor();
    await button(page, 'Show the same part').click();
    await expect.poll(() => server.saved.map((save) => save.change)).toEqual([{ crop: mapped }]);
  });

  describe('a crop in progress', () => {
    test('survives a reload of the page', async () => {
      const page = await openImage();
      await openCrop(page);
      await page.keyboard.press('Shift+ArrowLeft');
      await page.reload();
      await page.getByRole('dialog').getByText('Not saved yet.', { exact: true }).waitFor();
      // The page reloads before the answer is here.
      await page.route('**/save.json', async (route) => void (await route.fetch()));
      await page.keyboard.press('Enter');
      const change = { crop: { x: 0, y: 0, width: 1199, height: 800 } };
      await expect.poll(() => server.saved.map((save) => save.change)).toEqual([change]);
      await page.reload();
      await page.getByRole('heading', { name: 'Harbor' }).waitFor();
      const memory = await page.evaluate(`JSON.parse(sessionStorage['astro-media-asset'])`);
      expect(memory).not.toHaveProperty('drawing');
    });

    test('survives a reload with the crop around its focus point', async () => {
      const page = await openImage();
      await openCrop(page);
      await page.keyboard.press('Shift+ArrowLeft');
      await page.getByRole('radio', { name: 'Cut around a focus point' }).check();
      await page.getByRole('radio', { name: '1:1' }).check();
      await page.reload();
      await page.getByRole('dialog').getByText('Not saved yet.', { exact: true }).waitFor();
      await page.keyboard.press('Control+ArrowRight');
      await page.keyboard.press('Enter');
      const change = { crop: { x: 0, y: 0, width: 1199, height: 800 }, aspect: '1:1' };
      const focus = { x: 0.5083, y: 0.5 };
      await expect
        .poll(() => server.saved.map((save) => save.change))
        .toEqual([{ ...change, focus }]);
    });

    test('says if the source has changed meanwhile, and goes with its image', async () => {
      const page = await openImage();
      await openCrop(page);
      await page.keyboard.press('Shift+ArrowLeft');
      server.images = [shownAsset({ props: { crop } })];
      await page.reload();
      await page.getByText('Not saved yet. The source has changed since.').waitFor();
      server.images = [];
      await page.reload();
      await page.getByText('A crop wasn’t saved: its image isn’t where it was.').waitFor();
    });

    test('isn’t offered to another image at its place', async () => {
      const page = await openImage();
      await openCrop(page);
      await page.keyboard.press('Shift+ArrowLeft');
      server.images = [shownAsset({ id: 4712, name: 'Mole' })];
      await page.reload();
      await page.getByText('A crop wasn’t saved: its image isn’t where it was.').waitFor();
      await openCrop(page);
      expect(await page.getByText('Not saved yet.').isVisible()).toBe(false);
    });
  });

  const forbidden = { alt: 'A quay', rights: 'forbidden: no consent', isForbidden: true };

  describe('crop and replace', () => {
    test('shows why a save failed, and saves nothing', async () => {
      server.saveFailure = { code: 'source-changed', message: 'The file has changed.' };
      const page = await openImage();
      await openCrop(page);
      await page.keyboard.press('Shift+ArrowLeft');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('The file has changed.').waitFor();
      expect(server.saved).toEqual([]);
      expect(browser.problems()).toEqual([`409 ${server.url}/_media-asset/save.json`]);
    });

    test('asks before it changes a value that only has the same asset, also if there is one', async () => {
      server.places = { places: [place], isCall: false };
      const page = await openImage();
      const choice = page.getByRole('radio', { name: 'src/pages/index.astro:12' });
      await choice.waitFor();
      expect(await choice.isChecked()).toBe(false);
      await button(page, 'Crop').click();
      await page.getByText('Choose the place to change first.').waitFor();
      server.places = { places: [place, { ...place, line: 40 }], isCall: false };
      await outline(page).click();
      await page.getByLabel('src/pages/index.astro:40').check();
      await expectAccessible(page);
      await openCrop(page);
      await page.keyboard.press('Shift+ArrowLeft');
      await page.keyboard.press('Enter');
      await expect.poll(() => server.saved.map((save) => save.place.line)).toEqual([40]);
    });

    test('never chooses a number alone, also if its file is named like the page', async () => {
      const file = 'src/content/index.md';
      const number: SourcePlace = { ...place, file, kind: 'yaml', number: 4711 };
      server.places = { places: [number], isCall: false };
      const page = await openImage();
      await page.getByText('These numbers may be the image’s ID, or something else.').waitFor();
      const choice = page.getByRole('radio', { name: `${file}:12: 4711` });
      expect(await choice.isChecked()).toBe(false);
    });

    test("says why it's off if the dev server doesn't answer this browser", async () => {
      server.refusal = { code: 'toolbar-remote', message: 'Another machine.', hint: 'Go there.' };
      const page = await open();
      const notice = page.getByRole('alert').filter({ hasText: 'Another machine.' });
      await notice.getByText('Go there.').waitFor();
      const problems = browser.problems().map((problem) => problem.split(' ')[0]);
      expect(new Set(problems)).toEqual(new Set(['403']));
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
    /** Replaces the image, and expects the change that was saved. */
    const replace = async (page: Page, change: AssetChange) => {
      await button(page, 'Replace').press('Enter');
      await page.getByText('Saved to').waitFor();
      expect(server.saved).toEqual([{ place: server.places.places[0], change }]);
    };

    test("a replacement gets the new record's text, never the old image's, and no crop or focus point", async () => {
      server.images = [shownAsset({ props: { crop, focus: { x: 0.1, y: 0.2 } } })];
      const page = await replaceWithQuay();
      await page.getByText('Until now: “The harbor”').waitFor();
      await expect.poll(() => page.getByLabel('Alt text').inputValue()).toBe('From the record');
      await expectAccessible(page);
      // Later changes of the record reach the page.
      await replace(page, { id: 5007, alt: null, crop: null, focus: null });
    });

    test('a source without an alt text stays without one, and the record supplies it', async () => {
      server.images = [shownAsset({ given: undefined })];
      await replace(await replaceWithQuay(), { id: 5007 });
    });

    test('without a text in the record, asks for one, or for a mark as decoration', async () => {
      server.record = undefined;
      const page = await replaceWithQuay();
      await page.keyboard.press('Enter');
      await page.getByText('Write what the image shows, or mark it as decoration.').waitFor();
      await expect.poll(() => page.evaluate(`${canvas}.activeElement?.id`)).toMatch(/^asset-alt/);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      await replace(page, { id: 5007, alt: '' });
    });

    test('says that the alt text comes from a template, and leaves it', async () => {
      server.places = { places: [{ ...place, isAltFixed: true }], isCall: true };
      const page = await replaceWithQuay();
      await page.getByText("The page's template has the alt text “The harbor”.").waitFor();
      await replace(page, { id: 5007 });
    });

    test('places an asset that the site may not show only at the second click', async () => {
      server.record = forbidden;
      const page = await replaceWithQuay();
      await button(page, 'Replace').click();
      const alert = page.getByRole('alert').filter({ hasText: 'forbidden: no consent' });
      await alert.getByText('Choose another one, or click again').waitFor();
      expect(server.saved).toEqual([]);
      await replace(page, { id: 5007, alt: null });
    });
  });

  describe('the library', () => {
    const openLibrary = async () => {
      const page = await open();
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
      const selected = list.getByRole('option', { selected: true });
      expect(await selected.textContent()).toMatch(/^Asset [2-9]\d\d/);
      await page.keyboard.press('Home');
      expect(await list.getByRole('option', { selected: true }).textContent()).toMatch('Asset 0');
    });

    test('crops the first result at Enter, and copies it with the crop and the alt', async () => {
      const page = await openLibrary();
      await page.keyboard.type('quay');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Shift+ArrowLeft');
      await page.keyboard.press('Enter');
      await page.getByLabel('Alt text').fill('The "quay"');
      await button(page, 'Copy for Astro').click();
      await page.getByText('Copied for Astro.').waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
        '<MediaAsset id={5007} crop={{ x: 0, y: 0, width: 1199, height: 800 }} alt=\'The "quay"\' />',
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

    test('marks assets that the site may not show, and copies them only at the second click', async () => {
      server.record = forbidden;
      const rightsOf = ({ id }: { id: number }) =>
        id === 5007 ? 'forbidden' : id === 5008 ? 'unknown' : 'allowed';
      server.library = assets(20).map((asset) => ({ ...asset, rights: rightsOf(asset) }));
      const page = await openLibrary();
      const list = page.getByRole('listbox', { name: 'Assets' });
      expect(await list.getByRole('option', { name: /Rights not known/ }).count()).toBe(1);
      await list.getByRole('option', { name: /Forbidden/ }).click();
      await page.getByRole('heading', { name: 'Quay at dusk' }).waitFor();
      await button(page, 'Copy for Astro').click();
      await page.getByText('The site may not show this asset (forbidden: no consent).').waitFor();
      expect(await copy(page, 'Astro')).toBe('<MediaAsset id={5007} />');
    });

    test('asks for texts in the language of the page', async () => {
      server.images = [shownAsset({ locale: 'de' })];
      const asked: string[] = [];
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
      const page = await openLibrary();
      await page.keyboard.type('nothing');
      await page.getByText('No asset matches “nothing”.').waitFor();
      await expectAccessible(page);
      await page.getByLabel('Search assets').fill('');
      const folder = page.getByLabel('Folder');
      await folder.selectOption('1');
      await page.getByLabel('Search assets').fill('quay');
      await page.getByText(/ results? in all folders$/).waitFor();
      await expectAccessible(page);
      expect(await folder.isDisabled()).toBe(true);
      await page.getByRole('option', { name: /Quay/ }).click();
      await page.getByRole('heading', { name: 'Quay at dusk' }).waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await expect
        .poll(() => page.evaluate(`${canvas}.activeElement?.textContent`))
        .toMatch('Quay at dusk');
      await page.keyboard.press('Escape');
      expect(await page.evaluate('toolbar.state')).toBe(false);
    });

    test('shows an error with its code and hint, and tries again', async () => {
      server.failure = failure;
      const page = await openLibrary();
      const alert = page.getByRole('alert');
      await alert.waitFor();
      expect(await alert.textContent()).toBe('No answer.Wait a moment.service-downRetry');
      await expectAccessible(page);
      server.failure = undefined;
      await page.getByRole('button', { name: 'Retry' }).click();
      await page.getByText('20 results').waitFor();
      const [problem] = browser.problems();
      expect(problem).toMatch(/^502 .*assets\.json/);
    });
  });

  test('is accessible while it has nothing to show', async () => {
    server.library = [];
    const page = await open();
    await page.getByRole('tab', { name: 'Library' }).click();
    await page.getByText('There are no assets').waitFor();
    await expectAccessible(page);
    await page.route('**/assets.json*', () => {});
    await page.getByLabel('Folder').selectOption('2');
    await page.getByText('Loading…').waitFor();
    await expectAccessible(page);
    const notice = { code: 'source-computed', message: 'It is computed.', hint: 'Copy.' };
    server.places = { places: [], isCall: false, notice };
    await outline(page).click();
    await page.getByText('It is computed.').waitFor();
    await expectAccessible(page);
  });
});

const canvas = "document.querySelector('media-canvas').shadowRoot";

/** What can be pressed, with its label's place, and has less than 44 px on a side. */
const smallTargets = `[...(${canvas}.querySelector('dialog[open]') ?? ${canvas}).querySelectorAll('button, select, input, [role=option]')]
  .map((one) => [one.ariaLabel || one.textContent || one.type, (one.closest('label') ?? one).getBoundingClientRect()])
  .filter(([, { width, height }]) => width > 0 && Math.min(width, height) < 43.5)
  .map(([name, { width, height }]) => [name, Math.round(width), Math.round(height)])`;

function outline(page: Page) {
  return page.getByRole('group', { name: 'Images on this page' }).getByRole('button').first();
}
