import type { Manifest } from '../../src/scan/manifest.ts';
import type { MediaService } from '../../src/service/media-service.ts';
import type { Ledger } from '../../src/usage/ledger.ts';
import { listLibrary } from '../../src/usage/list-library.ts';
import { lookUpUsages } from '../../src/usage/look-up-usages.ts';
import { reconcileUsage } from '../../src/usage/reconcile-usage.ts';
import type { ReportResult } from '../../src/usage/report-result.ts';
import type { ReportRun } from '../../src/usage/report-usage.ts';
import type { HistoryCounts } from './history-counts.ts';

/**
 * Reconciles as `media-asset reconcile <folder> --all --yes` does: what the service has to be asked
 * for is found, and told by nobody.
 */
export async function reconcileAll(
  run: ReportRun & { readonly service: MediaService; readonly formerly?: readonly string[] },
  counts: HistoryCounts,
): Promise<ReportResult> {
  const { service, signal, manifest } = run;
  const library = await listLibrary({ service, signal });
  const looked = await lookUpUsages({ ...run, others: library.ids });
  const { ids } = looked;
  const named = namedIn(looked.ledger, manifest);
  if (ids.some((id) => !named.has(id))) counts.add('reconcile of what only the service names');
  const result = await reconcileUsage({ ...run, ids });
  return { ...result, findings: [...library.findings, ...looked.findings, ...result.findings] };
}

function namedIn(ledger: Ledger, { pages }: Manifest): Set<number> {
  const known = [...ledger.pages.values()].flat().flatMap((record) => record.ids);
  return new Set([...known, ...pages.flatMap(({ assets }) => assets.map(({ id }) => id))]);
}
