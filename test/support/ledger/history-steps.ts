import fc from 'fast-check';
import type { Fault } from '../bends/faults/faults.ts';
import {
  libraryIds,
  type RunOptions,
  type ShownPages,
  subpages,
  type UsageHistory,
  unknownId,
} from './history-site.ts';

const oneDay = 24 * 60 * 60 * 1000;

const path = fc.constantFrom(...subpages);
const asset = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...libraryIds) },
  { weight: 1, arbitrary: fc.constant(unknownId) },
);
const assets = fc.uniqueArray(asset, { maxLength: 5 });
const pageName = fc.constantFrom('The quay', 'Quay', 'Kai – „Süd“');

/**
 * None of them refuses the removal of a listed usage. For a usage in doubt, such a refusal looks
 * like the answer of a service that doesn't list it: see `removalsRefused`.
 */
const fault = fc
  .record({
    call: fc.constantFrom('usage-report', 'usage-removal', 'any'),
    what: fc.constantFrom(
      { kind: 'reset-before' },
      { kind: 'reset-after' },
      { kind: 'status', status: 500 },
      { kind: 'status', status: 500, effect: true, body: 'html' },
      { kind: 'status', call: 'usage-report', status: 422, body: 'text' },
      { kind: 'status', call: 'usage-report', status: 403 },
      { kind: 'status', call: 'usage-list', status: 403 },
      { kind: 'status', status: 200, effect: true, body: 'html' },
      { kind: 'limit' },
      { kind: 'limit', status: 503, retryAfter: 0 },
      { kind: 'late', ms: 15 },
    ),
    rate: fc.constantFrom(0.3, 1),
    skip: fc.nat(4),
    times: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ what, ...where }) => ({ ...where, ...what }) as Fault);

/** Early points are near the reading of the ledger, late ones among the requests. */
const at = fc.oneof(fc.nat(12), fc.nat(60));

/** Another host instead of the service. It has no usages, and answers so. */
const stranger: Fault = { kind: 'status', call: 'any', status: 404, body: 'text' };

const uninterrupted: fc.Arbitrary<RunOptions> = fc
  .record({
    faults: fc.oneof(
      { weight: 4, arbitrary: fc.constant<Fault[]>([]) },
      { weight: 8, arbitrary: fc.array(fault, { minLength: 1, maxLength: 2 }) },
      { weight: 1, arbitrary: fc.constant<Fault[]>([stranger]) },
    ),
    allowRemovals: fc.boolean(),
    serviceAnswered: fc.boolean(),
    deploys: fc.constantFrom('before', 'after', 'after', 'never'),
    isOffline: fc.constantFrom(false, false, false, true),
    windowSize: fc.constantFrom(1, 3, 100),
    maxIdsPerRequest: fc.constantFrom(1, 3, 100),
    concurrency: fc.constantFrom(1, 4),
  })
  .map((options) =>
    // A host that has answered before isn't a stranger.
    options.faults.includes(stranger) ? { ...options, serviceAnswered: false } : options,
  );

const runOptions = fc
  .record({
    options: uninterrupted,
    interruption: fc.option(
      fc.record({ kind: fc.constantFrom('end' as const, 'kill' as const), at }),
      { nil: undefined, freq: 2 },
    ),
  })
  .map(({ options, interruption }): RunOptions => ({ ...options, interruption }));

/** A step of a history. A failure shows its text. */
export type HistoryStep = fc.AsyncCommand<object, UsageHistory>;

/** `kind` is its name in the counts. */
function step(
  kind: string,
  details: unknown,
  run: (history: UsageHistory) => unknown,
): HistoryStep {
  return {
    check: () => true,
    async run(_, history) {
      history.counts.add(kind);
      await run(history);
    },
    toString: () => (details === undefined ? kind : `${kind} ${JSON.stringify(details)}`),
  };
}

const edits: readonly fc.Arbitrary<HistoryStep>[] = [
  fc.record({ at: path, name: pageName, ids: assets }).map((edit) =>
    step('edit', edit, (history) => {
      const { at, name, ids } = edit;
      history.pages = { ...history.pages, [at]: [name, ...ids] };
    }),
  ),
  fc.record({ name: pageName, ids: assets }).map((edit) =>
    step('edit all', edit, (history) => {
      const shown: ShownPages[string] = [edit.name, ...edit.ids];
      history.pages = Object.fromEntries(['/', ...subpages].map((at) => [at, shown]));
    }),
  ),
  path.map((at) =>
    step('delete', at, (history) => {
      const { [at]: _, ...others } = history.pages;
      history.pages = others;
    }),
  ),
  fc.constant(
    step('delete all', undefined, (history) => {
      history.pages = { '/': ['Harbour'] };
    }),
  ),
  fc.record({ at: path, name: pageName }).map((title) =>
    step('title', title, (history) => {
      const [, ...ids] = history.pages[title.at] ?? [];
      history.pages = { ...history.pages, [title.at]: [title.name, ...ids] };
    }),
  ),
  fc.record({ from: path, to: path }).map((move) =>
    step('move', move, (history) => {
      const { [move.from]: moved, ...others } = history.pages;
      if (!moved) return;
      history.pages = { ...others, [move.to]: moved };
      if (moved.length > 1 && move.from !== move.to) history.counts.add('page moved');
    }),
  ),
  fc.record({ from: asset, to: asset }).map((swap) =>
    step('swap', swap, (history) => {
      const before = history.pages;
      history.pages = swapAsset(before, swap.from, swap.to);
      const isShown = Object.values(before).some((shown) => shown.includes(swap.from));
      if (isShown && swap.from !== swap.to) history.counts.add('asset swapped');
    }),
  ),
  fc.constantFrom('Harbour', 'Museum').map((project) =>
    step('project', project, (history) => {
      history.fields = { ...history.fields, project };
    }),
  ),
  fc.constantFrom('web@harbour.example', 'press@harbour.example').map((contact) =>
    step('contact', contact, (history) => {
      history.fields = { ...history.fields, contact };
    }),
  ),
];

