import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { ProjectUse, UseChange } from '../../../src/usage/ledger/project-uses.ts';
import { loadLedger } from '../../../src/usage/ledger/stored-ledger.ts';
import { reportUses } from '../../../src/usage/report/report-usage.ts';
import { fileHistoryStore } from '../../support/ledger/history-store.ts';
import { interruptRun } from '../../support/ledger/interrupted-run.ts';
import { everySemantics, overwriting, type Semantics } from '../../support/ledger/service-model.ts';
import { site, siteFields } from '../../support/ledger/usage-fixtures.ts';
import { startUsageServer, type Treatment } from '../../support/ledger/usage-server.ts';

type Step = Pick<UseChange, 'project' | 'ids' | 'remove' | 'given'>;
type Options = Partial<Parameters<typeof interruptRun>[0]>;

const defaults = { contact: 'Press office', description: '', amount: '1', types: ['web'] };
const day = '2026-03-02';

/** A service with usages of others, and the ledger of uses. Closes after the test. */
async function openUses(semantics: Semantics, absent = 200) {
  const folder = await mkdtemp(join(tmpdir(), 'uses-'));
  const server = await startUsageServer({ semantics, absent });
  onTestFinished(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });
  const place = fileHistoryStore(join(folder, 'uses.json'));
  const identity = { service: server.url, site: '', base: '' };
  const other = { ...siteFields, date: '2025-11-30', removed: false, ids: [1, 2], pageName: '' };
  server.model.apply({ ...other, page: `${site}/` });
  server.model.apply({ ...other, page: '', project: 'Calendar', amount: '1', types: ['print'] });
  const others = server.model.records.map(({ id, page }) => `${id} ${page}`);
  return {
    server,
    async run({ remove, ...step }: Step, options: Options = {}) {
      const run = interruptRun({
        ...{ interruption: undefined, store: place.open(), baseUrl: server.url },
        ...{ accessToken: 'token', attempts: 1, ...options },
      });
      try {
        return await reportUses(
          {
            ...{ ...run, identity, fields: siteFields, allowRemovals: true },
            ...{ clock: () => Date.parse(`${day}T08:00:00Z`), serviceAnswered: true },
          },
          { ...step, remove, defaults },
        );
      } catch (error) {
        if (!run.isKilled) throw error;
        return undefined;
      } finally {
        await run.settled();
        if (run.isKilled) {
          await place.expireLeases();
          await run.dispose();
        }
      }
    },
    wanted: async () => (await loadLedger(place.open(), identity)).ledger.uses ?? [],
    /** The uses that the service lists, and whether the usages of others are untouched. */
    listed() {
      const own = server.model.records.filter(
        ({ page, project }) => page === '' && project !== 'Calendar',
      );
      const rest = server.model.records.filter((record) => !own.includes(record));
      expect(rest.map(({ id, page }) => `${id} ${page}`)).toEqual(others);
      return own
        .map(({ id, amount = '', types = [], ...use }) =>
          lineOf({ ...use, amount, types: [...types] }, id),
        )
        .sort();
    },
  };
}

function lineOf(
  { project, contact, description, amount, types }: Omit<ProjectUse, 'ids'>,
  id: number,
) {
  return [project, id, contact, description, amount, types].join(' ');
}

const linesOf = (uses: readonly ProjectUse[]) =>
  uses.flatMap((use) => use.ids.map((id) => lineOf(use, id))).sort();

const report = (ids: number[], given: Step['given'] = {}, project = 'Annual report'): Step => ({
  ...{ project, ids, given, remove: false },
});

test('sends the uses of one change in one request, without a page', async () => {
  const uses = await openUses(overwriting);
  await uses.run(report([3, 1], { amount: '500', types: ['print', 'social'] }));
  expect(uses.server.log).toEqual([
    {
      ...{ ids: [1, 3], page: '', pageName: '', project: 'Annual report', removed: false },
      ...{ contact: 'Press office', description: '', amount: '500', types: ['print', 'social'] },
      date: day,
    },
  ]);
});

