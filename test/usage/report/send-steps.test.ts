import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyLedger, type Ledger, toRecord } from '../../../src/usage/ledger/ledger.ts';
import { ledgerIdentity } from '../../../src/usage/ledger/ledger-identity.ts';
import type { PlannedStep } from '../../../src/usage/plan/plan-usage.ts';
import { createRunLedger, sendSteps } from '../../../src/usage/report/run-ledger.ts';
import { identity, site, siteFields } from '../../support/ledger/usage-fixtures.ts';

/** Steps with these numbers of requests, each for another page. */
function stepsOf(lengths: readonly number[]): PlannedStep[] {
  return lengths.map((length, step) => {
    const page = `${site}/${step}/`;
    const usage = { ...siteFields, page, pageName: 'A', date: '2026-03-01', removed: false };
    const requests = Array.from({ length }, (_, index) => ({ ...usage, ids: [index + 1] }));
    return { page, purpose: 'new', requests };
  });
}

/** The number of requests in doubt on each page. */
function doubts({ pages }: Ledger): Map<string, number> {
  return new Map(
    [...pages].map(([page, records]) => [
      page,
      records.filter(({ state }) => state === 'in-doubt').flatMap(({ ids }) => ids).length,
    ]),
  );
}

const sum = (counts: Iterable<number>) => [...counts].reduce((all, one) => all + one, 0);

/** Sends steps with these numbers of requests. `wait` controls their order. */
async function run({
  lengths,
  windowSize,
  concurrency = 4,
  wait = async () => {},
  save = async () => {},
  isStopped = () => false,
}: {
  lengths: readonly number[];
  windowSize: number;
  concurrency?: number;
  wait?: (what: string) => Promise<void>;
  save?: () => Promise<void>;
  isStopped?: () => boolean;
}) {
  const steps = stepsOf(lengths);
  const ledger = createRunLedger(emptyLedger(ledgerIdentity(identity)));
  const seen = { stored: [] as Map<string, number>[], sent: [] as string[], under: 0, most: 0 };
  const problems: string[] = [];
  /** The number of writes that started while requests were in progress. */
  let overlapping = 0;
  await sendSteps({
    steps,
    windowSize,
    concurrency,
    ledger,
    isStopped,
    async save() {
      const next = doubts(ledger.snapshot());
      if (seen.under > 0) overlapping += 1;
      await wait('save');
      await save();
      seen.stored.push(next);
    },
    async send(step: PlannedStep) {
      const { page, requests } = step;
      // The last stored ledger is what a run that is killed now leaves.
      const doubt = seen.stored.at(-1)?.get(page);
      if (doubt !== requests.length) problems.push(`${page} was sent with ${doubt} in doubt`);
      seen.under += 1;
      seen.most = Math.max(seen.most, seen.under);
      seen.sent.push(page);
      await wait('send');
      const changes = requests.map((request) => toRecord(request, 'confirmed' as const));
      ledger.answer(step, { changes, isProven: true });
      seen.under -= 1;
    },
  });
  return { ...seen, steps, problems, overlapping, ledger };
}

describe('the window of requests in doubt', () => {
  test('never holds more than its size, and each step is in it before it is sent', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 30 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 5 }),
        fc.scheduler(),
        async (lengths, windowSize, concurrency, scheduler) => {
          const wait = async (what: string) =>
            void (await scheduler.schedule(Promise.resolve(what)));
          const running = run({ lengths, windowSize, concurrency, wait });
          const { stored, sent, steps, problems, most, ledger } = await scheduler.waitFor(running);
          expect(problems).toEqual([]);
          expect(sent).toEqual(steps.map(({ page }) => page));
          expect(most).toBeLessThanOrEqual(concurrency);
          for (const doubt of stored) {
            const inDoubt = [...doubt.values()].filter((count) => count > 0);
            if (inDoubt.length > 1) expect(sum(inDoubt)).toBeLessThanOrEqual(windowSize);
          }
          expect(ledger.inDoubt()).toBe(0);
          expect(sum(doubts(ledger.snapshot()).values())).toBe(0);
        },
      ),
    );
  });

  test('is stored again while requests are in progress', async () => {
    const wait = () => new Promise<void>((done) => setImmediate(done));
    const { stored, overlapping } = await run({
      lengths: Array(100).fill(1),
      windowSize: 20,
      wait,
    });
    expect(stored.length).toBeGreaterThan(2);
    expect(overlapping).toBe(stored.length - 1);
    // Three quarters of a window each time.
    expect(stored.length).toBeLessThanOrEqual(1 + Math.ceil((100 - 20) / 15));
  });

  test('contains nothing unsent after the run is stopped in the middle of a write', async () => {
    let isStopped = false;
    const { ledger } = await run({
      lengths: [1, 1, 1, 1],
      windowSize: 2,
      save: async () => {
        isStopped = true;
      },
      isStopped: () => isStopped,
    });
    expect(ledger.inDoubt()).toBe(0);
  });
});
