/** @module-tag slow */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawTestImages } from '../support/images/test-images.ts';
import { type EmulatorProcess, startEmulatorProcess } from '../support/service/emulator-process.ts';
import { postUsage, usageBody } from '../support/service/usage-posts.ts';
import { findChromium, openBrowser, type TestBrowser } from '../support/site/browser.ts';

const chromium = findChromium();

const authorize =
  '/authorize?response_type=code&client_id=emulator&redirect_uri=http://127.0.0.1:1/callback';

describe.skipIf(chromium === undefined)("the emulator's pages for everyone", () => {
  let media: string;
  let emulator: EmulatorProcess;
  let browser: TestBrowser;

  beforeAll(async () => {
    media = await drawTestImages([{ path: 'harbour/quay.jpg', width: 1200, height: 600 }]);
    await writeFile(join(media, 'plan.pdf'), '%PDF-1.4');
    emulator = await startEmulatorProcess({ media });
    await postUsage(emulator, usageBody);
    browser = await openBrowser(chromium ?? '');
  });

  afterAll(async () => {
    await browser?.close();
    await emulator?.stop();
    await rm(media, { recursive: true, force: true });
  });

  test('the library has landmarks, headings and names', async () => {
    const page = await browser.open({ baseURL: emulator.url });
    await page.goto('/?folder=harbour');
    const tree = await page.locator('body').ariaSnapshot();
    expect(tree).toContain('- link "Skip to content"');
    expect(tree).toContain('- banner:');
    expect(tree).toContain('- main:');
    expect(tree).toContain('- heading "harbour" [level=1]');
    expect(tree).toContain('- search:');
    expect(tree).toMatch(/- searchbox "Search"/);
    expect(tree).toContain('- navigation "Folders":');
    expect(tree).toContain('- link "quay"');
  });

  test('an asset has landmarks, headings and names', async () => {
    const page = await browser.open({ baseURL: emulator.url });
    await page.goto('/asset/4711');
    const tree = await page.locator('body').ariaSnapshot();
    expect(tree).toContain('- heading "quay" [level=1]');
    expect(tree).toContain('- img "quay"');
    expect(tree).toContain('- region "About this file":');
    expect(tree).toContain('- region "Where it’s used":');
    expect(tree).toMatch(/- heading "www\.example\.org.*" \[level=3\]/);
    expect(tree).toContain('- link "The quay"');
    expect(await page.locator('[role=status]').count()).toBe(1);
  });

  test('the keyboard reaches the content first, and its focus is visible', async () => {
    const page = await browser.open({ baseURL: emulator.url });
    await page.goto('/');
    await page.keyboard.press('Tab');
    const focused = 'document.activeElement';
    expect(await page.evaluate(`${focused}.textContent`)).toBe('Skip to content');
    expect(await page.evaluate(`${focused}.getBoundingClientRect().left >= 0`)).toBe(true);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(`getComputedStyle(${focused}).outlineStyle`)).toBe('solid');
  });

  const addresses = ['/', '/?q=none', '/?folder=harbour', '/asset/4711', '/asset/4712', authorize];
  test.each(
    addresses.flatMap((path) =>
      (['light', 'dark'] as const).map((scheme) => [path, scheme] as const),
    ),
  )('%s in %s colours has readable text and named controls', async (path, colorScheme) => {
    const page = await browser.open({ baseURL: emulator.url, colorScheme });
    await page.goto(path);
    expect(await unnamedControls(page)).toEqual([]);
    expect(await lowContrast(page)).toEqual([]);
    await browser.closePages();
  });

  test('low contrast and missing names are found', async () => {
    const page = await browser.open({ baseURL: emulator.url });
    await page.goto('/');
    await page.evaluate(`document.querySelector('h1').style.color = '#bbb'`);
    await page.evaluate(`document.querySelector('label').remove()`);
    await page.evaluate(`document.querySelector('.search button').textContent = ''`);
    expect(await lowContrast(page)).toEqual([expect.stringContaining('Library')]);
    expect(await unnamedControls(page)).toEqual(['button']);
  });
});

/** Interactive roles and images of a page that have no name for a screen reader. */
async function unnamedControls(page: Page): Promise<string[]> {
  const tree = await page.locator('body').ariaSnapshot();
  const named =
    /- (link|button|searchbox|textbox|combobox|checkbox|radio|spinbutton|img)\b(?! ["/])/g;
  return [...tree.matchAll(named)].map(([, role]) => role ?? '');
}

/**
 * The texts of a page whose contrast with their background is below WCAG's AA: 4.5, or 3 for large
 * ones. Supports only plain background colours, like those of the emulator's pages.
 */
function lowContrast(page: Page): Promise<string[]> {
  return page.evaluate(findLowContrast);
}

/** Runs in the page. */
const findLowContrast = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const over = ([r, g, b, a], ground) =>
    [r, g, b].map((value, index) => (value * a + ground[index] * (255 - a)) / 255);
  const groundOf = (element) => {
    if (element === null) return dark ? [18, 18, 18] : [255, 255, 255];
    const own = rgba(getComputedStyle(element).backgroundColor);
    return own[3] === 255 ? own.slice(0, 3) : over(own, groundOf(element.parentElement));
  };
  const opacityOf = (element) =>
    element === null ? 1 : Number(getComputedStyle(element).opacity) * opacityOf(element.parentElement);
  const problems = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const text = texts.currentNode.data.trim();
    if (text === '' || !element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ground = groundOf(element);
    const [r, g, b, a] = rgba(style.color);
    const ink = over([r, g, b, a * opacityOf(element)], ground);
    const [low, high] = [luminance(ink), luminance(ground)].sort((one, other) => one - other);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < (large ? 3 : 4.5)) problems.push(ratio.toFixed(2) + ' ' + text);
  }
  return problems;
})()`;
