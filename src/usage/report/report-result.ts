import { type Finding, finding, MediaAssetError } from '../../errors/errors.ts';
import { oneDay } from '../../storage/day.ts';
import type { RefusedUsage } from '../ledger/last-run.ts';
import { equalFields, type Ledger } from '../ledger/ledger.ts';
import type { Plan, PlannedStep } from '../plan/plan-usage.ts';

/** What a run has done. Counted in pairs, except `requests`. */
export type ReportResult = Readonly<ReturnType<typeof reportResult>>;

type RunOutcome = 'done' | 'held' | 'unsent' | 'failed';

/** The result of a run. Without `counts`, it had nothing to send. */
export function reportResult(
  run: {
    clock: () => number;
    maxUnsent?: number | undefined;
    onError?: 'warn' | 'fail' | undefined;
  },
  end: {
    plan: Plan;
    ledger: Ledger;
    findings: readonly Finding[];
    counts?: ReportCounts;
    refused?: readonly RefusedUsage[];
    requests?: number;
    reason?: string | undefined;
  },
) {
  const { clock, maxUnsent: days = 7, onError = 'warn' } = run;
  const { plan, ledger, counts = noCounts, refused: [refusal] = [], requests = 0 } = end;
  const { guard } = plan;
  const { unsent } = counts;
  const [since] = [ledger.unsentSince ?? [], refusal?.since ?? []].flat().sort();
  const isLong = since !== undefined && clock() - Date.parse(since) > days * oneDay;
  const tooLong = unsent > 0 && isLong;
  const reason = unsent > 0 ? end.reason : undefined;
  const outcome: RunOutcome = tooLong
    ? 'failed'
    : unsent > 0
      ? 'unsent'
      : guard.held
        ? 'held'
        : 'done';
  const findings = [...end.findings];
  let failing: Finding | undefined;
  if (guard.held) findings.push(finding('warning', 'removals-held', guard));
  if (reason) {
    const severity = onError === 'fail' ? 'error' : 'warning';
    const found = finding(severity, 'usage-unsent', { unsent, reason });
    findings.push(found);
    if (onError === 'fail') failing = found;
  }
  if (tooLong) {
    failing = finding('error', 'usage-unsent-too-long', { unsent, days, since });
    findings.push(failing);
  }
  return {
    ...counts,
    requests,
    held: heldOf(plan),
    ...{ plan, findings },
    /** Why the service's list may be wrong after this run too. */
    gap: ledger.gap,
    /** `failed`: something has been unsent for longer than allowed. */
    outcome,
    /** Why something is unsent, as a sentence. */
    reason,
    /**
     * What fails a build or `media-asset report`: usages that have been unsent for longer than
     * `maxUnsent`, or any unsent usage if `onError` is `fail`. Refused usages are unsent too.
     */
    failure: failing && new MediaAssetError(failing.code, failing),
  };
}

/** The removals that the guard holds, in pairs. */
export function heldOf({ guard }: Plan): number {
  return guard.held ? guard.removals : 0;
}

/** The outcome of a plan, in pairs. */
const noCounts = {
  /** Reported for the first time, or again in a replacement. */
  reported: 0,
  /** Removed because they are gone. */
  removed: 0,
  unsent: 0,
  /** Unsent usages that the service hasn't refused. */
  waiting: 0,
};

type ReportCounts = Readonly<typeof noCounts>;

export function reportCounts(
  steps: readonly PlannedStep[],
  { ledger, refused = [] }: { ledger: Ledger; refused?: readonly RefusedUsage[] },
): ReportCounts {
  const refusedPairs = new Set(refused.map(({ page, id }) => `${id} ${page}`));
  const counts = { ...noCounts };
  for (const { page, requests } of steps) {
    const records = ledger.pages.get(page) ?? [];
    for (const id of new Set(requests.flatMap(({ ids }) => ids))) {
      const report = requests.find(({ removed, ids }) => !removed && ids.includes(id));
      const standing = records.filter(({ ids, state }) => state !== 'unsent' && ids.includes(id));
      const [record, ...others] = standing;
      const isTold = record?.state === 'confirmed' && others.length === 0;
      if (report ? isTold && equalFields(record, report) : !record) {
        counts[report ? 'reported' : 'removed'] += 1;
        continue;
      }
      counts.unsent += 1;
      if (!refusedPairs.has(`${id} ${page}`)) counts.waiting += 1;
    }
  }
  return counts;
}

export function refusedFinding({ text: answer, ...usage }: RefusedUsage): Finding {
  return finding('warning', 'usage-refused', { ...usage, answer });
}
