/** @module-tag slow */
import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { axeViolationsInBothSchemes } from '../support/browser/axe.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser-tests.ts';
import { drawTestImages } from '../support/images/test-images.ts';
import { type EmulatorProcess, startEmulatorProcess } from '../support/service/emulator-process.ts';
import { postUsage, usageBody } from '../support/service/usage-posts.ts';

const authorize =
  '/authorize?response_type=code&client_id=emulator&redirect_uri=http://127.0.0.1:1/callback';

describeInBrowser('the library in a browser', () => {
  const browser = useBrowser();
  let media: string;
  let emulator: EmulatorProcess;

  const open = async (path: string, width = 1280) => {
    const page = await browser.open({ baseURL: emulator.url, viewport: { width, height: 900 } });
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
    await cp('playground/media/visitors/dawn-film.webm', join(media, 'visitors/dawn-film.webm'));
    const record = JSON.stringify({
      alttext: 'A fish & a quay',
      photographer: 'Ada',
      consent: 'No',
    });
    await writeFile(join(media, 'harbour/quay.jpg.json'), record);
    emulator = await startEmulatorProcess({ media });
  });

  beforeEach(() => emulator.reset());

  afterAll(async () => {
    await emulator?.stop();
    await rm(media, { recursive: true, force: true });
  });

  test('finds files, and keeps the search in the URL', async () => {
    const page = await open('/');
    await page.getByRole('searchbox', { name: 'Search' }).fill('quay');
    await page.keyboard.press('Enter');
    await page.getByText('1 file for “quay”', { exact: true }).waitFor();
    expect(await page.locator('.card').count()).toBe(1);
    expect(new URL(page.url()).search).toBe('?q=quay&folder=&show=');

    await page.reload();
    expect(await page.getByRole('searchbox').inputValue()).toBe('quay');
  });

  test('shows forbidden files of a folder with the reason, and comes back to them', async () => {
    const page = await open('/');
    await page.getByRole('combobox', { name: 'Folder' }).selectOption('harbour');
    await page.getByRole('combobox', { name: 'Show' }).selectOption('Forbidden');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('1 file in harbour, forbidden', { exact: true }).waitFor();
    await page.locator('.card').getByText('Forbidden: consent is “No”').waitFor();
    await page.getByRole('link', { name: 'quay' }).click();
    await page.getByRole('link', { name: 'Back to the library' }).click();
    await page.getByText('1 file in harbour, forbidden', { exact: true }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Show' }).inputValue()).toBe('forbidden');
  });

  test('plays a video from any place', async () => {
    const page = await open('/asset/4716');
    const [seconds, at] = await page.getByLabel('dawn-film').evaluate(async (video) => {
      const { promise, resolve } = Promise.withResolvers();
      video.addEventListener('seeked', resolve);
      video.currentTime = 4;
      await promise;
      return [Math.round(video.duration), video.currentTime];
    });
    expect([seconds, at]).toEqual([6, 4]);
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
    await page.locator('dl').getByText('600 × 1200', { exact: true }).waitFor();
  });

  test('an asset page has its usages next to the image, and whole field names', async () => {
    const page = await open('/asset/4711');
    const usages = page.getByRole('region', { name: 'Where it’s used' });
    const name = page.getByText('photographer', { exact: true });
    const parts = [usages, page.locator('.preview'), name];
    const [right, left, line] = await Promise.all(parts.map((part) => part.boundingBox()));
    expect(right?.y ?? 'hidden').toBe(left?.y);
    expect(line?.height).toBeLessThan(30);
  });

  test('the keyboard reaches the content first, and its focus is visible', async () => {
    const page = await open('/');
    await page.keyboard.press('Tab');
    const focused = 'document.activeElement';
    expect(await page.evaluate(`${focused}.textContent`)).toBe('Skip to content');
    expect(await page.evaluate(`${focused}.getBoundingClientRect().left >= 0`)).toBe(true);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(`getComputedStyle(${focused}).outlineStyle`)).toBe('solid');
  });

  test.each(['/', '/?q=nothing', '/asset/4711', '/asset/4715', '/asset/4716', authorize])(
    '%s has no accessibility violations, light and dark',
    async (path) => {
      await postUsage(emulator, usageBody);
      const page = await open(path);
      expect(await axeViolationsInBothSchemes(page)).toEqual([]);
    },
  );

  test('leads from a search to the pages that show a file', async () => {
    await postUsage(emulator, usageBody);
    const page = await open('/');
    await page.getByLabel('Search').fill('quay');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'quay' }).click();
    await page.getByRole('link', { name: 'The quay' }).waitFor();
  });

  test.each([390, 800, 1280, 1600])('fits a window of %i px', async (width) => {
    await postUsage(emulator, { ...usageBody, id: [4713, 4714] });
    const page = await open('/', width);
    for (const path of ['/', '/asset/4713', '/asset/4714', '/asset/4715', '/asset/4716']) {
      await page.goto(path);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect({ path, overflow }).toEqual({ path, overflow: 0 });
    }
  });
});
