import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Manifest } from '../../../src/scan/manifest.ts';
import type { Usage } from '../../../src/service/requests.ts';
import {
  changeLedger,
  emptyLedger,
  type Ledger,
  toRecord,
} from '../../../src/usage/ledger/ledger.ts';
import { ledgerIdentity } from '../../../src/usage/ledger/ledger-identity.ts';
import { formatLedger, loadLedger } from '../../../src/usage/ledger/stored-ledger.ts';
import { type Plan, planUsage, requestsOf } from '../../../src/usage/plan/plan-usage.ts';
import { anyManifest } from '../../support/ledger/any-manifest.ts';
import {
  appending,
  createServiceModel,
  everySemantics,
  overwriting,
  type ServiceModel,
} from '../../support/ledger/service-model.ts';
import { identity, pairsOf, siteFields } from '../../support/ledger/usage-fixtures.ts';
import { rounds } from '../../support/process/rounds.ts';

/** The result of a request. `lost` is carried out, `vanished` isn't, and neither is answered. */
type Fate = 'done' | 'lost' | 'vanished' | 'refused';

interface Run {
  readonly manifest: Manifest;
  readonly project: string;
  readonly day: number;
  readonly fates: readonly Fate[];
  /** The run is killed after this many requests, and its unsaved results are lost. */
  readonly killedAt: number;
}

const run = fc.record({
  manifest: anyManifest,
  project: fc.constantFrom('Harbour', 'Museum'),
  day: fc.integer({ min: 10, max: 28 }),
  fates: fc.array(fc.constantFrom<Fate>('done', 'done', 'lost', 'vanished', 'refused'), {
    maxLength: 6,
  }),
  killedAt: fc.oneof(fc.nat(6), fc.constant(1000)),
});
const history = fc.array(run, { minLength: 1, maxLength: 5 });
const semantics = fc.constantFrom(...everySemantics);
const maxIdsPerRequest = fc.constantFrom(1, 2, 100);

function plan(ledger: Ledger, { manifest, project, day }: Run, maxIdsPerRequest: number): Plan {
  const fields = { ...siteFields, project };
  const today = `2026-03-${day}`;
  return planUsage({ manifest, ledger, fields, today, maxIdsPerRequest, allowRemovals: true });
}

/** Executes a plan on the model and returns the ledger that a run leaves. */
function execute(service: ServiceModel, ledger: Ledger, { steps }: Plan, run: Run): Ledger {
  const marked = changeLedger(
    ledger,
    requestsOf(steps).map((request) => toRecord(request, 'in-doubt')),
  );
  const numbered = steps.flatMap(({ requests }, step) => requests.map((one) => ({ step, ...one })));
  const standing = new Map<string, boolean>();
  let result = ledger;
  for (const [index, { step, ...request }] of numbered.entries()) {
    if (index >= run.killedAt) return marked;
    const key = (id: number) => `${step} ${id}`;
    const ids = request.removed ? request.ids : request.ids.filter((id) => !standing.get(key(id)));
    if (ids.length === 0) continue;
    const usage = { ...request, ids };
    const fate = run.fates[index] ?? 'done';
    if (fate === 'done' || fate === 'lost') service.apply(usage);
    if (fate === 'done')
      result = changeLedger(result, [toRecord(usage, usage.removed ? 'removed' : 'confirmed')]);
    else {
      if (fate !== 'refused') result = changeLedger(result, [toRecord(usage, 'in-doubt')]);
      for (const id of ids) standing.set(key(id), true);
    }
  }
  return result;
}

const foreign: Usage = {
  ids: [1, 2, 3],
  page: 'https://other.example/',
  pageName: 'The quay',
  ...siteFields,
  date: '2026-03-01',
  removed: false,
};

function reach(service: ServiceModel, runs: readonly Run[], maxIds: number): Ledger {
  service.apply(foreign);
  return runs.reduce(
    (ledger, one) => execute(service, ledger, plan(ledger, one, maxIds), one),
    emptyLedger(ledgerIdentity(identity)),
  );
}

const flawless = { fates: [], killedAt: 1000 };

