import fastGlob from 'fast-glob';
import type { Page } from 'playwright-core';
import { axeViolations } from '../../../test/support/browser/axe.ts';
import type { TestBrowser } from '../../../test/support/browser/browser.ts';

/** Pages of every kind. */
const kinds = ['', 'examples/', 'errors/asset-forbidden/', 'guides/reporting/'];

const windows = [390, 800, 1280].flatMap((width) => [
  { width, colorScheme: 'light' } as const,
  { width, colorScheme: 'dark' } as const,
]);
/** A phone with a light page, and a wide window with a dark one. */
const two = [windows[0], windows[5]].filter((one) => one !== undefined);

/** The name of the button begins with the word that it shows, which Starlight hides from the tree. */
const knownOfStarlight = /^label-content-name-mismatch: .*button\[data-open-modal/;

/** Without a buffer, layout shifts before the first script would be lost. */
const countShifts = `globalThis.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) globalThis.shift += entry.value;
}).observe({ type: 'layout-shift', buffered: true });`;

/**
 * Opens pages as a reader does: none scrolls sideways, moves while it loads, or fails axe.
 *
 * @param isFull all pages of the docs in all windows, instead of one page of each kind in two
 */
export async function findPageProblems(
  website: { readonly browser: TestBrowser; readonly url: string; readonly dist: string },
  isFull: boolean,
): Promise<string[]> {
  const { browser, url, dist } = website;
  const all = await fastGlob('**/index.html', { cwd: dist, ignore: ['errors/**'] });
  const paths = isFull ? [...all.map((path) => path.replace('index.html', '')), ...kinds] : kinds;
  const problems: string[] = [];
  for (const { width, colorScheme } of isFull ? windows : two) {
    const viewport = { width, height: 900 };
    const page = await browser.open({ baseURL: url, viewport, colorScheme });
    await page.addInitScript(countShifts);
    // A busy machine takes longer than the usual 30 seconds.
    page.setDefaultTimeout(180_000);
    for (const path of new Set(paths)) {
      const where = `/${path} at ${width} px, ${colorScheme}:`;
      let found = await visit(page, path);
      // On a busy machine, something can come late once. What is wrong in the page is so at each visit.
      if (found.shift > mostShift || found.serious.length > 0) found = await visit(page, path);
      const { wide, shift, serious } = found;
      if (wide > 0) problems.push(`${where} it scrolls ${wide} px sideways.`);
      if (shift > mostShift) problems.push(`${where} its parts move (${shift}).`);
      problems.push(...serious.map((line) => `${where} ${line}`));
    }
    problems.push(...browser.problems());
    await browser.closePages();
  }
  return problems;
}

/** Starlight takes a line of one pixel out of its navigation. */
const mostShift = 0.001;

interface Visit {
  /** How far the page can be scrolled sideways, in pixels. */
  readonly wide: number;
  /** How much its parts move while it loads. */
  readonly shift: number;
  /** The serious findings of axe. */
  readonly serious: readonly string[];
}

async function visit(page: Page, path: string): Promise<Visit> {
  await page.goto(path, { waitUntil: 'networkidle' });
  // Code that scrolls gets its focus now.
  await page.evaluate(
    'new Promise((resolve) => requestIdleCallback(resolve, { timeout: 10_000 }))',
  );
  const moved = await page.evaluate<Omit<Visit, 'serious'>>(`({
    wide: document.documentElement.scrollWidth - innerWidth,
    shift: globalThis.shift,
  })`);
  const serious = await axeViolations(page, 'html', { impacts: ['serious', 'critical'] });
  return { ...moved, serious: serious.filter((line) => !knownOfStarlight.test(line)) };
}
