import { expect, type TestContext } from 'vitest';
import type { UsageRecord } from '../../../src/emulator/library/usage-records.ts';
import { isMediaAssetError } from '../../../src/errors/errors.ts';
import { ServiceError } from '../../../src/service/service-error.ts';
import type { MediaService } from '../../../src/service/types.ts';
import { waitForLedger } from '../../../src/usage/ledger/open-state-store.ts';
import { loadLedger } from '../../../src/usage/ledger/stored-ledger.ts';
import { removalsAlwaysAllowed } from '../../../src/usage/plan/plan-usage.ts';
import type { ReportResult } from '../../../src/usage/report/report-result.ts';
import { type ReportRun, reportUsage } from '../../../src/usage/report/report-usage.ts';
import type { SettingChanges } from '../bends/bent-emulator.ts';
import type { Fault } from '../bends/faults/faults.ts';
import type { EmulatorProcess } from '../service/emulator-process.ts';
import { postUsage, usageBody } from '../service/usage-posts.ts';
import { hasLateFaults, waitForLateRequests, withFaults } from '../service/with-faults.ts';
import {
  countRequests,
  countResult,
  createHistoryCounts,
  type HistoryCounts,
} from './history-counts.ts';
import type { OpenHistoryStore } from './history-store.ts';
import { type InterruptedRun, type Interruption, interruptRun } from './interrupted-run.ts';
import { heldPairs, ledgerMistakes } from './ledger-mistakes.ts';
import { type Overlap, overlapRuns, type StartedRun } from './overlap-runs.ts';
import { reconcileAll } from './reconcile-all.ts';
import { manifestOf, site, siteFields } from './usage-fixtures.ts';

/** A site's content: by path, the page's name and its assets. */
export type ShownPages = Record<string, readonly [string, ...number[]]>;

/** The assets of the library. */
export const libraryIds = [4711, 4712, 4713, 4714, 4715];

/** An ID that the library doesn't have, so its reports are refused. */
export const unknownId = 9;

/**
 * `/a/`, `/b/`, …: with four assets each, a site has twice the removals that are always allowed.
 */
export const subpages: readonly string[] = Array.from(
  { length: Math.ceil(removalsAlwaysAllowed / 2) },
  (_, index) => `/${String.fromCharCode(97 + index)}/`,
);

type Settings = 'windowSize' | 'maxIdsPerRequest' | 'concurrency';

/** The options of a run. */
export interface RunOptions
  extends Partial<Pick<ReportRun, 'allowRemovals' | 'serviceAnswered' | Settings>> {
  readonly faults?: readonly Fault[];
  readonly interruption?: Interruption | undefined;
}

/** The parts of its test's context that a history needs to end with the test. */
export type HistoryTest = Pick<TestContext, 'signal' | 'onTestFinished'>;

/** One site and its service, starting with a first build. */
export interface UsageHistory {
  pages: ShownPages;
  fields: ReportRun['fields'];
  /** Milliseconds since the epoch. */
  now: number;
  readonly counts: HistoryCounts;
  /**
   * Reports, and checks the laws for every run. Returns `undefined` if the run ended in an error.
   */
  run(options?: RunOptions): Promise<ReportResult | undefined>;
  /** Two runs at once, with the same checks. `waits`: each waits for the other, so both succeed. */
  runTwice(options: RunOptions & { readonly waits: boolean }): Promise<void>;
  /** A run that pauses, a second one, and the end of the first. */
  overlap(options: Omit<RunOptions, 'interruption'> & Overlap): Promise<void>;
  /** Reconciles under each project and contact that the site has had. */
  reconcile(options?: RunOptions): Promise<ReportResult | undefined>;
  loseLedger(): Promise<void>;
  /** Restores one of the earlier ledgers; `which` is any number. */
  rollBackLedger(which: number): Promise<void>;
  /**
   * Runs without faults until a run completes, after `reconcile` if the ledger can't be trusted,
   * and checks that the service's list is right.
   */
  complete(): Promise<void>;
  /** Waits for the runs in progress, and deletes the ledger. */
  close(): Promise<void>;
}

