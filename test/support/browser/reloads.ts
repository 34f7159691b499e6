import type { Page } from 'playwright-core';

/** Does something that changes a source, and waits until the dev server has reloaded the page. */
export async function reloads(page: Page, change: () => Promise<unknown>): Promise<void> {
  await page.evaluate('globalThis.isBeforeReload = true');
  await change();
  await page.waitForFunction('!globalThis.isBeforeReload');
}
