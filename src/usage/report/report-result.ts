import { type Finding, finding, MediaAssetError } from '../../errors/errors.ts';
import type { RefusedUsage } from '../ledger/last-run.ts';
import { equalFields, type Ledger } from '../ledger/ledger.ts';
import type { LedgerIdentity } from '../ledger/ledger-identity.ts';
import type { StateStore } from '../ledger/state-store.ts';
import { type Plan, type PlannedStep, requestsOf } from '../plan/plan-usage.ts';

const oneDay = 24 * 60 * 60 * 1000;

/** What a run has done. Counted in pairs, except `requests`. */
export interface ReportResult extends ReportCounts {
  readonly requests: number;
  readonly held: number;
  readonly guard: Plan['guard'];
  readonly plan: Plan;
  readonly findings: readonly Finding[];
  /** `failed`: something has been unsent for longer than allowed. */
  readonly outcome: 'done' | 'held' | 'unsent' | 'failed';
  /** Why something is unsent, as a sentence. */
  readonly reason: string | undefined;
}

export function reportResult(
  {
    store,
    clock,
    identity,
    maxUnsent = 7 * oneDay,
    onError = 'warn',
  }: {
    store: Pick<StateStore, 'name'>;
    clock: () => number;
    identity: LedgerIdentity;
    maxUnsent?: number | undefined;
    onError?: 'warn' | 'fail' | undefined;
  },
  end: {
    plan: Plan;
    ledger: Ledger;
    findings: readonly Finding[];
    refused: readonly RefusedUsage[];
    requests: number;
    reason: string | undefined;
  },
): ReportResult {
  const { plan, ledger, requests } = end;
  const { guard } = plan;
  const { site } = identity;
  const counts = reportCounts(plan.steps, end);
  const { unsent, unremoved } = counts;
  const [refusal] = end.refused;
  const [since] = [ledger.unsentSince ?? [], refusal?.since ?? []].flat().sort();
  const tooLong = unsent > 0 && since !== undefined && clock() - Date.parse(since) > maxUnsent;
  const reason = unsent > 0 ? end.reason : undefined;
  const findings = [...end.findings];
  if (guard.held) findings.push(finding('warning', 'removals-held', store.name, guard));
  if (reason) {
    const severity = onError === 'fail' ? 'error' : 'warning';
    findings.push(finding(severity, 'usage-unsent', site, { unsent, unremoved, reason }));
  }
  if (tooLong) {
    const first = refusal?.since === since ? refusal : undefined;
    const refused = first ? refusalText(first) : '';
    const days = Math.floor(maxUnsent / oneDay);
    const details = { unsent, days, since, refused, removed: first?.removed ?? false };
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

/**
 * What fails a build or `media-asset report`: usages that have been unsent for longer than
 * `maxUnsent`, or any unsent usage if `onError` is `fail`. Refused usages are unsent too.
 */
export function failureOf({ outcome, findings }: ReportResult): MediaAssetError | undefined {
  const code = outcome === 'failed' ? 'usage-unsent-too-long' : 'usage-unsent';
  const reason = findings.find((found) => found.code === code && found.severity === 'error');
  return reason && new MediaAssetError(code, reason);
}

/** The outcome of a plan, in pairs. */
export interface ReportCounts {
  /** Reported for the first time, or again in a replacement. */
  readonly reported: number;
  /** Removed because they are gone. */
  readonly removed: number;
  readonly unsent: number;
  /** Unsent removals. The other unsent usages are reports. */
  readonly unremoved: number;
  /** Unsent usages that the service hasn't refused. */
  readonly waiting: number;
}

/** Compares a plan with the ledger after the run. */
export function reportCounts(
  steps: readonly PlannedStep[],
  { ledger, refused = [] }: { ledger: Ledger; refused?: readonly RefusedUsage[] },
): ReportCounts {
  const refusedOn = Map.groupBy(refused, ({ page }) => page);
  const pages = Map.groupBy(steps, ({ page }) => page);
  let reported = 0;
  let removed = 0;
  let unreported = 0;
  let unremoved = 0;
  let waiting = 0;
  for (const [page, stepsOfPage] of pages) {
    const sent = requestsOf(stepsOfPage);
    const records = ledger.pages.get(page) ?? [];
    const refusedIds = new Set(refusedOn.get(page)?.map(({ id }) => id));
    const reports = sent.filter((request) => !request.removed);
    for (const report of reports) {
      const record = records.find(
        (one) => ['confirmed', 'unremoved'].includes(one.state) && equalFields(one, report),
      );
      const listed = new Set(record?.ids);
      const others = new Set(
        records.filter((one) => one !== record && one.state !== 'unsent').flatMap(({ ids }) => ids),
      );
      for (const id of report.ids) {
        if (record?.state === 'confirmed' && listed.has(id) && !others.has(id)) {
          reported += 1;
          continue;
        }
        if (listed.has(id)) unremoved += 1;
        else unreported += 1;
        if (!refusedIds.has(id)) waiting += 1;
      }
    }
    const wanted = new Set(reports.flatMap(({ ids }) => ids));
    const standing = new Set(
      records.filter(({ state }) => state !== 'unsent').flatMap(({ ids }) => ids),
    );
    for (const id of new Set(sent.flatMap(({ ids }) => ids))) {
      if (wanted.has(id)) continue;
      if (!standing.has(id)) {
        removed += 1;
        continue;
      }
      unremoved += 1;
      if (!refusedIds.has(id)) waiting += 1;
    }
  }
  return { reported, removed, unsent: unreported + unremoved, unremoved, waiting };
}

/** A refusal as a sentence. */
export function refusalText({ page, id, removed, status, text, since }: RefusedUsage): string {
  const what = `${removed ? 'to remove ' : ''}asset ${id} on ${page}`;
  return `The service has refused ${what} since ${since} with ${status}${text && `: ${text}`}.`;
}

export function refusedFindings(refused: readonly RefusedUsage[]): Finding[] {
  return refused.map(({ text: answer, page, id, removed, status }) =>
    finding('warning', 'usage-refused', page, { page, id, removed, status, answer }),
  );
}
