/** @module-tag slow */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Rectangle } from '../../src/assets/geometry/rectangle.ts';
import { axeViolations, axeViolationsInBothSchemes } from '../support/browser/axe.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser-tests.ts';
import {
  drag,
  numbers,
  onScreen,
  openCropEditor,
  original,
  savedChanges,
  serveCropPage,
} from '../support/browser/crop-page.ts';
import {
  displayedPixels,
  patternPixels,
  pixelDifference,
  regionPixels,
} from '../support/images/test-images.ts';
import type { LocalServer } from '../support/service/local-server.ts';

const crop = { x: 300, y: 200, width: 600, height: 300 };
const layout = { width: 800, height: 400, widths: [800, 1600] };
const narrow = '(max-width: 600px)';
const wide = '(min-width: 1600px)';

describeInBrowser('the crop editor', () => {
  const browser = useBrowser();
  let server: LocalServer;

  beforeAll(async () => {
    server = await serveCropPage();
  });

  afterAll(() => server?.close());

  const open = async (
    given: Parameters<typeof openCropEditor>[1] = {},
    { width = 1600, height = 1000, touch = false } = {},
  ) => {
    const page = await browser.open({
      baseURL: server.url,
      viewport: { width, height },
      hasTouch: touch,
    });
    await openCropEditor(page, given);
    return page;
  };

  describe('with a pointer', () => {
    test('moves the crop, and keeps it inside the image', async () => {
      const page = await open({ crop });
      await drag(page, { from: { x: 500, y: 300 }, to: { x: 600, y: 250 } });
      expect(await numbers(page)).toEqual([400, 150, 600, 300]);
      await drag(page, { from: { x: 500, y: 300 }, to: { x: -200, y: 2000 } });
      expect(await numbers(page)).toEqual([0, 500, 600, 300]);
    });

    test('resizes the crop at its corners and sides', async () => {
      const page = await open({ crop });
      const handles: [x: number, y: number, expected: number[]][] = [
        [300, 200, [310, 220, 590, 280]],
        [600, 200, [300, 220, 600, 280]],
        [900, 200, [300, 220, 610, 280]],
        [900, 350, [300, 200, 610, 300]],
        [900, 500, [300, 200, 610, 320]],
        [600, 500, [300, 200, 600, 320]],
        [300, 500, [310, 200, 590, 320]],
        [300, 350, [310, 200, 590, 300]],
      ];
      for (const [x, y, expected] of handles) {
        await drag(page, { from: { x, y }, to: { x: x + 10, y: y + 20 } });
        expect(await numbers(page), `the handle at ${x}, ${y}`).toEqual(expected);
        await page.keyboard.press('Control+z');
      }
    });

    test('draws a new crop outside of it, and on an image without one', async () => {
      const page = await open({ crop });
      await drag(page, { from: { x: 100, y: 100 }, to: { x: 200, y: 150 } });
      expect(await numbers(page)).toEqual([100, 100, 100, 50]);
      await page.getByRole('button', { name: 'Whole image' }).click();
      await drag(page, { from: { x: 400, y: 400 }, to: { x: 700, y: 600 } });
      expect(await numbers(page)).toEqual([400, 400, 300, 200]);
      // A click draws nothing.
      await drag(page, { from: { x: 50, y: 50 }, to: { x: 51, y: 50 } });
      expect(await numbers(page)).toEqual([400, 400, 300, 200]);
    });

    test('works with touch', async () => {
      const page = await open({ crop }, { touch: true });
      const session = await page.context().newCDPSession(page);
      const from = await onScreen(page, { x: 500, y: 300 });
      const to = await onScreen(page, { x: 600, y: 250 });
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: (typeof from)[]) =>
        session.send('Input.dispatchTouchEvent', { type, touchPoints });
      await touch('touchStart', [from]);
      await touch('touchMove', [to]);
      await touch('touchEnd', []);
      await expect.poll(() => numbers(page)).toEqual([400, 150, 600, 300]);
    });
  });

  describe('with the keyboard', () => {
    test('moves by 1 and 10 px, resizes, undoes, redoes and saves', async () => {
      const page = await open({ crop });
      const press = async (...keys: string[]) => {
        for (const key of keys) await page.keyboard.press(key);
      };
      await press('ArrowRight', 'ArrowUp', 'Control+ArrowRight', 'Alt+ArrowUp');
      expect(await numbers(page)).toEqual([311, 189, 600, 300]);
      await press('Shift+ArrowRight', 'Control+Shift+ArrowDown');
      expect(await numbers(page)).toEqual([311, 189, 601, 310]);
      await press('Control+z', 'Control+z', 'Control+z');
      expect(await numbers(page)).toEqual([311, 199, 600, 300]);
      await press('Control+Shift+Z', 'Control+y');
      expect(await numbers(page)).toEqual([311, 189, 601, 300]);
      await press('Enter');
      expect(await savedChanges(page)).toEqual([
        { crop: { x: 311, y: 189, width: 601, height: 300 } },
      ]);
    });

    test('announces each change, and undoes a key that was held down at once', async () => {
      const page = await open({ crop });
      const status = page.getByRole('status');
      expect(await status.textContent()).toBe('');
      await page.keyboard.down('ArrowLeft');
      for (let held = 0; held < 5; held++) await page.keyboard.down('ArrowLeft');
      await page.keyboard.up('ArrowLeft');
      expect(await numbers(page)).toEqual([294, 200, 600, 300]);
      expect(await status.textContent()).toBe(
        'Crop 600 by 300 pixels, 294 from the left, 200 from the top.',
      );
      await page.keyboard.press('Control+z');
      expect(await numbers(page)).toEqual([300, 200, 600, 300]);
    });

    test('cancels with Escape, and the page gets no keys', async () => {
      const page = await open({ crop });
      await page.evaluate(
        "globalThis.heard = []; for (const type of ['keydown', 'keyup']) document.addEventListener(type, (event) => heard.push(event.key))",
      );
      await page.keyboard.press('Escape');
      expect(await page.evaluate('canceled')).toBe(1);
      expect(await page.evaluate('heard')).toEqual([]);
      expect(await page.getByRole('dialog').isVisible()).toBe(true);
    });

    test("reaches each control with Tab, and the browser's own, but nothing of the page", async () => {
      const page = await open({ crop, sources: [{ media: narrow }] });
      const stops: string[] = [];
      do {
        await page.keyboard.press('Tab');
        stops.push(await page.evaluate(focusedLabel));
      } while (stops.at(-1) !== 'Crop' && stops.length < 40);
      expect(stops).toEqual([
        ...['Draw a crop', 'Free', 'X', 'Y', 'Width', 'Height'],
        ...['Undo', 'Redo', 'Reset', 'Whole image'],
        ...['nothing', 'Default', 'Cancel', 'Save', 'Crop'],
      ]);
    });

    test('takes a step of undo only for a change, and keeps the focus when none is left', async () => {
      const page = await open({ crop: { x: 0, y: 0, width: 600, height: 300 } });
      const undo = page.getByRole('button', { name: 'Undo' });
      await page.keyboard.press('ArrowLeft');
      expect(await undo.isDisabled()).toBe(true);
      await page.keyboard.press('ArrowRight');
      await undo.focus();
      await page.keyboard.press('Space');
      await page.keyboard.press('Space');
      expect(await numbers(page)).toEqual([0, 0, 600, 300]);
      expect(await page.evaluate(focusedLabel)).toBe('Undo');
    });

    test('keeps the focus on the image when undo brings back a focus point', async () => {
      const page = await open({ aspect: '1:1' });
      await page.getByRole('radio', { name: 'Draw a crop' }).check();
      await page.locator('.box').focus();
      await page.keyboard.press('Control+z');
      expect(await page.evaluate(focusedLabel)).toBe('Focus point');
      await page.keyboard.press('Control+y');
      expect(await page.evaluate(focusedLabel)).toBe('Crop');
    });
  });

  describe('with a shape', () => {
    test("offers common ratios and the source's own, and keeps the one that is chosen", async () => {
      const page = await open({ crop, aspect: '5:2' });
      expect(await page.getByRole('radio', { name: '5:2' }).isChecked()).toBe(true);
      await page.getByRole('button', { name: 'Whole image' }).click();
      await page.getByRole('radio', { name: '1:1' }).check();
      expect((await numbers(page)).slice(2)).toEqual([800, 800]);
      await enter(page, 'Width', '250');
      expect((await numbers(page)).slice(2)).toEqual([250, 250]);
    });
  });

  describe('with numbers', () => {
    test('takes pixels of the original, and the nearest possible ones for others', async () => {
      const page = await open({ crop });
      await enter(page, 'X', '601');
      expect(await numbers(page)).toEqual([600, 200, 600, 300]);
      expect(await page.getByRole('status').textContent()).toBe(
        'Crop 600 by 300 pixels, 600 from the left, 200 from the top.',
      );
      await enter(page, 'X', '');
      await enter(page, 'Width', '250');
      await enter(page, 'Y', '40.4');
      await page.getByRole('button', { name: 'Save' }).click();
      expect(await savedChanges(page)).toEqual([
        { crop: { x: 600, y: 40, width: 250, height: 300 } },
      ]);
    });
  });

  describe('around a focus point', () => {
    test('starts with the aspect in the source, and saves the point', async () => {
      const page = await open({ aspect: '1:1', focus: { x: 0.25, y: 0.5 }, layout });
      expect(await page.getByRole('radio', { name: 'Cut around a focus point' }).isChecked()).toBe(
        true,
      );
      await drag(page, { from: { x: 300, y: 400 }, to: { x: 900, y: 200 } });
      expect(await page.locator('.preview-sizes').textContent()).toContain('Crop: 800 × 800 px');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      expect(await savedChanges(page)).toEqual([{ focus: { x: 0.7508, y: 0.25 } }]);
    });

    test('says that `attention` is found by the build, until the author chooses a point', async () => {
      const page = await open({ aspect: '1:1', focus: 'attention' });
      const hint = page.getByText('The build finds what draws the eye.');
      expect(await hint.isVisible()).toBe(true);
      await page.keyboard.press('Enter');
      await drag(page, { from: { x: 600, y: 400 }, to: { x: 300, y: 400 } });
      expect(await hint.isVisible()).toBe(false);
      await page.keyboard.press('Enter');
      expect(await savedChanges(page)).toEqual([{}, { focus: { x: 0.25, y: 0.5 } }]);
    });

    test('keeps the crop that was drawn around it, and undo brings the first one back', async () => {
      const page = await open({ crop });
      await page.getByRole('radio', { name: '3:4' }).check();
      const drawn = await numbers(page);
      await page.getByRole('radio', { name: 'Cut around a focus point' }).check();
      const save = page.getByRole('button', { name: 'Save' });
      await save.click();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('button', { name: 'Undo' }).click();
      await save.click();
      const [x, y, width, height] = drawn;
      expect(await savedChanges(page)).toEqual([
        { crop: { x, y, width, height }, aspect: '3:4' },
        {},
      ]);
    });

    const focus = { x: 0.25, y: 0.5 };

    test('stays inside the crop in the source, whose outline is shown', async () => {
      const page = await open({ crop, aspect: '1:1', focus });
      await page.emulateMedia({ forcedColors: 'active' });
      const outline = page.locator('.area');
      const corner = await onScreen(page, crop);
      const end = await onScreen(page, { x: 900, y: 500 });
      const box = await outline.boundingBox();
      expect(box?.x).toBeCloseTo(corner.x, 0);
      expect(box?.y).toBeCloseTo(corner.y, 0);
      expect(box?.width).toBeCloseTo(end.x - corner.x, 0);
      const style = `getComputedStyle(document.querySelector('#host').shadowRoot.querySelector('.area')).outlineStyle`;
      expect(await page.evaluate(style)).toBe('dashed');
      await page.keyboard.press('Enter');
      await drag(page, { from: { x: 450, y: 350 }, to: { x: 1190, y: 20 } });
      expect(await page.getByRole('status').textContent()).toBe(
        'Focus 100 percent from the left, 0 percent from the top of the crop. Shows 300 by 300 pixels, 600 from the left, 200 from the top.',
      );
      await page.keyboard.press('Control+ArrowLeft');
      await page.keyboard.press('Enter');
      expect(await savedChanges(page)).toEqual([{}, { focus: { x: 0.983, y: 0 } }]);
    });

    test('stays at its place in the image while the crop is drawn anew', async () => {
      const page = await open({ crop, aspect: '1:1', focus });
      const drawing = page.getByRole('radio', { name: 'Draw a crop' });
      const around = page.getByRole('radio', { name: 'Cut around a focus point' });
      const save = page.getByRole('button', { name: 'Save' });
      await drawing.check();
      expect(await numbers(page)).toEqual([300, 200, 600, 300]);
      await around.check();
      await save.click();
      await drawing.check();
      await enter(page, 'X', '150');
      await enter(page, 'Width', '1000');
      await around.check();
      await save.click();
      const moved = { x: 150, y: 200, width: 1000, height: 300 };
      // Of all of the image, without the crop.
      await page.getByRole('button', { name: 'Whole image' }).click();
      await around.check();
      await save.click();
      expect(await savedChanges(page)).toEqual([
        {},
        { crop: moved, focus: { x: 0.3, y: 0.5 } },
        { crop: null, focus: { x: 0.375, y: 0.438 } },
      ]);
    });

    test('changes nothing if an author only looks at the other method', async () => {
      const page = await open({ aspect: '1:1', focus });
      await page.getByRole('radio', { name: 'Draw a crop' }).check();
      await page.getByRole('radio', { name: 'Cut around a focus point' }).check();
      await page.getByRole('button', { name: 'Save' }).click();
      expect(await savedChanges(page)).toEqual([{}]);
    });

    test('can be set for other shapes alone, next to all of a crop', async () => {
      const page = await open({ crop });
      await page.getByRole('radio', { name: 'Cut around a focus point' }).check();
      await page.getByRole('radio', { name: 'Free' }).check();
      await drag(page, { from: { x: 600, y: 350 }, to: { x: 450, y: 350 } });
      expect(await page.locator('.preview-sizes').textContent()).toContain('Crop: 600 × 300 px');
      await page.getByRole('button', { name: 'Save' }).click();
      expect(await savedChanges(page)).toEqual([{ focus: { x: 0.25, y: 0.5 } }]);
    });
  });

  describe('with presets', () => {
    const presets = {
      card: { aspect: '1:1' },
      banner: { aspect: 16 / 9 },
      poster: { aspect: '5:7' },
    };
    // At this size, a picture of a square has the pixels of the original.
    const small = { x: 120, y: 80, width: 240, height: 80 };

    test('pictures what crop and focus leave in their shapes, also while the point is dragged', async () => {
      const page = await open({ crop: small, focus: { x: 0, y: 0.5 }, presets });
      const card = page.getByRole('listitem').filter({ hasText: 'card' });
      const differenceOf = async (part: Rectangle) => {
        await card.scrollIntoViewIfNeeded();
        const { x = 0, y = 0 } = (await card.locator('.part-image').boundingBox()) ?? {};
        const { width, height } = part;
        const clip = { x: Math.round(x), y: Math.round(y), width, height };
        const shown = await displayedPixels(await page.screenshot({ clip }));
        return pixelDifference(shown, regionPixels(patternPixels(original), part)).mean;
      };
      const square = { x: 120, y: 80, width: 80, height: 80 };
      expect(await differenceOf(square)).toBeLessThan(4);
      const to = await onScreen(page, { x: 240, y: 120 });
      await page.locator('.focus-point').hover();
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 2 });
      expect(await differenceOf({ ...square, x: 200 })).toBeLessThan(4);
      await page.mouse.up();
      expect(await page.getByRole('list').first().locator('li').allTextContents()).toEqual([
        'card 1:1, 80 by 80 pixels',
        'banner 16:9, 142 by 80 pixels',
        'poster 5:7, 57 by 80 pixels',
      ]);
    });

    test('offers their shapes, and none of them without presets or for entries of `sources`', async () => {
      const page = await open({ crop, presets, sources: [{ media: narrow }] });
      await page.getByRole('radio', { name: '5:7' }).check();
      expect((await numbers(page)).slice(2)).toEqual([359, 502]);
      const title = page.getByRole('heading', { name: 'In other shapes' });
      expect(await title.isVisible()).toBe(true);
      await page.getByRole('tab', { name: narrow }).click();
      expect(await title.isVisible()).toBe(false);
      await openCropEditor(page, { crop });
      expect(await title.isVisible()).toBe(false);
    });
  });

  describe('with entries of `sources`', () => {
    const sources = [{ media: narrow, aspect: '1:1' }, { media: wide }];

    test('are reached with arrow keys, and each has its own crop and undo', async () => {
      const page = await open({ crop, sources });
      await page.getByRole('tab', { name: 'Default' }).focus();
      await page.keyboard.press('ArrowRight');
      expect(await page.getByRole('tab', { selected: true }).textContent()).toBe(narrow);
      expect(await page.evaluate(focusedLabel)).toBe(narrow);
      expect(await numbers(page)).toEqual([200, 0, 800, 800]);
      await drag(page, { from: { x: 200, y: 800 }, to: { x: 400, y: 700 } });
      expect(await numbers(page)).toEqual([300, 0, 700, 700]);
      await page.getByRole('tab', { name: 'Default' }).click();
      expect(await numbers(page)).toEqual([300, 200, 600, 300]);
      expect(await page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);
      await page.getByRole('button', { name: 'Save' }).click();
      expect(await savedChanges(page)).toEqual([
        { sources: [{ index: 0, crop: { x: 300, y: 0, width: 700, height: 700 } }] },
      ]);
    });

    test('are pictured side by side, each with the part that it shows by now', async () => {
      // At this width, a picture has the pixels of the original.
      const part = { x: 120, y: 80, width: 48, height: 24 };
      const own = { x: 400, y: 300, width: 48, height: 48 };
      const page = await open({
        crop: part,
        sources: [{ media: narrow, crop: own }, { media: wide }],
      });
      const differenceOf = async (name: string, expected: Rectangle) => {
        const picture = page.getByRole('tab', { name }).locator('.part-image');
        const { x = 0, y = 0 } = (await picture.boundingBox()) ?? {};
        const { width, height } = expected;
        const clip = { x: Math.round(x), y: Math.round(y), width, height };
        const shown = await displayedPixels(await page.screenshot({ clip }));
        return pixelDifference(shown, regionPixels(patternPixels(original), expected)).mean;
      };
      expect(await differenceOf('Default', part)).toBeLessThan(4);
      expect(await differenceOf(narrow, own)).toBeLessThan(4);
      await page.keyboard.press('Alt+ArrowRight');
      for (const name of ['Default', wide])
        expect(await differenceOf(name, { ...part, x: 130 }), name).toBeLessThan(4);
      await page.getByRole('tab', { name: narrow }).click();
      await page.getByRole('application', { name: 'Crop' }).press('Alt+ArrowDown');
      expect(await differenceOf(narrow, { ...own, y: 310 })).toBeLessThan(4);
      expect(await differenceOf('Default', { ...part, x: 130 })).toBeLessThan(4);
    });

    test('show the default crop until they have their own', async () => {
      const page = await open({ crop, sources });
      await page.keyboard.press('ArrowRight');
      await page.getByRole('tab', { name: wide }).click();
      expect(await numbers(page)).toEqual([301, 200, 600, 300]);
      await enter(page, 'Width', '500');
      const inherit = page.getByRole('button', { name: 'Use the default crop' });
      await page.getByRole('button', { name: 'Save' }).click();
      await inherit.click();
      expect(await numbers(page)).toEqual([301, 200, 600, 300]);
      await page.getByRole('button', { name: 'Save' }).click();
      const own = { x: 301, y: 200, width: 500, height: 300 };
      const moved = { x: 301, y: 200, width: 600, height: 300 };
      expect(await savedChanges(page)).toEqual([
        { crop: moved, sources: [{ index: 1, crop: own }] },
        { crop: moved },
      ]);
    });
  });

  test('previews the pixels of the crop at the size of the layout', async () => {
    const part = { x: 120, y: 80, width: 200, height: 100 };
    const page = await open({ crop: part, layout: { width: 200, height: 100, widths: [200] } });
    const { x = 0, y = 0 } = (await page.locator('.preview-image').boundingBox()) ?? {};
    const clip = { x: Math.round(x), y: Math.round(y), width: 200, height: 100 };
    const shown = await page.screenshot({ clip });
    const expected = regionPixels(patternPixels(original), part);
    const { mean } = pixelDifference(await displayedPixels(shown), expected);
    expect(mean).toBeLessThan(4);
    expect(await notes(page)).toEqual([]);
  });

  test('the preview fits next to a scroll bar, and words stay whole on any page', async () => {
    const page = await open({ crop, layout }, { width: 390, height: 780 });
    await page.evaluate("document.body.style.overflowWrap = 'anywhere'");
    const widthOf = async (selector: string) =>
      (await page.locator(selector).boundingBox())?.width ?? 0;
    const { height } = (await page.getByText('Width', { exact: true }).boundingBox()) ?? {};
    expect(height).toBeLessThan(36);
    await page.setViewportSize({ width: 1280, height: 800 });
    const room = (await widthOf('.preview-ground')) - (await widthOf('.preview-image'));
    expect(room).toBeGreaterThanOrEqual(8 + 15);
  });

  test('notes fewer pixels than the largest file has, and another shape than the page', async () => {
    const page = await open({ crop, layout });
    const small = 'The largest file is 1,600 px wide; this crop has 600 px.';
    expect(await notes(page)).toEqual([small]);
    await page.getByRole('radio', { name: 'Free' }).check();
    await enter(page, 'Height', '450');
    expect(await page.locator('.preview-sizes').textContent()).toContain(
      'On the page: 800 × 600 px',
    );
    expect(await notes(page)).toEqual([
      small,
      'Until now, the page showed 800 × 400 px. If it sets both width and height, it cuts the crop to that shape.',
    ]);
  });

  test('shows why saving failed, stays open, and leaves nothing behind when it closes', async () => {
    const page = await open({ crop, saveFails: 'The source has changed. Reload the page.' });
    await page.keyboard.press('Enter');
    const alert = page.getByRole('alert').filter({ hasText: 'The source has changed.' });
    await expect.poll(() => alert.isVisible()).toBe(true);
    expect(await axeViolations(page)).toEqual([]);
    await page.evaluate('editor.close()');
    const root = "document.querySelector('#host').shadowRoot";
    expect(await page.evaluate(`${root}.childNodes.length`)).toBe(0);
    expect(await page.evaluate(`${root}.adoptedStyleSheets.length`)).toBe(0);
  });

  test.each([
    ['a desktop', 1280, 800],
    ['a small window', 800, 600],
    ['a phone', 390, 780],
    ['a small phone', 320, 600],
  ])('on %s, is accessible in each state, and shows every control', async (_, width, height) => {
    const presets = { 'a-preset-with-a-long-name': { aspect: '1:1' }, card: { aspect: '5:7' } };
    const given = { aspect: '16:9', layout, presets, sources: [{ media: narrow, aspect: '1:1' }] };
    const page = await open(given, { width, height });
    expect(await axeViolationsInBothSchemes(page)).toEqual([]);
    await page.getByRole('radio', { name: 'Draw a crop' }).check();
    await enter(page, 'Width', '9999');
    expect(await axeViolationsInBothSchemes(page)).toEqual([]);
    for (const control of await page.getByRole('dialog').locator('button, input').all()) {
      if (!(await control.isVisible())) continue;
      await control.scrollIntoViewIfNeeded();
      const { x = -1, width: wide = 0 } = (await control.boundingBox()) ?? {};
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + wide).toBeLessThanOrEqual(width);
    }
    await page.getByRole('tab', { name: narrow }).click();
    expect(await axeViolationsInBothSchemes(page)).toEqual([]);
  });
});

const focusedLabel = `(() => {
  const { activeElement: one } = document.querySelector('#host').shadowRoot;
  return one?.ariaLabel ?? one?.closest('label')?.textContent ?? one?.textContent ?? 'nothing';
})()`;

async function notes(page: Page): Promise<string[]> {
  return page.locator('.note:not([hidden])').allTextContents();
}

async function enter(page: Page, name: string, value: string): Promise<void> {
  const input = page.getByRole('spinbutton', { name });
  await input.fill(value);
  await input.press('Enter');
}
