import { expect } from 'vitest';
import type { StoredUsage } from '../../../src/emulator/library/usage-records.ts';
import { isMediaAssetError } from '../../../src/errors/errors.ts';
import { ServiceError } from '../../../src/service/service-error.ts';
import type { MediaService } from '../../../src/service/types.ts';
import type { WitnessAnswer } from '../../../src/usage/ledger/gaps.ts';
import { type StateStore, waitForLedger } from '../../../src/usage/ledger/open-state-store.ts';
import { changeHistory, loadHistory } from '../../../src/usage/ledger/publication-history.ts';
import { loadLedger } from '../../../src/usage/ledger/stored-ledger.ts';
import { recordPublication } from '../../../src/usage/record-publication.ts';
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
import {
  type Kept,
  libraryIds,
  type RunOptions,
  subpages,
  type UsageHistory,
} from './history-site.ts';
import type { OpenHistoryStore } from './history-store.ts';
import { type InterruptedRun, interruptRun } from './interrupted-run.ts';
import { heldPairs, ledgerMistakes } from './ledger-mistakes.ts';
import { overlapRuns, type StartedRun } from './overlap-runs.ts';
import { reconcileAll } from './reconcile-all.ts';
import { manifestOf, site, siteFields } from './usage-fixtures.ts';

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
  const { ledger: place, published } = await openStore(identity);
  const places = { ledger: place, published };
  // As after `report --first`.
  const begins = { store: published.open(), service: emulator.url };
  await changeHistory(begins, (known) => ({ ...known, gaps: [] }));
  const begun: StartedRun[] = [];
  const past: Record<Kept, string | undefined>[] = [];
  let isTrusted = true;
  /** Whether the history is current: then a gap is recorded, whatever the site answers. */
  let isHistoryKept = true;
  /**
   * Whether both were rolled back to a copy that knows the build online, because the later ones weren't
   * deployed. Nothing can tell it from the present state.
   */
  let fitsOnline = false;
  /** When something was lost. */
  let lostAt = Number.NEGATIVE_INFINITY;
  let builds = 0;
  let live: WitnessAnswer = { kind: 'unread', problem: 'status 404' };

  const isOwn = ({ page }: StoredUsage) => page.startsWith(`${site}/`);
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
    const { faults = [], interruption, deploys = 'after', isOffline, ...some } = options;
    const run = interruptRun({
      interruption,
      store: place.open(),
      published: published.open(),
      baseUrl: emulator.url,
      accessToken,
      // No law holds if a repeated request takes effect after its repetition.
      attempts: hasLateFaults(faults) ? 1 : 2,
      onSend,
    });
    builds += 1;
    const build = `build-${builds}`;
    const startedAt = new Date(history.now).toISOString();
    const offline: WitnessAnswer = { kind: 'unread', problem: 'no answer' };
    const seen = isOffline ? offline : live;
    const online: WitnessAnswer = { kind: 'read', history: 'harbour', build, startedAt };
    if (deploys === 'before') live = online;
    const waiting = (store: StateStore) =>
      untilFree
        ? waitForLedger(store, { sleep: untilFree, onWait: () => counts.add('run that waits') })
        : store;
    const manifest = manifestOf(history.pages);
    const site = {
      ...{ store: waiting(run.store), history: waiting(run.published), identity },
      ...{ fields: history.fields, clock: () => history.now, signal: run.signal },
    };
    const urls = manifest.pages.flatMap(({ page, assets }) =>
      assets.map((id) => ({ kind: 'page' as const, url: page, id, hash: '' })),
    );
    const work = async () => {
      await recordPublication(site, manifest, {
        rules: { build, history: 'harbour', witness: seen },
        publication: { build: startedAt, urls },
        signal: run.signal,
        readWitness: async () => (isOffline ? offline : live),
      });
      const { service } = run;
      const whole = { ...site, manifest, service, build, startedAt, allowRemovals: false };
      const result = await act({ ...whole, ...some });
      if (deploys === 'after') live = online;
      return result;
    };
    const end = work();
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
        counts.add(`${error.code} by its end`);
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
    past.push({ ledger: await place.content(), published: await published.content() });
    const usages = emulator.usages();
    expect(usages.filter((usage) => !isOwn(usage))).toEqual(others);
    const listed = usages.filter(isOwn);
    const lines = listed.map((record) => toLine(record, record.asset)).sort();
    const { gap } = await ledger();
    if (!isTrusted && result?.outcome === 'done') {
      const isRight = `${lines}` === `${wanted}`;
      const kept = await loadHistory(published.open(), emulator.url, history.now);
      const unread = kept?.gaps.filter(({ at }) => Date.parse(at) >= lostAt) ?? [];
      if (gap)
        counts.add(isRight ? 'gap recorded, and the list is right' : 'wrong list, and a gap');
      if (!gap && !isRight && fitsOnline) {
        counts.add('wrong list, and a copy that knows the build online');
      } else if (!gap && !isRight) {
        counts.add('wrong list, and an answer that is not known');
        expect(isHistoryKept, `${lines} instead of ${wanted}`).toBe(false);
        expect(unread, `${lines} instead of ${wanted}`).not.toEqual([]);
      }
    }
    if (!isTrusted) return;
    if (gap) counts.add('gap without a loss');
    expect(ledgerMistakes(await ledger(), listed)).toEqual([]);
    if (result?.outcome === 'done') expect(lines).toEqual(wanted);
    if (result?.outcome === 'held') expect(lines).toEqual(expect.arrayContaining([...wanted]));
  }

  /** Builds that start together would look alike. */
  function passTime(): void {
    history.now += 1000;
  }

  /** The listed pairs that the guard must keep. */
  async function guardedPairs(act: Act, { allowRemovals }: RunOptions): Promise<string[]> {
    if (allowRemovals || act !== reportUsage) return [];
    const held = heldPairs(await ledger(), manifestOf(history.pages));
    const listed = pairsOf(own());
    return held.filter((pair) => listed.has(pair));
  }

  async function runOnce(act: Act, options: RunOptions): Promise<ReportResult | undefined> {
    passTime();
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
      await published.expireLeases();
    }
    if (act !== reportUsage && result?.outcome === 'done') {
      // Usages that couldn't be listed are reported as in doubt, and may still be in the service.
      if (isWhole(result)) {
        isTrusted = true;
        isHistoryKept = true;
      } else counts.add('reconcile with an asset unlisted');
      // An asset that a page shows may only be hidden.
      const isAnswered = result.findings.every(({ code }) => code !== 'listing-refused');
      if (isAnswered) expect((await ledger()).gap).toBeUndefined();
    }
    await check(result, run.wanted);
    if (run.isKilled && hasDoubt(await place.content())) counts.add('run killed that leaves doubt');
    return result;
  }

  async function distrust(
    what: readonly Kept[],
    content: Partial<Record<Kept, string | undefined>>,
  ): Promise<void> {
    for (const name of what) await places[name].put(content[name]);
    isTrusted = false;
    if (what.includes('published')) isHistoryKept = false;
    lostAt = history.now;
    const kept = await loadHistory(published.open(), emulator.url, history.now);
    const { build } = { build: '', ...live };
    fitsOnline = !isHistoryKept && (kept?.builds.some((one) => one.build === build) ?? false);
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
      passTime();
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
    overlap: (options) => {
      passTime();
      return withFaults({ emulator, faults: options.faults }, () =>
        overlapRuns(options, {
          begin: (interruption) => begin(reportUsage, { ...options, interruption }),
          check,
          async expireLeases() {
            await place.expireLeases();
            await published.expireLeases();
          },
          lateArrived: () => waitForLateRequests(emulator, options.faults),
          counts,
        }),
      );
    },
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
    async lose(what) {
      if ((await place.content()) === undefined) return;
      counts.add(`${what.join(' and ')} lost`);
      await distrust(what, {});
    },
    async rollBack(what, which) {
      const now = await place.content();
      const others = past.filter(({ ledger }) => ledger !== now);
      if (others.length === 0) return;
      counts.add(`${what.join(' and ')} rolled back`);
      await distrust(what, others[which % others.length] ?? {});
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
      for (const { put } of Object.values(places)) await put(undefined);
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
function pairsOf(records: readonly StoredUsage[]): Set<string> {
  return new Set(records.map(({ page, asset }) => `${page} ${asset}`));
}

type Line = Pick<StoredUsage, 'page' | 'pageName' | 'project' | 'contact'>;

function toLine({ page, pageName, project, contact }: Line, id: number): string {
  return `${page} ${id} ${pageName} ${project} ${contact}`;
}
