import type { PlannedRequest } from '../../src/usage/plan-usage.ts';
import { site, siteFields } from './usage-fixtures.ts';

export const purposes = ['new', 'replacement', 'gone'] as const;

/** Requests of steps with so many requests each, a page a step, in the order of a plan. */
export function requestsOf(
  steps: readonly [purpose: PlannedRequest['purpose'], requests: number][],
): PlannedRequest[] {
  return steps
    .toSorted(([a], [b]) => purposes.indexOf(a) - purposes.indexOf(b))
    .flatMap(([purpose, count], step) =>
      Array.from({ length: count }, (_, index): PlannedRequest => {
        const page = `${site}/${step}/`;
        const usage = { ...siteFields, page, pageName: 'A', date: '2026-03-01' };
        return { ...usage, ids: [index + 1], removed: false, purpose, step };
      }),
    );
}
