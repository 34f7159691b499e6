import type { Page } from 'playwright-core';

/** Blocks every rendition until the returned function is called. */
export async function holdImages(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/_astro/media-asset/**', async (route) => {
    await released;
    await route.continue().catch(() => {});
  });
  return release;
}

/** The page's cumulative layout shift so far, to a ten-thousandth: browsers round positions. */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const shift = list.getEntries().reduce((sum, { value }) => sum + value, 0);
      resolve(Math.round(shift * 10_000) / 10_000);
    }).observe({ type: 'layout-shift', buffered: true });
    // An observer is not told of nothing.
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)));
  })`);
}
