import type { Finding } from '../errors.ts';
import type { MediaService } from '../service/media-service.ts';
import { formatLedger, ledgerChunks } from './ledger-chunks.ts';
import { listUsages } from './list-usages.ts';
import { loadLedger } from './load-ledger.ts';
import { type Reconciled, reconcileLedger } from './reconcile-ledger.ts';
import type { ReportRun } from './report-usage.ts';
import { type OwnNames, ownNames, splitListing } from './split-listing.ts';

export interface LedgerRepair
  extends Pick<ReportRun, 'store' | 'identity' | 'fields' | 'clock' | 'onProgress' | 'signal'> {
  readonly service: Pick<MediaService, 'baseUrl' | 'usages'>;
  /** What the built pages show, where they are known. */
  readonly manifest: ReportRun['manifest'] | undefined;
  /** The assets to ask for. */
  readonly ids: readonly number[];
  /** The names whose usages are this site's. @default those of the fields and the ledger */
  readonly names?: OwnNames | undefined;
}

/**
 * Puts what the service lists of this project into the ledger, while no other run can send. Sends nothing.
 *
 * @throws as `listUsages` does; the `ledger-…` codes
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
    const { ledger, tag } = await loadLedger(store, identity, { keepsBroken: true });
    const listed = await listUsages({
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