/** Usages reported twice on one day are listed twice with the same fields. */
const nextDay = fc.constant(
  step('next day', undefined, (history) => {
    history.now += oneDay;
  }),
);

const run = runOptions.map((options) => step('run', options, (history) => history.run(options)));

const removalsFail = fc
  .record({
    status: fc.constantFrom(429, 500, 503),
    effect: fc.boolean(),
    options: fc.array(runOptions, { minLength: 1, maxLength: 3 }),
    edit: fc.oneof(...edits),
  })
  .map(({ edit, options, ...answer }) =>
    step('removals fail', { ...answer, edit: String(edit), options }, async (history) => {
      const fault: Fault = { kind: 'status', call: 'usage-removal', ...answer };
      await edit.run({}, history);
      for (const { faults = [], ...others } of options) {
        await history.run({ ...others, faults: [fault, ...faults] });
      }
    }),
  );

/** Several runs with a service that refuses removals of listed usages. Starts without doubts. */
const removalsRefused = fc
  .record({
    status: fc.constantFrom(400, 403, 409, 422),
    edits: fc.array(fc.oneof(...edits), { minLength: 1, maxLength: 3 }),
  })
  .map(({ status, edits }) =>
    step('removals refused', { status, edits: edits.map(String) }, async (history) => {
      const fault: Fault = { kind: 'status', call: 'usage-removal', status };
      const showKnown = () => {
        history.pages = swapAsset(history.pages, unknownId, undefined);
      };
      showKnown();
      await history.complete();
      for (const edit of edits) {
        await edit.run({}, history);
        showKnown();
        for (const allowRemovals of [true, false]) {
          await history.run({ allowRemovals, serviceAnswered: true, faults: [fault] });
        }
      }
    }),
  );

const twoRuns = fc
  .record({ options: uninterrupted, waits: fc.boolean() })
  .map(({ options, waits }) =>
    step('two runs', { waits, ...options }, (history) => history.runTwice({ waits, ...options })),
  );

const overlap = fc
  .record({ options: uninterrupted, at, isExpired: fc.boolean(), edit: fc.oneof(...edits) })
  .map(({ edit, options, ...overlap }) =>
    step('overlapping runs', { ...overlap, edit: String(edit), ...options }, (history) =>
      history.overlap({
        ...options,
        ...overlap,
        change: () => void edit.run({}, history),
      }),
    ),
  );

const reconcile = runOptions.map((options) =>
  step('reconcile', options, (history) => history.reconcile(options)),
);

const accidents: readonly fc.Arbitrary<HistoryStep>[] = [
  fc.constant(step('lose the ledger', undefined, (history) => history.lose(['ledger']))),
  fc.constant(step('lose the history', undefined, (history) => history.lose(['published']))),
  fc.constant(step('lose both', undefined, (history) => history.lose(['ledger', 'published']))),
  fc
    .nat(20)
    .map((which) =>
      step('roll back the ledger', which, (history) => history.rollBack(['ledger'], which)),
    ),
  fc
    .nat(20)
    .map((which) =>
      step('restore an older copy', which, (history) =>
        history.rollBack(['ledger', 'published'], which),
      ),
    ),
];

/** A pipeline without a kept ledger reports everything again. */
const runOnLostLedger = uninterrupted.map((options) =>
  step('run on a lost ledger', options, async (history) => {
    await history.lose(['ledger']);
    await history.run(options);
  }),
);

/**
 * The steps of one history. Runs are frequent, because a history without runs tests little.
 * Accidents happen in one of three, because a history with a lost ledger is only checked after
 * `reconcile`.
 */
export const historySteps: fc.Arbitrary<Iterable<HistoryStep>> = fc.noBias(
  fc.oneof(
    { weight: 2, arbitrary: stepsOf([removalsRefused, overlap]) },
    { weight: 1, arbitrary: stepsOf([reconcile, ...accidents, runOnLostLedger, runOnLostLedger]) },
  ),
);

function stepsOf(more: fc.Arbitrary<HistoryStep>[]): fc.Arbitrary<Iterable<HistoryStep>> {
  const runs = [run, run, run, run, removalsFail, twoRuns, overlap];
  const steps = [...edits, nextDay, ...runs, ...more];
  return fc.commands<object, UsageHistory>(steps, { maxCommands: 24, size: 'max' }) as fc.Arbitrary<
    Iterable<HistoryStep>
  >;
}

/** Swaps an asset on all pages. If a page has both, one remains. */
export function swapAsset(pages: ShownPages, from: number, to: number | undefined): ShownPages {
  return Object.fromEntries(
    Object.entries(pages).map(([at, [name, ...ids]]) => {
      const swapped = ids.flatMap((id) => (id === from ? (to ?? []) : id));
      return [at, [name, ...new Set(swapped)]];
    }),
  );
}
