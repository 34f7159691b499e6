import { readFile, rm } from 'node:fs/promises';
import { expect, vi } from 'vitest';
import type { FaultInput } from '../../src/emulator/fault.ts';
import type { EmulatorChanges } from '../../src/emulator/settings.ts';
import type { UsageRecord } from '../../src/emulator/usage-records.ts';
import { createMediaService } from '../../src/service/index.ts';
import { fileStateStore } from '../../src/usage/file-state-store.ts';
import type { Ledger } from '../../src/usage/ledger.ts';
import { parseLedger } from '../../src/usage/ledger-json.ts';
import type { ReportResult } from '../../src/usage/report-result.ts';
import { type ReportRun, reportUsage } from '../../src/usage/report-usage.ts';
import type { StateStore } from '../../src/usage/state-store.ts';
import { ledgerLies } from './ledger-lies.ts';
import type { EmulatorProcess } from './start-emulator.ts';
import { manifestOf, site, siteFields } from './usage-fixtures.ts';
import { postUsage, usageBody } from './usage-posts.ts';

/** What a site shows: by path, the page's name and its assets. */
export type ShownPages = Record<string, readonly [string, ...number[]]>;

/** How a run goes. */
export interface RunOptions
  extends Partial<
    Pick<
      ReportRun,
      'allowRemovals' | 'windowSize' | 'maxIdsPerRequest' | 'concurrency' | 'serviceAnswered'
    >
  > {
  readonly faults?: readonly FaultInput[];
  /**
   * From a request on (0 is the first): `stop` aborts the run; `kill` lets nothing be written any
   * more, and nothing be sent, or answered.
   */
  readonly cut?: { readonly kind: 'stop' | 'kill'; readonly at: number } | undefined;
}

/** One site and its service, from a first build on. */
export interface UsageHistory {
  pages: ShownPages;
  fields: ReportRun['fields'];
  /** Milliseconds since the epoch. */
  now: number;
  /** Reports, and checks what holds after every run. Gives `undefined` where the run was killed. */
  run(options?: RunOptions): Promise<ReportResult | undefined>;
  /** Two runs at once, and the same checks. */
  runTwice(options?: RunOptions): Promise<void>;
  /** Runs without faults until one completes, and checks that the service's list is right. */
  complete(): Promise<void>;
  close(): Promise<void>;
}

const killed = 'The run was killed.';

