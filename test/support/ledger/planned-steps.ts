import type { PlannedStep } from '../../../src/usage/plan/plan-usage.ts';
import { site, siteFields } from './usage-fixtures.ts';

/** Steps of so many requests each, a page a step. */
export function stepsOf(lengths: readonly number[]): PlannedStep[] {
  return lengths.map((length, step) => {
    const page = `${site}/${step}/`;
    const usage = { ...siteFields, page, pageName: 'A', date: '2026-03-01', removed: false };
    const requests = Array.from({ length }, (_, index) => ({ ...usage, ids: [index + 1] }));
    return { page, purpose: 'new', requests };
  });
}
