import type { TestContext } from 'vitest';
import type { ReportResult } from '../../../src/usage/report/report-result.ts';
import type { ReportRun } from '../../../src/usage/report/report-usage.ts';
import type { Fault } from '../bends/faults/faults.ts';
import type { HistoryCounts } from './history-counts.ts';
import type { StatePlaces } from './history-store.ts';
import type { Interruption } from './interrupted-run.ts';
import type { Overlap } from './overlap-runs.ts';
import { removalsAlwaysAllowed } from './usage-fixtures.ts';

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
  /** When the build is deployed. @default 'after' */
  readonly deploys?: 'before' | 'after' | 'never';
  /** Whether the live site doesn't answer. */
  readonly isOffline?: boolean;
  readonly faults?: readonly Fault[];
  readonly interruption?: Interruption | undefined;
}

/** The parts of its test's context that a history needs to end with the test. */
export type HistoryTest = Pick<TestContext, 'signal' | 'onTestFinished'>;

export type Kept = keyof StatePlaces;

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
  /** Loses the ledger, the publication history, or both. */
  lose(what: readonly Kept[]): Promise<void>;
  /** Restores an earlier copy of the ledger, or of both; `which` is any number. */
  rollBack(what: readonly Kept[], which: number): Promise<void>;
  /**
   * Runs without faults until a run completes, after `reconcile` if the ledger can't be trusted,
   * and checks that the service's list is right.
   */
  complete(): Promise<void>;
  /** Waits for the runs in progress, and deletes the ledger. */
  close(): Promise<void>;
}
