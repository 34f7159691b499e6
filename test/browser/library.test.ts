/** @module-tag slow */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { drawTestImages } from '../support/images/test-images.ts';
import { type EmulatorProcess, startEmulatorProcess } from '../support/service/emulator-process.ts';
import { postUsage, removalBody, usageBody } from '../support/service/usage-posts.ts';
import { findChromium, openBrowser, type TestBrowser } from '../support/site/browser.ts';

const chromium = findChromium();

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error("The element isn't shown.");
  return box;
}

describe.skipIf(chromium === undefined)('the library in a browser', () => {
  let media: string;
  let emulator: EmulatorProcess;
  let browser: TestBrowser;

  const open = async (path: string, options: { width?: number; dark?: boolean } = {}) => {
    const { width = 1280, dark = false } = options;
    const page = await browser.open({
      baseURL: emulator.url,
      viewport: { width, height: 900 },
      colorScheme: dark ? 'dark' : 'light',
    });
    await page.goto(path);
    return page;
  };

  beforeAll(async () => {
    media = await drawTestImages([
      { path: 'harbour/quay.jpg', width: 1200, height: 600 },
      { path: 'harbour/tower.jpg', width: 600, height: 1200, orientation: 6 },
      { path: `ships/${'a-long-name-without-a-space-'.repeat(6)}.png`, width: 60, height: 40 },
      { path: 'ships/<img src=x onerror=alert(1)> العربية.png', width: 40, height: 40 },
    ]);
    await writeFile(join(media, 'plan.pdf'), '%PDF-1.4');
    emulator = await startEmulatorProcess({ media });
    browser = await openBrowser(chromium ?? '');
  });

  beforeEach(() => emulator.reset());

  afterEach(async () => {
    await browser.closePages();
    expect(browser.problems()).toEqual([]);
  });

  afterAll(async () => {
    await browser?.close();
    await emulator?.stop();
    await rm(media, { recursive: true, force: true });
  });

  test('finds files, and keeps the search in the URL', async () => {
    const page = await open('/');
    await page.getByRole('searchbox', { name: 'Search' }).fill('quay');
    await page.keyboard.press('Enter');
    await page.getByText('1 file for “quay”', { exact: true }).waitFor();
    expect(await page.locator('.card').count()).toBe(1);
    expect(new URL(page.url()).search).toBe('?q=quay');

    await page.reload();
    expect(await page.getByRole('searchbox').inputValue()).toBe('quay');
    await page.getByRole('searchbox').fill('no such thing');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('No file matches “no such thing”.').waitFor();
    await page.getByRole('link', { name: 'Show all files' }).click();
    await page.getByText('5 files', { exact: true }).first().waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  test('opens an asset from its card with the keyboard alone', async () => {
    const page = await open('/?q=tower');
    await page.getByRole('link', { name: 'tower' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'tower' }).waitFor();
    const picture = page.getByRole('img', { name: 'tower' });
    await picture.evaluate((image: { decode(): Promise<void> }) => image.decode());
    const { width = 0, height = 0 } = (await picture.boundingBox()) ?? {};
    expect(height / width).toBeCloseTo(2, 1);
    for (const fact of ['4712', '600 × 1200', 'image/jpeg', 'harbour'])
      await page.locator('dl').getByText(fact, { exact: true }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download original' }).click();
    expect((await download).suggestedFilename()).toBe('tower.jpg');
  });

  test('adds a reported usage, and removes a deleted one, without a reload', async () => {
    const page = await open('/asset/4711');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.evaluate('window.sameDocument = true');
    await postUsage(emulator, usageBody);
    const link = page.getByRole('link', { name: 'The quay' });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe('https://www.example.org/quay/');
    const announced = page.locator('[role=status]').getByText('On 1 page of 1 site');
    await announced.waitFor({ state: 'attached' });

    await link.focus();
    await postUsage(emulator, {
      ...usageBody,
      web: { page: 'https://www.example.org/', pageName: 'Home' },
    });
    await page.getByText('On 2 pages of 1 site').first().waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('The quay');

    await postUsage(emulator, removalBody);
    await link.waitFor({ state: 'detached' });
    expect(await page.evaluate('window.sameDocument')).toBe(true);
  });

  test('updates page counts in the grid live', async () => {
    const page = await open('/?q=quay');
    await page.getByText('Live', { exact: true }).waitFor();
    await postUsage(emulator, usageBody);
    await page.getByText('On 1 page', { exact: true }).waitFor();
  });

  test('draws a crop with mouse and keyboard, and copies it as source code', async () => {
    const page = await open('/asset/4711');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const { x, y, width = 0, height } = await boxOf(page.getByRole('img', { name: 'quay' }));
    expect(width / height).toBeCloseTo(2);
    const at = (left: number, top: number) =>
      [x + (left * width) / 1200, y + (top * height) / 600] as const;
    const drag = async (from: readonly [number, number], to: readonly [number, number]) => {
      await page.mouse.move(...from);
      await page.mouse.down();
      await page.mouse.move(...to, { steps: 3 });
      await page.mouse.up();
    };
    const crop = async () => {
      const values = ['X', 'Y', 'Width', 'Height'].map((name) =>
        page.getByRole('spinbutton', { name }).inputValue(),
      );
      return (await Promise.all(values)).map(Number);
    };
    /** The mouse is at whole pixels of the window. */
    const close = (values: number[]) => values.map((value) => Math.round(value / 10) * 10);

    await drag(at(300, 100), at(700, 400));
    expect(close(await crop())).toEqual([300, 100, 400, 300]);
    await drag(at(500, 250), at(600, 350));
    expect(close(await crop())).toEqual([400, 200, 400, 300]);
    await drag(at(780, 480), at(880, 530));
    expect(close(await crop())).toEqual([400, 200, 500, 350]);

    await page.getByRole('spinbutton', { name: 'X' }).fill('410');
    await page.getByRole('spinbutton', { name: 'Y' }).fill('200');
    await page.getByRole('spinbutton', { name: 'Width' }).fill('500');
    await page.getByRole('spinbutton', { name: 'Height' }).fill('9000');
    await page.getByRole('group', { name: 'Crop' }).focus();
    expect(await crop()).toEqual([410, 0, 500, 600]);
    await page.keyboard.press('Shift+ArrowUp');
    await page.keyboard.press('Control+ArrowLeft');
    await page.keyboard.press('ArrowDown');
    expect(await crop()).toEqual([400, 1, 500, 599]);
    for (const [name, text] of [
      [
        'Astro',
        '<MediaAsset id={4711} crop={{ x: 400, y: 1, width: 500, height: 599 }} alt="quay" />',
      ],
      ['Markdown', '![quay](media:4711?crop=400,1,500,599)'],
      [
        'Frontmatter',
        'hero:\n  id: 4711\n  alt: "quay"\n  crop: { x: 400, y: 1, width: 500, height: 599 }',
      ],
    ] as const) {
      await page.getByRole('button', { name: `Copy ${name}` }).press('Enter');
      await page
        .locator('[role=status]')
        .getByText(`Copied ${name}`)
        .waitFor({ state: 'attached' });
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(text);
    }
  });

  test('works without scripts', async () => {
    await postUsage(emulator, usageBody);
    const page = await browser.open({ baseURL: emulator.url, javaScriptEnabled: false });
    await page.goto('/');
    await page.getByLabel('Search').fill('quay');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'quay' }).click();
    await page.getByRole('link', { name: 'The quay' }).waitFor();
  });

  test.each([390, 800, 1280, 1600])('fits a window of %i px', async (width) => {
    await postUsage(emulator, { ...usageBody, id: [4713, 4714] });
    for (const path of ['/', '/?folder=ships', '/asset/4713', '/asset/4714']) {
      const page = await open(path, { width });
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect({ path, overflow }).toEqual({ path, overflow: 0 });
    }
  });

  test('shows whole images in the grid, without distortion', async () => {
    const page = await open('/?folder=harbour');
    await page.waitForLoadState('networkidle');
    const pictures = await page.evaluate(`[...document.querySelectorAll('.card img')].map(
      (image) => [image.naturalWidth, image.naturalHeight, getComputedStyle(image).objectFit])`);
    expect(pictures).toEqual([
      [600, 300, 'scale-down'],
      [300, 600, 'scale-down'],
    ]);
  });
});
