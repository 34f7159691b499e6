import type { Finding } from '../../../src/errors/errors.ts';
import type { Manifest } from '../../../src/scan/manifest.ts';
import type { MediaService } from '../../../src/service/types.ts';
import type { Ledger } from '../../../src/usage/ledger/ledger.ts';
import type { SiteFields } from '../../../src/usage/plan/plan-usage.ts';
import { listLibrary } from '../../../src/usage/reconcile/list-usages.ts';
import {
  lookUpUsages,
  type OtherUsage,
  reconcileUsage,
} from '../../../src/usage/reconcile/reconcile-usage.ts';
import type { ReportResult } from '../../../src/usage/report/report-result.ts';
import type { ReportRun } from '../../../src/usage/report/report-usage.ts';
import type { HistoryCounts } from './history-counts.ts';

/**
 * Reconciles under every project and contact that the site ever had. Equals
 * `media-asset reconcile <folder> --all --yes` under each of those in the usages that are left alone, then
 * under its own.
 */
export async function reconcileAll(
  run: ReportRun & { readonly service: MediaService },
  counts: HistoryCounts,
): Promise<ReportResult> {
  const { service, signal, manifest, fields } = run;
  const library = await listLibrary(service, { signal });
  const findings: Finding[] = [...library.findings];
  const lookUp = async (fields: SiteFields) => {
    const looked = await lookUpUsages({ ...run, fields, others: library.ids });
    findings.push(...looked.findings);
    return looked;
  };
  const { leftAlone } = await lookUp(fields);
  for (const former of formerFields(leftAlone, fields)) {
    counts.add('reconcile under a former name');
    const { ids } = await lookUp(former);
    const result = await reconcileUsage({ ...run, fields: former, ids });
    findings.push(...result.findings);
  }
  const { ledger, ids, isAnswered } = await lookUp(fields);
  const named = namedIn(ledger, manifest);
  if (ids.some((id) => !named.has(id))) counts.add('reconcile of what only the service names');
  const isWhole = isAnswered && library.findings.length === 0;
  const result = await reconcileUsage({ ...run, ids, isWhole });
  return { ...result, findings: [...findings, ...result.findings] };
}

/** The fields of a run under each earlier project and contact. */
function formerFields(leftAlone: readonly OtherUsage[], fields: SiteFields): SiteFields[] {
  const names = Map.groupBy(leftAlone, ({ project, contact }) => `${project} ${contact}`);
  return [...names.values()].flatMap(([usage]) => {
    const { project = fields.project, contact = fields.contact } = usage ?? {};
    return [{ ...fields, project, contact }];
  });
}

function namedIn(ledger: Ledger, { pages }: Manifest): Set<number> {
  const known = [...ledger.pages.values()].flat().flatMap((record) => record.ids);
  return new Set([...known, ...pages.flatMap(({ assets }) => assets)]);
}
