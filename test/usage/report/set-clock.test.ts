import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { loadLedger } from '../../../src/usage/ledger/stored-ledger.ts';
import { appending } from '../../support/ledger/service-model.ts';
import { manifestOf } from '../../support/ledger/usage-fixtures.ts';
import { openUsageSite, type UsageSite } from '../../support/ledger/usage-site.ts';

const oneDay = 24 * 60 * 60 * 1000;
const semantics = { ...appending, matches: 'all-fields' } as const;

let usageSite: UsageSite;

beforeEach(async () => {
  usageSite = await openUsageSite({ semantics });
});

const ledger = async () => (await loadLedger(usageSite.store, usageSite.identity)).ledger;

test('a pair keeps its first date, with any setting of the clock', async () => {
  const run = fc.record({
    day: fc.integer({ min: 0, max: 30_000 }),
    name: fc.constantFrom('Harbour', 'The harbour'),
    ids: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(run, { minLength: 2, maxLength: 6 }), async (runs) => {
      const site = await openUsageSite({ semantics });
      const expected = new Map<number, string>();
      for (const { day, name, ids } of runs) {
        site.now = day * oneDay;
        for (const id of expected.keys()) if (!ids.includes(id)) expected.delete(id);
        for (const id of ids) {
          if (!expected.has(id)) expected.set(id, new Date(site.now).toISOString().slice(0, 10));
        }
        await site.report(manifestOf({ '/': [name, ...ids] }));
        const listed = site.server.model.records.map(({ id, date }) => [id, date] as const);
        expect(new Map(listed)).toEqual(expected);
        expect(listed).toHaveLength(expected.size);
      }
    }),
    { numRuns: 20 },
  );
});

describe('an unsent usage', () => {
  const shown = manifestOf({ '/': ['Harbour', 1] });

  beforeEach(() => {
    usageSite.server.treat = () => ({ status: 503 });
  });

  test.each<[string, [day: string, outcome: 'unsent' | 'failed', since: string][]]>([
    [
      'waits from today, and no longer, if the clock is set back to before its start',
      [
        ['2031-01-01', 'unsent', '2031-01-01'],
        ['2026-03-02', 'unsent', '2026-03-02'],
        ['2026-03-09', 'unsent', '2026-03-02'],
        ['2026-03-10', 'failed', '2026-03-02'],
      ],
    ],
    [
      'still waits from its start if the clock is set back to a time after it',
      [
        ['2026-03-02', 'unsent', '2026-03-02'],
        ['2026-03-08', 'unsent', '2026-03-02'],
        ['2026-03-04', 'unsent', '2026-03-02'],
        ['2026-03-10', 'failed', '2026-03-02'],
      ],
    ],
    [
      "doesn't fail for good after a day in the far future",
      [
        ['2026-03-02', 'unsent', '2026-03-02'],
        ['2031-01-01', 'failed', '2026-03-02'],
        ['2026-03-03', 'unsent', '2026-03-02'],
      ],
    ],
  ])('%s', async (_, runs) => {
    for (const [day, outcome, since] of runs) {
      usageSite.now = Date.parse(`${day}T08:00:00Z`);
      const { failure, ...result } = await usageSite.report(shown);
      expect(result.outcome).toBe(outcome);
      expect(failure?.message).toBe(
        outcome === 'failed'
          ? `1 usage unsent, the first since ${since}T08:00:00.000Z, longer than 7 days.`
          : undefined,
      );
      expect((await ledger()).unsentSince).toBe(`${since}T08:00:00.000Z`);
    }
    usageSite.server.treat = () => 'done';
    expect(await usageSite.report(shown)).toMatchObject({ outcome: 'done' });
    expect((await ledger()).unsentSince).toBeUndefined();
  });
});

describe('a build whose clock was 400 days ahead', () => {
  const shown = manifestOf({ '/': ['Harbour', 1] });
  const next = manifestOf({ '/': ['Harbour', 1, 2] });
  const today = Date.parse('2026-03-02T08:00:00Z');
  const ahead = new Date(today + 400 * oneDay).toISOString();
  const later = '2026-03-02T07:59:00.000Z';
  const clock = { code: 'clock-ahead', message: expect.stringContaining(ahead) };

  test('lets later builds pass, which are told of its clock', async () => {
    usageSite.now = Date.parse(ahead);
    await usageSite.report(shown, { startedAt: ahead });
    expect((await ledger()).startedAt).toBe(ahead);
    usageSite.now = today;
    const result = await usageSite.report(next, { startedAt: later });
    expect(result).toMatchObject({ outcome: 'done', findings: [clock] });
    expect((await ledger()).startedAt).toBe(later);
    const older = { startedAt: '2026-03-02T07:00:00.000Z' };
    await expect(usageSite.report(shown, older)).rejects.toThrow(
      'before the one that was reported',
    );
  });

  test('is reported, and its start counts as unknown', async () => {
    usageSite.now = today;
    const result = await usageSite.report(shown, { startedAt: ahead });
    expect(result).toMatchObject({
      outcome: 'done',
      findings: [{ code: 'ledger-missing' }, clock],
    });
    expect((await ledger()).startedAt).toBeUndefined();
  });
});
