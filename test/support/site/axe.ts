import { readFile } from 'node:fs/promises';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const script = readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Checks a page with axe, open shadow roots included.
 *
 * @param within CSS selector of the part to check
 * @returns one line per violation and element: `rule: what's wrong (selector)`
 */
export async function axeViolations(page: Page, within = 'html'): Promise<string[]> {
  // As an expression, not as a script element, which a page's Content Security Policy can refuse.
  await page.evaluate(`${await script}; undefined`);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(within)})`);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target }) => `${id}: ${help} (${target.join(' ')})`),
  );
}
