import type { RefusedUsage } from './last-run.ts';
import { equalFields, type Ledger } from './ledger.ts';
import { type PlannedStep, requestsOf } from './plan-usage.ts';

/** What has become of a plan, in pairs. */
export interface ReportCounts {
  /** Reported for the first time, or anew in a replacement. */
  readonly reported: number;
  /** Removed because they are gone. */
  readonly removed: number;
  readonly unsent: number;
  /** Those of the unsent that are to be removed; the others are to be reported. */
  readonly unremoved: number;
  /** Those of the unsent that the service has not refused: only time is in their way. */
  readonly waiting: number;
}

/** Compares a plan with the ledger after it has been sent, as far as it was. */
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
      const record = records.find((one) => one.state === 'confirmed' && equalFields(one, report));
      const confirmed = new Set(record?.ids);
      for (const id of report.ids) {
        if (confirmed.has(id)) {
          reported += 1;
          continue;
        }
        unreported += 1;
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
