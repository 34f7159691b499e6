import { readFile } from 'node:fs/promises';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const script = readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Colours that are still changing have another contrast. */
const transitionsEnd = `(() => {
  const below = (root) => [
    ...root.getAnimations(),
    ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ? below(shadowRoot) : []),
  ];
  const transitions = below(document).filter((one) => one instanceof CSSTransition);
  return Promise.allSettled(transitions.map(({ finished }) => finished));
})()`;

/** The rules whose results differ in another colour scheme. */
const rulesOfColors = ['color-contrast', 'link-in-text-block'];

/** Checks a page with axe in both colour schemes. @returns as `axeViolations` */
export async function axeViolationsInBothSchemes(page: Page, within?: string): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(transitionsEnd);
    const rules = colorScheme === 'dark' ? rulesOfColors : undefined;
    for (const line of await axeViolations(page, within, { rules }))
      found.push(`${colorScheme}: ${line}`);
  }
  return found;
}

/**
 * Checks a page with axe, open shadow roots included.
 *
 * @param within CSS selector of the part to check
 * @param only.impacts of the violations to return; default: all
 * @param only.rules the rules to check; default: all that axe has
 * @returns one line per violation and element: `rule: what's wrong (selector)`
 */
export async function axeViolations(
  page: Page,
  within = 'html',
  { impacts, rules }: { impacts?: readonly string[]; rules?: readonly string[] | undefined } = {},
): Promise<string[]> {
  // As an expression, not as a script element, which a page's Content Security Policy can refuse.
  if (!(await page.evaluate("'axe' in globalThis")))
    await page.evaluate(`${await script}; undefined`);
  // Only experimental rules, which don't run, read style sheets. The other results take most of the time.
  const options = {
    resultTypes: ['violations'],
    preload: { assets: ['media'] },
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  };
  const { violations } = await page.evaluate<Pick<AxeResults, 'violations'>>(
    `axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)})
      .then(({ violations }) => ({ violations }))`,
  );
  return violations
    .filter(({ impact }) => !impacts || impacts.includes(impact ?? ''))
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target }) => `${id}: ${help} (${target.join(' ')})`),
    );
}
