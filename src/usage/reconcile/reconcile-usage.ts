import { type Finding, mediaAssetError } from '../../errors/errors.ts';
import type { Manifest } from '../../scan/manifest.ts';
import type { MediaService } from '../../service/types.ts';
import type { PairSet } from '../ledger/ledger.ts';
import { formatLedger, ledgerChunks } from '../ledger/ledger-json.ts';
import { loadLedger } from '../ledger/load-ledger.ts';
import type { ReportResult } from '../report/report-result.ts';
import { type ReportRun, reportUsage } from '../report/report-usage.ts';
import { listAssetUsages } from './list-asset-usages.ts';
import { type OwnNames, ownNames, splitListing } from './look-up-usages.ts';
import { type Reconciled, reconcileLedger } from './reconcile-ledger.ts';

interface ReconcileRun extends ReportRun {
  readonly service: Pick<MediaService, 'baseUrl' | 'usages'>;
  readonly ids: readonly number[];
}

/**
 * Makes ledger and service agree with a manifest if the ledger can't be trusted: puts the service's
 * own list into the ledger, then reports the manifest as usual. Leaves usages alone that another
 * project has reported below the same site and base. First removes usages that are listed several
 * times with the same fields, as often as needed.
 *
 * @throws like `repairLedger` and `reportUsage`; `usages-not-removed`
 */
export async function reconcileUsage(run: ReconcileRun): Promise<ReportResult> {
  const { onProgress: _, ...quiet } = run;
  const findings: Finding[] = [];
  const sums = { reported: 0, removed: 0, requests: 0 };
  let { ids } = run;
  let names: OwnNames | undefined;
  let times = Number.POSITIVE_INFINITY;
  for (;;) {
    const { repeated, ...repair } = await repairLedger({ ...quiet, ids, names });
    const before = times;
    times = repeated.reduce((sum, pair) => sum + pair.times, 0);
    if (times > 0 && times >= before) {
      throw mediaAssetError('usages-not-removed', { pairs: repeated.length });
    }
    const kept = shownOf(run.manifest, repeated);
    const result = await reportUsage({
      ...run,
      takeOut: kept.length > 0 ? pairSet(kept) : undefined,
      serviceAnswered: true,
    });
    findings.push(...repair.findings, ...result.findings);
    sums.requests += result.requests;
    sums.reported += result.reported;
    if (kept.length === 0) sums.removed += result.removed;
    if (repeated.length === 0 || result.outcome !== 'done') {
      return { ...result, ...sums, findings };
    }
    ids = [...new Set(repeated.map(({ id }) => id))];
    // The ledger may just have lost its last usage under a former name, while the service has more.
    names = repair.names;
  }
}

type Pairs = Reconciled['repeated'];

function shownOf({ pages }: Manifest, pairs: Pairs): Pairs {
  const shown = new Map(pages.map(({ page, assets }) => [page, assets]));
  return pairs.filter(({ page, id }) => shown.get(page)?.includes(id));
}

function pairSet(pairs: Pairs): PairSet {
  const pages = Map.groupBy(pairs, ({ page }) => page);
  return new Map([...pages].map(([page, same]) => [page, new Set(same.map(({ id }) => id))]));
}

interface LedgerRepair
  extends Pick<ReportRun, 'store' | 'identity' | 'fields' | 'clock' | 'onProgress' | 'signal'> {
  readonly service: Pick<MediaService, 'baseUrl' | 'usages'>;
  /** The usages on the built pages, if they are known. */
  readonly manifest: ReportRun['manifest'] | undefined;
  readonly ids: readonly number[];
  /** The names whose usages belong to this site. @default those of the fields and the ledger */
  readonly names?: OwnNames | undefined;
}

/**
 * Puts the service's list of this project into the ledger, while no other run can send. Sends
 * nothing.
 *
 * @throws like `listAssetUsages`; the `ledger-…` codes
 */
export async function repairLedger({
  store,
  identity,
  fields,
  clock,
  service,
  manifest,
  ids,
  names: given,
  onProgress,
  signal,
}: LedgerRepair): Promise<Reconciled & { names: OwnNames; findings: readonly Finding[] }> {
  const lease = await store.lock(signal);
  try {
    const { ledger, tag } = await loadLedger(store, identity);
    const listed = await listAssetUsages({
      service,
      ids,
      beforeEach: () => lease.renew(),
      onProgress,
      signal,
    });
    const { findings } = listed;
    const names = given ?? ownNames(ledger, fields);
    const { listing } = splitListing(listed.listing, { identity, names });
    const today = new Date(clock()).toISOString().slice(0, 10);
    const reconciled = reconcileLedger({ ledger, listing, manifest, fields, today });
    if (tag === undefined || formatLedger(reconciled.ledger) !== formatLedger(ledger)) {
      await lease.renew();
      await lease.write(ledgerChunks(reconciled.ledger), tag);
    }
    return { ...reconciled, names, findings };
  } finally {
    await lease.release();
  }
}
