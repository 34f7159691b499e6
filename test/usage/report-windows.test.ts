import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlannedRequest } from '../../src/usage/plan-usage.ts';
import { reportWindows } from '../../src/usage/report-windows.ts';
import { site, siteFields } from '../support/usage-fixtures.ts';

const purposes = ['new', 'replacement', 'gone'] as const;

/** Requests of steps with so many requests each, in the order of a plan. */
function requestsOf(steps: readonly [purpose: PlannedRequest['purpose'], requests: number][]) {
  return steps
    .toSorted(([a], [b]) => purposes.indexOf(a) - purposes.indexOf(b))
    .flatMap(([purpose, count], step) =>
      Array.from({ length: count }, (_, index): PlannedRequest => {
        const usage = {
          ...siteFields,
          page: `${site}/${step}/`,
          pageName: 'A',
          date: '2026-03-01',
        };
        return { ...usage, ids: [index + 1], removed: false, purpose, step };
      }),
    );
}

test('windows hold all requests in order, one purpose each, whole steps, and no more than allowed', () => {
  const step = fc.tuple(fc.constantFrom(...purposes), fc.integer({ min: 1, max: 4 }));
  fc.assert(
    fc.property(fc.array(step), fc.integer({ min: 1, max: 9 }), (steps, size) => {
      const requests = requestsOf(steps);
      const windows = reportWindows(requests, size);
      expect(windows.flat(2)).toEqual(requests);
      const seen = new Set<number>();
      for (const window of windows) {
        expect(new Set(window.flat().map(({ purpose }) => purpose)).size).toBe(1);
        if (window.length > 1) expect(window.flat().length).toBeLessThanOrEqual(size);
        for (const [first] of window) {
          expect(seen.has(first?.step ?? -1)).toBe(false);
          seen.add(first?.step ?? -1);
        }
      }
    }),
  );
});

test('as few windows as possible are made', () => {
  const windows = reportWindows(requestsOf(Array.from({ length: 250 }, () => ['new', 1])), 100);
  expect(windows.map((window) => window.length)).toEqual([100, 100, 50]);
});
