import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { findChromium, openBrowser, type TestBrowser } from './browser.ts';

const chromium = findChromium();

/** As `describe`. Skipped if there's no browser. */
export const describeInBrowser: ReturnType<typeof describe.skipIf> = describe.skipIf(
  chromium === undefined,
);

/**
 * A browser for the tests of a `describeInBrowser`. After each test, its pages are closed, and the test
 * fails if they've had a problem that it hasn't asked for.
 */
export function useBrowser(): Pick<TestBrowser, 'open' | 'problems'> {
  let browser: TestBrowser | undefined;
  const opened = (): TestBrowser => {
    if (!browser) throw new Error("The browser isn't open yet.");
    return browser;
  };
  beforeAll(async () => {
    browser = await openBrowser(chromium ?? '');
  });
  afterEach(async () => {
    await opened().closePages();
    expect(opened().problems()).toEqual([]);
  });
  afterAll(() => browser?.close());
  return { open: (options) => opened().open(options), problems: () => opened().problems() };
}
