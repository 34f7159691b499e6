import { describe, expect, test } from 'vitest';
import {
  datedRefusals,
  keptRefusals,
  type LastRun,
  pastTime,
} from '../../../src/usage/ledger/last-run.ts';
import { site } from '../../support/ledger/usage-fixtures.ts';

const day = (number: number) => `2026-03-0${number}T08:00:00.000Z`;
const now = Date.parse(day(5));

const refusal = (id: number, { text = 'no such file', removed = false, path = '/' } = {}) => {
  return { page: `${site}${path}`, id, removed, status: 422, text };
};

/** The last run, which knows these refusals. */
const lastRun = (...refused: LastRun['refused']): LastRun => {
  const counts = { reported: 0, removed: 0, requests: 1, unsent: refused.length, held: 0 };
  return { at: day(4), ...counts, refusals: refused.length, refused };
};

describe('the refusals that a ledger keeps', () => {
  test('are the first hundred, and all are counted', () => {
    const refused = Array.from({ length: 101 }, (_, n) => ({ ...refusal(n + 1), since: day(1) }));
    expect(keptRefusals(refused)).toEqual({ refusals: 101, refused: refused.slice(0, 100) });
  });

  test("have the first 300 characters of the service's answer", () => {
    const text = Array.from({ length: 301 }, (_, n) => n % 10).join('');
    const { refused } = keptRefusals([{ ...refusal(1, { text }), since: day(1) }]);
    expect(refused).toEqual([{ ...refusal(1, { text: text.slice(0, -1) }), since: day(1) }]);
  });
});

describe('a refusal', () => {
  test('keeps the date of the last run, and the oldest comes first', () => {
    const known = lastRun(
      { ...refusal(2), since: day(2) },
      { ...refusal(3), since: day(1) },
      { ...refusal(1, { path: '/quay/' }), since: day(1) },
    );
    const dated = datedRefusals([refusal(1), refusal(2), refusal(3)], { lastRun: known, now });
    expect(dated).toEqual([
      { ...refusal(3), since: day(1) },
      { ...refusal(2), since: day(2) },
      { ...refusal(1), since: day(5) },
    ]);
  });

  test('of a usage that is refused twice is the first one, in the order of the run', () => {
    const [removal, report] = [refusal(1, { removed: true }), refusal(1)];
    const dated = datedRefusals([removal, report, refusal(2)], { lastRun: undefined, now });
    expect(dated.map(({ since: _, ...one }) => one)).toEqual([removal, refusal(2)]);
  });
});

test.each([
  ['before now', day(4), day(4)],
  ['now', day(5), day(5)],
  ['of a clock that was ahead', day(6), day(5)],
  ['that no one knows', undefined, day(5)],
])('a time %s (%s) counts as %s', (_, known, expected) => {
  expect(pastTime(known, now)).toBe(expected);
});
