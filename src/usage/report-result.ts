import { type Finding, finding } from '../errors.ts';
import type { RefusedUsage } from './last-run.ts';
import type { Ledger } from './ledger.ts';
import type { Plan } from './plan-usage.ts';
import { reportCounts } from './report-counts.ts';
import type { ReportRun } from './report-usage.ts';

const oneDay = 24 * 60 * 60 * 1000;

/** What a run has done; counted in pairs, except `requests`. */
export interface ReportResult {
  readonly reported: number;
  readonly removed: number;
  readonly requests: number;
  readonly unsent: number;
  /** Those of the unsent that are to be removed. */
  readonly unremoved: number;
  /** Those of the unsent that the service has not refused. */
  readonly waiting: number;
  /** Removals that the guard keeps back. */
  readonly held: number;
  readonly guard: Plan['guard'];
  readonly plan: Plan;
  readonly findings: readonly Finding[];
  /** `failed`: something has waited for longer than allowed. */
  readonly outcome: 'done' | 'held' | 'unsent' | 'failed';
  /** Why something is unsent, as a sentence. */
  readonly reason: string | undefined;
}

/** What a run reports, from its plan and the ledger at its end. */
export function reportResult(
  {
    store,
    clock,
    identity,
    maxUnsent = 7 * oneDay,
  }: Pick<ReportRun, 'store' | 'clock' | 'identity' | 'maxUnsent'>,
  end: {
    plan: Plan;
    ledger: Ledger;
    findings: readonly Finding[];
    refused: readonly RefusedUsage[];
    requests: number;
    /** Why something is unsent, if anything is. */
    reason: string | undefined;
  },
): ReportResult {
  const { plan, ledger, requests } = end;
  const { guard } = plan;
  const { site } = identity;
  const counts = reportCounts(plan.steps, end);
  const { unsent, unremoved, waiting } = counts;
  const since = ledger.unsentSince;
  const tooLong = since !== undefined && clock() - Date.parse(since) > maxUnsent;
  const reason = unsent > 0 ? end.reason : undefined;
  const findings = [...end.findings];
  if (guard.held) findings.push(finding('warning', 'removals-held', store.name, guard));
  if (reason)
    findings.push(finding('warning', 'usage-unsent', site, { unsent, unremoved, reason }));
  if (tooLong) {
    const details = { unsent: waiting, days: Math.floor(maxUnsent / oneDay), since };
    findings.push(finding('error', 'usage-unsent-too-long', site, details));
  }
  return {
    ...counts,
    requests,
    held: guard.held ? guard.removals : 0,
    guard,
    plan,
    findings,
    outcome: tooLong ? 'failed' : unsent > 0 ? 'unsent' : guard.held ? 'held' : 'done',
    reason,
  };
}
