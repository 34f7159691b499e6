import { equalFields, type Ledger } from './ledger.ts';
import type { PlannedRequest } from './plan-usage.ts';

/** What has become of a plan, in pairs. */
export interface ReportCounts {
  /** Reported for the first time, or anew in a replacement. */
  readonly reported: number;
  /** Removed because they are gone. */
  readonly removed: number;
  readonly unsent: number;
  /** Those of the unsent that are to be removed; the others are to be reported. */
  readonly unremoved: number;
}

/** Compares a plan with the ledger after it has been sent, as far as it was. */
export function reportCounts(requests: readonly PlannedRequest[], ledger: Ledger): ReportCounts {
  const pages = Map.groupBy(requests, ({ page }) => page);
  let reported = 0;
  let removed = 0;
  let unreported = 0;
  let unremoved = 0;
  for (const [page, sent] of pages) {
    const records = ledger.pages.get(page) ?? [];
    const reports = sent.filter((request) => !request.removed);
    for (const report of reports) {
      const record = records.find((one) => one.state === 'confirmed' && equalFields(one, report));
      const confirmed = new Set(record?.ids);
      for (const id of report.ids) {
        if (confirmed.has(id)) reported += 1;
        else unreported += 1;
      }
    }
    const wanted = new Set(reports.flatMap(({ ids }) => ids));
    const standing = new Set(
      records.filter(({ state }) => state !== 'unsent').flatMap(({ ids }) => ids),
    );
    for (const id of new Set(sent.flatMap(({ ids }) => ids))) {
      if (wanted.has(id)) continue;
      if (standing.has(id)) unremoved += 1;
      else removed += 1;
    }
  }
  return { reported, removed, unsent: unreported + unremoved, unremoved };
}
