import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReportRun } from '../../../src/usage/report/report-usage.ts';
import { everySemantics } from '../../support/ledger/service-model.ts';
import { manifestOf, pairsOf, siteFields } from '../../support/ledger/usage-fixtures.ts';
import type { Treatment } from '../../support/ledger/usage-server.ts';
import { openUsageSite } from '../../support/ledger/usage-site.ts';

const page = fc.tuple(
  fc.constantFrom('The quay', 'Quay'),
  fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 4 }),
);
const manifest = fc
  .dictionary(fc.constantFrom('/', '/a/', '/b/', '/c/'), page, { minKeys: 1 })
  .map((pages) =>
    manifestOf(
      Object.fromEntries(
        Object.entries(pages).map(([path, [name, ids]]) => [path, [name, ...ids]]),
      ),
    ),
  );
const treatment = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Treatment>('done') },
  fc.constantFrom<Treatment[]>('lost', 'reset', { status: 429 }, { status: 500 }),
  fc.subarray([1, 2, 3, 4, 5]).map((partly): Treatment => ({ status: 400, partly })),
);
const run = fc.record({
  manifest,
  project: fc.constantFrom('Harbour', 'Museum'),
  treatments: fc.array(treatment, { maxLength: 12 }),
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

test('after any history of faults, the first run that completes makes the list right', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ semantics, absent, runs, last }) => {
      const usageSite = await openUsageSite({ semantics, absent });
      try {
        for (const { manifest, project, treatments, options } of runs) {
          usageSite.server.log.length = 0;
          usageSite.server.treat = ({ ids, removed }, index) => {
            const treatment = treatments[index] ?? 'done';
            if (typeof treatment === 'string' || !treatment.partly) return treatment;
            if (removed && ids.length === 1) return 'done';
            // What is refused for its only id has not been done.
            const partly = treatment.partly.filter((id) => ids.includes(id) && ids.length > 1);
            return { ...treatment, partly };
          };
          const fields = { ...siteFields, project };
          await usageSite.report(manifest, { ...options, fields, allowRemovals: true });
          usageSite.now += 24 * 60 * 60 * 1000;
        }
        usageSite.server.treat = () => 'done';
        const final = {
          ...last.options,
          fields: { ...siteFields, project: last.project },
          allowRemovals: true,
          serviceAnswered: true,
        };
        for (let left = Number.POSITIVE_INFINITY; left > 0; ) {
          const { unsent } = await usageSite.report(last.manifest, final);
          expect(unsent).toBeLessThan(left);
          left = unsent;
        }
        expect(usageSite.server.model.list()).toEqual(pairsOf(last.manifest));
        expect(await usageSite.report(last.manifest, final)).toMatchObject({ requests: 0 });
      } finally {
        await usageSite.close();
      }
    }),
    { numRuns: 40 },
  );
});