/** Starts a history on an emulator with no usages but another site's. `ledgerFile` is a new one. */
export async function openUsageHistory(
  emulator: EmulatorProcess,
  {
    ledgerFile,
    accessToken,
    semantics,
  }: { ledgerFile: string; accessToken: string; semantics: EmulatorChanges },
): Promise<UsageHistory> {
  await emulator.reset();
  await emulator.setSettings(semantics);
  expect((await postUsage(emulator, { ...usageBody, id: [4711, 4712] })).ok).toBe(true);
  const others = emulator.usages();
  const identity = { service: emulator.url, site, base: '/' };

  const own = () => emulator.usages().filter(({ page }) => page.startsWith(`${site}/`));
  const wanted = () =>
    manifestOf(history.pages)
      .pages.flatMap((page) =>
        page.assets.map(({ id }) => toLine({ ...page, ...history.fields }, id)),
      )
      .sort();
  const listed = () =>
    own()
      .map((record) => toLine(record, record.asset))
      .sort();

  async function ledger(): Promise<Ledger | undefined> {
    const text = await readFile(ledgerFile, 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const reading = parseLedger(text);
    if (reading.kind !== 'ledger') throw new Error(`The ledger is ${reading.kind}.`);
    return reading.ledger;
  }

  /** `onSend` hears of each request as it is sent. */
  async function report(options: RunOptions, onSend = () => {}): Promise<ReportResult | undefined> {
    const { faults = [], cut, ...some } = options;
    const stop = new AbortController();
    const underWay: Promise<unknown>[] = [];
    let sent = 0;
    const isKilled = () => cut?.kind === 'kill' && sent > cut.at;
    const service = createMediaService({
      baseUrl: emulator.url,
      clientId: '',
      clientSecret: '',
      credentials: { kind: 'access-token', accessToken },
      // Nothing holds where a request that was repeated takes effect after its repetition.
      attempts: faults.some(({ kind }) => kind === 'late') ? 1 : 2,
      sleep: async () => {},
      async fetch(...parameters) {
        if (isKilled()) throw new Error(killed);
        onSend();
        sent += 1;
        if (cut?.kind === 'stop' && sent > cut.at) stop.abort();
        const answer = fetch(...parameters);
        underWay.push(answer);
        const response = await answer;
        if (isKilled()) throw new Error(killed);
        return response;
      },
    });
    try {
      return await reportUsage({
        manifest: manifestOf(history.pages),
        fields: history.fields,
        service,
        store: mortal(fileStateStore({ path: ledgerFile }), isKilled),
        identity,
        clock: () => history.now,
        allowRemovals: false,
        signal: stop.signal,
        ...some,
      });
    } catch (error) {
      if (isKilled() && String(error).includes(killed)) return undefined;
      throw error;
    } finally {
      await Promise.allSettled(underWay);
    }
  }

  async function withFaults<T>(faults: readonly FaultInput[], act: () => Promise<T>): Promise<T> {
    if (faults.length === 0) return act();
    await emulator.setFaults(faults);
    const result = await act();
    await emulator.clearFaults();
    const isOpen = () =>
      emulator.log().some(({ outcome, effect }) => outcome === 'late' && effect === null);
    await vi.waitFor(() => expect(isOpen()).toBe(false), { interval: 5, timeout: 10_000 });
    return result;
  }

  async function check(result: ReportResult | undefined): Promise<void> {
    expect(ledgerLies(await ledger(), own())).toEqual([]);
    expect(emulator.usages().filter(({ page }) => !page.startsWith(`${site}/`))).toEqual(others);
    if (result?.outcome === 'done') expect(listed()).toEqual(wanted());
    if (result?.outcome === 'held') expect(listed()).toEqual(expect.arrayContaining(wanted()));
  }

  const history: UsageHistory = {
    pages: Object.fromEntries(
      ['/', '/a/', '/b/', '/c/', '/d/'].map((path) => [path, ['Page', 4711, 4712, 4713, 4714]]),
    ),
    fields: siteFields,
    now: Date.parse('2026-03-02T08:00:00Z'),
    async run(options = {}) {
      const result = await withFaults(options.faults ?? [], () => report(options));
      await check(result);
      return result;
    },
    async runTwice(options = {}) {
      const senders: string[] = [];
      const ends = await withFaults(options.faults ?? [], () =>
        Promise.allSettled(['a', 'b'].map((name) => report(options, () => senders.push(name)))),
      );
      const refusals = ends.filter((end) => end.status === 'rejected');
      for (const { reason } of refusals) expect(reason).toMatchObject({ code: 'ledger-busy' });
      expect(refusals.length).toBeLessThan(2);
      // First all of one run, then all of the other.
      expect(senders.join('')).toMatch(/^(a*b*|b*a*)$/);
      await check(undefined);
    },
    async complete() {
      let left = Number.POSITIVE_INFINITY;
      for (;;) {
        const result = await history.run({ allowRemovals: true, serviceAnswered: true });
        if (result?.outcome === 'done') break;
        expect(result?.unsent).toBeLessThan(left);
        left = result?.unsent ?? 0;
      }
      expect(listed()).toEqual(wanted());
      expect(await history.run()).toMatchObject({ requests: 0, outcome: 'done' });
    },
    async close() {
      await rm(ledgerFile, { force: true });
    },
  };
  return history;
}

/** A store to which a killed run writes nothing. */
function mortal(store: StateStore, isKilled: () => boolean): StateStore {
  return {
    ...store,
    async lock() {
      const lease = await store.lock();
      return {
        ...lease,
        async write(text, tag) {
          if (isKilled()) throw new Error(killed);
          return lease.write(text, tag);
        },
      };
    },
  };
}

function toLine(
  {
    page,
    pageName,
    project,
    contact,
  }: Pick<UsageRecord, 'page' | 'pageName' | 'project' | 'contact'>,
  id: number,
): string {
  return `${page} ${id} ${pageName} ${project} ${contact}`;
}