describe('the laws of the plan, from any ledger that runs can leave', () => {
  test('after its execution, the service lists each wanted pair once, and nothing else of the site', () => {
    fc.assert(
      fc.property(semantics, history, run, maxIdsPerRequest, (semantics, runs, last, maxIds) => {
        const service = createServiceModel(semantics);
        const ledger = reach(service, runs, maxIds);
        const final = { ...last, ...flawless };
        execute(service, ledger, plan(ledger, final, maxIds), final);
        const others = createServiceModel(semantics);
        others.apply(foreign);
        expect(service.list()).toEqual([...pairsOf(final.manifest), ...others.list()].sort());
      }),
      { numRuns: rounds(1500) },
    );
  });

  test('after its execution, planning again gives nothing, even with a stored ledger', async () => {
    await fc.assert(
      fc.asyncProperty(history, run, maxIdsPerRequest, async (runs, last, maxIds) => {
        const service = createServiceModel(appending);
        const ledger = reach(service, runs, maxIds);
        const final = { ...last, ...flawless };
        const after = execute(service, ledger, plan(ledger, final, maxIds), final);
        const read = async () => ({ text: formatLedger(after), tag: '' });
        const { ledger: stored } = await loadLedger({ name: 'ledger', read }, after);
        for (const known of [after, stored]) {
          expect(plan(known, { ...final, day: 28 }, maxIds)).toMatchObject({
            steps: [],
            unchanged: pairsOf(final.manifest).length,
          });
        }
      }),
    );
  });

  test('a usage keeps the date of its first report', () => {
    const parts = { semantics, shown: anyManifest, runs: history, maxIds: maxIdsPerRequest };
    fc.assert(
      fc.property(fc.record(parts), ({ semantics, shown, runs, maxIds }) => {
        // Every run shows the same pairs, with changing projects and names, on later days each time.
        const days = runs.map((one, index) => {
          const pages = shown.pages.map((page) => {
            return { ...page, pageName: `${page.pageName} ${one.day}` };
          });
          return { ...one, fates: [], day: 11 + index, manifest: { ...shown, pages } };
        });
        const first = { manifest: shown, project: 'Harbour', day: 10, ...flawless };
        const final = { ...first, day: 28 };
        const service = createServiceModel(semantics);
        const ledger = reach(service, [first, ...days], maxIds);
        execute(service, ledger, plan(ledger, final, maxIds), final);
        const own = service.records.filter((record) => record.page !== foreign.page);
        expect(own.filter(({ date }) => date !== '2026-03-10')).toEqual([]);
      }),
    );
  });

  test('it contains no pair that is right, and each other pair in only one step', () => {
    fc.assert(
      fc.property(history, run, maxIdsPerRequest, (runs, last, maxIds) => {
        const service = createServiceModel(overwriting);
        const ledger = reach(service, runs, maxIds);
        const planned = plan(ledger, last, maxIds);
        const steps = new Map<string, Set<number>>();
        for (const [step, { page, requests }] of planned.steps.entries()) {
          expect(new Set(requests.map((request) => request.page))).toEqual(new Set([page]));
          for (const id of requests.flatMap(({ ids }) => ids)) {
            const pair = `${page} ${id}`;
            steps.set(pair, (steps.get(pair) ?? new Set()).add(step));
          }
        }
        expect([...steps].filter(([, inSteps]) => inSteps.size > 1)).toEqual([]);
        for (const { page, pageName, assets } of last.manifest.pages) {
          for (const id of assets) {
            const variants = (ledger.pages.get(page) ?? []).filter(({ ids }) => ids.includes(id));
            const right = variants.every(
              ({ state, project, ...variant }) =>
                state === 'confirmed' && project === last.project && variant.pageName === pageName,
            );
            expect(steps.has(`${page} ${id}`)).toBe(variants.length === 0 || !right);
          }
        }
      }),
    );
  });

  test('without doubt, one removal and one report per page and date are enough', () => {
    fc.assert(
      fc.property(history, run, (runs, last) => {
        const service = createServiceModel(overwriting);
        const sent = runs.map((one) => ({ ...one, ...flawless }));
        const ledger = reach(service, sent, 100);
        const counts = Map.groupBy(
          requestsOf(plan(ledger, last, 100).steps),
          ({ removed, page, date }) => `${removed} ${page} ${date}`,
        );
        expect([...counts.values()].filter((same) => same.length > 1)).toEqual([]);
      }),
    );
  });

  test("the order of the pages in the manifest doesn't matter", () => {
    fc.assert(
      fc.property(history, run, (runs, last) => {
        const service = createServiceModel(appending);
        const ledger = reach(service, runs, 100);
        const turned = { ...last.manifest, pages: last.manifest.pages.toReversed() };
        expect(plan(ledger, { ...last, manifest: turned }, 100)).toEqual(plan(ledger, last, 100));
      }),
    );
  });
});