test('replaces only the uses whose fields change, and keeps the fields that are not given', async () => {
  const uses = await openUses(
    everySemantics.find(({ matches }) => matches === 'all-fields') ?? overwriting,
  );
  await uses.run(report([1, 2, 3], { amount: '500' }));
  expect(await uses.run(report([3, 4], { contact: 'Ada Berg' }))).toMatchObject({ requests: 3 });
  expect(uses.listed()).toEqual([
    'Annual report 1 Press office  500 web',
    'Annual report 2 Press office  500 web',
    'Annual report 3 Ada Berg  500 web',
    'Annual report 4 Ada Berg  1 web',
  ]);
  expect(await uses.run(report([1, 2]))).toMatchObject({ requests: 0, outcome: 'done' });
});

const treatment = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Treatment>('done') },
  fc.constantFrom<Treatment[]>('lost', 'reset', { status: 429 }, { status: 500, partly: [1, 3] }),
);
const step = fc.record({
  project: fc.constantFrom('Annual report', 'Émigré <b>', '__proto__'),
  ids: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1 }),
  remove: fc.boolean(),
  given: fc.record(
    {
      contact: fc.constantFrom('Ada Berg', 'Bo Ek'),
      amount: fc.constantFrom('2', '500'),
      types: fc.constantFrom<string[][]>(['print'], ['web', 'print']),
    },
    { requiredKeys: [] },
  ),
  treatments: fc.array(treatment, { maxLength: 8 }),
  interruption: fc.option(
    fc.record({
      kind: fc.constantFrom<('kill' | 'limit')[]>('kill', 'limit'),
      at: fc.integer({ min: 0, max: 30 }),
    }),
    { nil: undefined, freq: 2 },
  ),
});

test('after any history, the first complete run makes the service list exactly the known uses', {
  tags: ['slow'],
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...everySemantics),
      fc.constantFrom(200, 404, 409),
      fc.array(step, { minLength: 1, maxLength: 6 }),
      async (semantics, absent, steps) => {
        const uses = await openUses(semantics, absent);
        for (const { treatments, interruption, ...change } of steps) {
          uses.server.log.length = 0;
          uses.server.treat = ({ ids }, index) => {
            const treatment = treatments[index] ?? 'done';
            if (typeof treatment === 'string' || !treatment.partly) return treatment;
            return { ...treatment, partly: treatment.partly.filter((id) => ids.includes(id)) };
          };
          const before = await uses.wanted();
          const known = new Map(
            before.flatMap((use) => use.ids.map((id) => [`${use.project} ${id}`, use])),
          );
          const result = await uses.run(change, { interruption });
          const { project, ids, remove, given } = change;
          const others = [...known].filter(
            ([key]) => !ids.some((id) => key === `${project} ${id}`),
          );
          const expected = [
            ...others.map(([key, use]) => lineOf(use, Number(key.split(' ').at(-1)))),
            ...(remove ? [] : ids).map((id) =>
              lineOf({ ...defaults, ...known.get(`${project} ${id}`), ...given, project }, id),
            ),
          ].sort();
          const wanted = linesOf(await uses.wanted());
          // A killed run may have ended before it was known what it was asked for.
          if (result) expect(wanted).toEqual(expected);
          else expect([expected, linesOf(before)]).toContainEqual(wanted);
          if (result?.outcome === 'done') expect(uses.listed()).toEqual(wanted);
        }
        uses.server.treat = () => 'done';
        const last = report([1]);
        for (let left = Number.POSITIVE_INFINITY; left > 0; ) {
          const unsent = (await uses.run(last))?.unsent ?? 0;
          expect(unsent).toBeLessThan(left);
          left = unsent;
        }
        expect(uses.listed()).toEqual(linesOf(await uses.wanted()));
        expect(await uses.run(last)).toMatchObject({ requests: 0, outcome: 'done' });
      },
    ),
    { numRuns: Number(process.env.HISTORY_RUNS ?? 150) },
  );
});
