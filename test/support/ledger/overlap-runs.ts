import { expect } from 'vitest';
import type { ReportResult } from '../../../src/usage/report/report-result.ts';
import type { HistoryCounts } from './history-counts.ts';
import type { InterruptedRun, Interruption } from './interrupted-run.ts';

/** A run that has started, with the usages that it should leave. */
export interface StartedRun extends InterruptedRun {
  /** `undefined` if it ended with an error. */
  readonly end: Promise<ReportResult | undefined>;
  /** The lines that the service must list after the run. */
  readonly wanted: readonly string[];
}

export interface Overlap {
  /** The point at which the first run pauses. */
  readonly at: number;
  /** Whether its lease has expired when the second run starts. */
  readonly isExpired: boolean;
  /** Changes the site before the second run. */
  readonly change: () => void;
}

/**
 * Starts a run that pauses at a point, makes a second one, and resumes the first. While the lease
 * is valid, the second sends nothing. After the second has taken over, the first sends nothing
 * more.
 */
export async function overlapRuns(
  { at, isExpired, change }: Overlap,
  history: {
    begin(interruption?: Interruption): StartedRun;
    check(result: ReportResult | undefined, wanted: readonly string[]): Promise<void>;
    expireLeases(): Promise<void>;
    /** Waits for late requests. */
    lateArrived(): Promise<void>;
    readonly counts: HistoryCounts;
  },
): Promise<void> {
  const { begin, check, lateArrived, counts } = history;
  const first = begin({ kind: 'pause', at });
  const isPaused = await first.waitForPause(first.end);
  change();
  if (!isPaused) return check(await first.end, first.wanted);
  const { sent, hasLease } = first;
  await lateArrived();
  if (isExpired) await history.expireLeases();

  const second = begin();
  const [secondEnd] = await Promise.allSettled([second.end]);
  await lateArrived();
  if (hasLease && !isExpired) {
    expect(second.sent).toBe(0);
    if (secondEnd.status === 'rejected') {
      expect(secondEnd.reason).toMatchObject({ code: 'ledger-busy' });
      counts.add('run refused next to another');
    }
  } else {
    if (secondEnd.status === 'rejected') throw secondEnd.reason;
    if (!hasLease && second.sent > 0) counts.add('run in between');
    await check(secondEnd.value, second.wanted);
  }

  first.resume();
  const [firstEnd] = await Promise.allSettled([first.end]);
  if (firstEnd.status === 'rejected') {
    expect(firstEnd.reason).toMatchObject({ code: 'ledger-lost' });
    expect(hasLease && isExpired).toBe(true);
  }
  if (hasLease && isExpired && second.sent > 0) {
    // A run that has waited for its last answer may end with that, if it's an error.
    expect(firstEnd.status === 'rejected' || firstEnd.value === undefined).toBe(true);
    expect(first.sent).toBe(sent);
    counts.add('run overtaken');
    if (sent > 0) counts.add('run overtaken after a request');
  }
  await lateArrived();
  const isLast = firstEnd.status === 'fulfilled';
  await check(isLast ? firstEnd.value : undefined, first.wanted);
}