/** Starts a history with another site's usages only. No run starts once `signal` is aborted. */
export async function openUsageHistory(
  emulator: EmulatorProcess,
  {
    openStore,
    accessToken,
    semantics,
    signal,
    counts = createHistoryCounts(),
  }: {
    openStore: OpenHistoryStore;
    accessToken: string;
    semantics: SettingChanges;
    signal: AbortSignal;
    counts?: HistoryCounts;
  },
): Promise<UsageHistory> {
  signal.throwIfAborted();
  await emulator.reset();
  await emulator.setSettings(semantics);
  expect((await postUsage(emulator, { ...usageBody, id: [4711, 4712] })).ok).toBe(true);
  const others = emulator.usages();
  const identity = { service: emulator.url, site, base: '/' };
  const place = await openStore(identity);
  const begun: StartedRun[] = [];
  const past: (string | undefined)[] = [];
  let isTrusted = true;

  const isOwn = ({ page }: UsageRecord) => page.startsWith(`${site}/`);
  const own = () => emulator.usages().filter(isOwn);
  const ledger = async () => (await loadLedger(place.open(), identity)).ledger;
  const wanted = () =>
    manifestOf(history.pages)
      .pages.flatMap((page) => page.assets.map((id) => toLine({ ...page, ...history.fields }, id)))
      .sort();

  function begin(
    act: Act,
    options: RunOptions,
    { onSend, untilFree }: { onSend?: () => void; untilFree?: () => Promise<unknown> } = {},
  ): StartedRun {
    signal.throwIfAborted();
    const { faults = [], interruption, ...some } = options;
    const run = interruptRun({
      interruption,
      store: place.open(),
      baseUrl: emulator.url,
      accessToken,
      // No law holds if a repeated request takes effect after its repetition.
      attempts: hasLateFaults(faults) ? 1 : 2,
      onSend,
    });
    const end = act({
      manifest: manifestOf(history.pages),
      fields: history.fields,
      service: run.service,
      store: untilFree
        ? waitForLedger(run.store, { sleep: untilFree, onWait: () => counts.add('run that waits') })
        : run.store,
      identity,
      clock: () => history.now,
      allowRemovals: false,
      signal: run.signal,
      ...some,
    });
    const started = Object.assign(run, { end: outcomeOf(end, run, faults), wanted: wanted() });
    begun.push(started);
    return started;
  }

  async function outcomeOf(
    end: Promise<ReportResult>,
    run: InterruptedRun,
    faults: readonly Fault[],
  ): Promise<ReportResult | undefined> {
    const { fields } = history;
    try {
      const result = await end;
      if (run.isKilled) throw new Error('A killed run has ended.');
      countResult(counts, result, fields);
      return result;
    } catch (error) {
      if (run.isKilled) {
        counts.add('run killed');
        if (run.sent > 0) counts.add('run killed after a request');
        return undefined;
      }
      if (run.signal.aborted && isMediaAssetError(error, 'listing-ended', 'ledger-busy')) {
        counts.add(`${error.code} by its time limit`);
        return undefined;
      }
      if (faults.length === 0 || !isFromService(error)) throw error;
      counts.add('run failed for good');
      return undefined;
    } finally {
      await run.settled();
    }
  }

  async function check(result: ReportResult | undefined, wanted: readonly string[]): Promise<void> {
    past.push(await place.content());
    const usages = emulator.usages();
    expect(usages.filter((usage) => !isOwn(usage))).toEqual(others);
    if (!isTrusted) return;
    const listed = usages.filter(isOwn);
    const lines = listed.map((record) => toLine(record, record.asset)).sort();
    expect(ledgerMistakes(await ledger(), listed)).toEqual([]);
    if (result?.outcome === 'done') expect(lines).toEqual(wanted);
    if (result?.outcome === 'held') expect(lines).toEqual(expect.arrayContaining([...wanted]));
  }

  /** The listed pairs that the guard must keep. */
  async function guardedPairs(act: Act, { allowRemovals }: RunOptions): Promise<string[]> {
    if (allowRemovals || act !== reportUsage) return [];
    const held = heldPairs(await ledger(), manifestOf(history.pages));
    const listed = pairsOf(own());
    return held.filter((pair) => listed.has(pair));
  }

  async function runOnce(act: Act, options: RunOptions): Promise<ReportResult | undefined> {
    const guarded = await guardedPairs(act, options);
    const run = await withFaults({ emulator, faults: options.faults }, async () => {
      const run = begin(act, options);
      await run.end;
      return run;
    });
    const result = await run.end;
    if (guarded.length > 0) {
      counts.add('listed pairs guarded');
      expect([...pairsOf(own())]).toEqual(expect.arrayContaining(guarded));
    }
    if (run.isKilled) {
      if (run.hasLease) counts.add('run killed with its lease');
      await place.expireLeases();
    }
    if (act !== reportUsage && result?.outcome === 'done') {
      // Usages that couldn't be listed are reported as in doubt, and may still be in the service.
      if (isWhole(result)) isTrusted = true;
      else counts.add('reconcile with an asset unlisted');
    }
    await check(result, run.wanted);
    if (run.isKilled && hasDoubt(await place.content())) counts.add('run killed that leaves doubt');
    return result;
  }

  async function distrust(content: string | undefined): Promise<void> {
    await place.put(content);
    isTrusted = false;
    if (ledgerMistakes(await ledger(), own()).length > 0) counts.add('ledger behind the service');
  }

  const history: UsageHistory = {
    pages: Object.fromEntries(
      ['/', ...subpages].map((path) => [path, ['Page', 4711, 4712, 4713, 4714]]),
    ),
    fields: siteFields,
    now: Date.parse('2026-03-02T08:00:00Z'),
    counts,
    run: (options = {}) => runOnce(reportUsage, options),
    async runTwice({ waits, ...options }) {
      const senders: string[] = [];
      const otherEnded = async (other: StartedRun | undefined) => {
        await Promise.allSettled([other?.end]);
        await waitForLateRequests(emulator, options.faults);
      };
      const ends = await withFaults({ emulator, faults: options.faults }, () => {
        const runs: StartedRun[] = ['a', 'b'].map((name, index) =>
          begin(reportUsage, options, {
            onSend: () => senders.push(name),
            ...(waits && { untilFree: () => otherEnded(runs[1 - index]) }),
          }),
        );
        return Promise.allSettled(runs.map(({ end }) => end));
      });
      const refusals = ends.filter((end) => end.status === 'rejected');
      for (const { reason } of refusals) expect(reason).toMatchObject({ code: 'ledger-busy' });
      expect(refusals.length).toBeLessThan(waits ? 1 : 2);
      // First all steps of one run, then all steps of the other.
      expect(senders.join('')).toMatch(/^(a*b*|b*a*)$/);
      await check(undefined, []);
    },
    overlap: (options) =>
      withFaults({ emulator, faults: options.faults }, () =>
        overlapRuns(options, {
          begin: (interruption) => begin(reportUsage, { ...options, interruption }),
          check,
          expireLeases: place.expireLeases,
          lateArrived: () => waitForLateRequests(emulator, options.faults),
          counts,
        }),
      ),
    async reconcile(options = {}) {
      const listed = own();
      const fields = listed.map(
        ({ asset, ...record }) => `${toLine(record, asset)} ${record.date}`,
      );
      if (pairsOf(listed).size < listed.length) counts.add('reconcile of usages listed twice');
      if (new Set(fields).size < fields.length) counts.add('reconcile of repeated usages');
      const result = await runOnce((run) => reconcileAll(run, counts), options);
      if (result && result.requests > 0) counts.add('reconcile that sends');
      if (result?.outcome !== 'done') counts.add('reconcile cut short');
      return result;
    },
    async loseLedger() {
      if ((await place.content()) === undefined) return;
      counts.add('ledger lost');
      await distrust(undefined);
    },
    async rollBackLedger(which) {
      const now = await place.content();
      const others = past.filter((content) => content !== now);
      if (others.length === 0) return;
      counts.add('ledger rolled back');
      await distrust(others[which % others.length]);
    },
    async complete() {
      if (!isTrusted) {
        counts.add('reconcile at the end');
        const options = { allowRemovals: true };
        expect(await history.reconcile(options)).toMatchObject({ outcome: 'done' });
        expect(isTrusted).toBe(true);
      }
      let left = Number.POSITIVE_INFINITY;
      for (;;) {
        const result = await history.run({ allowRemovals: true, serviceAnswered: true });
        if (result?.outcome === 'done') break;
        expect(result?.unsent).toBeLessThan(left);
        left = result?.unsent ?? 0;
      }
      expect(await history.run()).toMatchObject({ requests: 0, outcome: 'done' });
    },
    async close() {
      for (const run of begun) {
        run.resume();
        await Promise.allSettled([run.end]);
        await run.dispose();
      }
      countRequests(counts, emulator.log());
      await place.put(undefined);
    },
  };
  return history;
}

type Act = (run: ReportRun & { readonly service: MediaService }) => Promise<ReportResult>;

function hasDoubt(content: string | undefined): boolean {
  return content?.includes('"state":"in-doubt"') ?? false;
}

/** The errors of the service that end a run: those that a retry wouldn't fix, or a missing list. */
function isFromService(error: unknown): boolean {
  if (error instanceof ServiceError) return true;
  return isMediaAssetError(error) && error.code === 'usages-not-listed';
}

/** Whether every folder and every asset of the library was listed. */
function isWhole({ findings }: ReportResult): boolean {
  return !findings.some(
    ({ code, asset }) =>
      code === 'listing-refused' && (asset === undefined || libraryIds.includes(asset)),
  );
}

/** As `page id`. */
function pairsOf(records: readonly UsageRecord[]): Set<string> {
  return new Set(records.map(({ page, asset }) => `${page} ${asset}`));
}

type Line = Pick<UsageRecord, 'page' | 'pageName' | 'project' | 'contact'>;

function toLine({ page, pageName, project, contact }: Line, id: number): string {
  return `${page} ${id} ${pageName} ${project} ${contact}`;
}
