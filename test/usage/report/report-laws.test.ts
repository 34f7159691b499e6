/** @module-tag slow */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadLedger } from '../../../src/usage/ledger/stored-ledger.ts';
import type { ReportRun } from '../../../src/usage/report/report-usage.ts';
import { anyManifest } from '../../support/ledger/any-manifest.ts';
import { everySemantics } from '../../support/ledger/service-model.ts';
import { pairsOf, siteFields } from '../../support/ledger/usage-fixtures.ts';
import type { Treatment } from '../../support/ledger/usage-server.ts';
import { openUsageSite, type UsageSite } from '../../support/ledger/usage-site.ts';
import { rounds } from '../../support/process/rounds.ts';

const treatment = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Treatment>('done') },
  fc.constantFrom<Treatment[]>('lost', 'reset', { status: 429 }, { status: 500 }),
  fc
    .record({ status: fc.constantFrom(423, 500), partly: fc.subarray([1, 2, 3, 4, 5]) })
    .map((treatment): Treatment => treatment),
);
/** A service's answer to every removal of a run. `isDone`: it carries them out nevertheless. */
const failure = fc.record({ status: fc.constantFrom(429, 500, 503), isDone: fc.boolean() });
const run = fc.record({
  manifest: anyManifest,
  project: fc.constantFrom('Harbour', 'Museum'),
  treatments: fc.array(treatment, { maxLength: 12 }),
  failure: fc.option(failure, { nil: undefined }),
  options: fc.record<Partial<ReportRun>>({
    windowSize: fc.constantFrom(1, 2, 100),
    maxIdsPerRequest: fc.constantFrom(1, 2, 100),
    concurrency: fc.constantFrom(1, 4),
  }),
});
const history = fc.record({
  semantics: fc.constantFrom(...everySemantics),
  absent: fc.constantFrom(200, 400, 404, 409, 410, 422),
  runs: fc.array(run, { minLength: 1, maxLength: 5 }),
  last: run,
});
type Run = typeof run extends fc.Arbitrary<infer Value> ? Value : never;

function report(
  usageSite: UsageSite,
  { manifest, project, options }: Pick<Run, 'manifest' | 'project' | 'options'>,
) {
  const fields = { ...siteFields, project };
  const always = { allowRemovals: true, serviceAnswered: true };
  return usageSite.report(manifest, { ...options, fields, ...always });
}

/** Each run with a healthy service leaves less, and the first complete one makes the list right. */
async function complete(usageSite: UsageSite, last: Run): Promise<void> {
  usageSite.server.treat = () => 'done';
  for (let left = Number.POSITIVE_INFINITY; left > 0; ) {
    const { unsent } = await report(usageSite, last);
    expect(unsent).toBeLessThan(left);
    left = unsent;
  }
  expect(usageSite.server.model.list()).toEqual(pairsOf(last.manifest));
  expect(await report(usageSite, last)).toMatchObject({ requests: 0 });
}

test('after any history of faults, the first run that completes makes the list right', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ semantics, absent, runs, last }) => {
      const usageSite = await openUsageSite({ semantics, absent });
      for (const { manifest, project, treatments, failure, options } of runs) {
        usageSite.server.log.length = 0;
        usageSite.server.treat = ({ ids, removed }, index) => {
          const treatment = treatments[index] ?? 'done';
          if (removed && failure) {
            return { status: failure.status, partly: failure.isDone ? ids : [] };
          }
          if (typeof treatment === 'string' || !treatment.partly) return treatment;
          const isRefusal = treatment.status < 500;
          if (isRefusal && removed && ids.length === 1) return 'done';
          // A refused request with only one ID wasn't carried out.
          const mayBeDone = !isRefusal || ids.length > 1;
          const partly = treatment.partly.filter((id) => ids.includes(id) && mayBeDone);
          return { ...treatment, partly };
        };
        const fields = { ...siteFields, project };
        await usageSite.report(manifest, { ...options, fields, allowRemovals: true });
        usageSite.now += 24 * 60 * 60 * 1000;
      }
      await complete(usageSite, last);
    }),
    { numRuns: rounds(40) },
  );
});

test('a usage that a service refuses to remove never counts as removed until the service accepts', async () => {
  const refusing = fc.array(run, { minLength: 1, maxLength: 4 });
  const status = fc.constantFrom(400, 403, 409, 422);
  await fc.assert(
    fc.asyncProperty(history, status, refusing, async (history, status, refusing) => {
      const { semantics, absent, runs, last } = history;
      const usageSite = await openUsageSite({ semantics, absent });
      const { model } = usageSite.server;
      for (const run of runs) await report(usageSite, run);
      usageSite.server.treat = ({ removed }) => (removed ? { status } : 'done');
      for (const run of refusing) {
        const { removed } = await report(usageSite, run);
        expect(removed).toBe(0);
        const { ledger } = await loadLedger(usageSite.store, usageSite.identity);
        const known = [...ledger.pages].flatMap(([page, records]) =>
          records.flatMap(({ ids, pageName }) => ids.map((id) => `${page} ${id} ${pageName}`)),
        );
        expect(model.list().filter((listed) => !known.includes(listed))).toEqual([]);
        const pairs = model.records.map(({ page, id }) => `${page} ${id}`);
        const shown = run.manifest.pages.flatMap(({ page, assets }) =>
          assets.map((id) => `${page} ${id}`),
        );
        expect(shown.filter((pair) => !pairs.includes(pair))).toEqual([]);
        usageSite.now += 24 * 60 * 60 * 1000;
      }
      await complete(usageSite, last);
    }),
    { numRuns: rounds(20) },
  );
});
