/** @module-tag slow */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawTestPictures } from '../support/images/test-images.ts';
import { type EmulatorProcess, startEmulatorProcess } from '../support/service/emulator-process.ts';
import { postUsage, usageBody } from '../support/service/usage-posts.ts';
import { findChromium, openBrowser, type TestBrowser } from '../support/site/browser.ts';
import { lowContrast, unnamedControls } from '../support/site/page-checks.ts';

const chromium = findChromium();

const authorize =
  '/authorize?response_type=code&client_id=emulator&redirect_uri=http://127.0.0.1:1/callback';

describe.skipIf(chromium === undefined)('the emulator’s pages for everyone', () => {
  let media: string;
  let emulator: EmulatorProcess;
  let browser: TestBrowser;

  beforeAll(async () => {
    media = await drawTestPictures([{ path: 'harbour/quay.jpg', width: 1200, height: 600 }]);
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
    expect(tree).toContain('- region "Where it is used":');
    expect(tree).toMatch(/- heading "www\.example\.org.*" \[level=3\]/);
    expect(tree).toContain('- link "The quay"');
    expect(await page.locator('[role=status]').count()).toBe(1);
  });

  test('the keyboard reaches the content first, and its focus is seen', async () => {
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
