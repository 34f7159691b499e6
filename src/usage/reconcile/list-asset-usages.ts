import pLimit from 'p-limit';
import { type Finding, finding, mediaAssetError } from '../../errors/errors.ts';
import type { MediaService, UsageRecord } from '../../service/types.ts';
import { refusedWith } from '../report/refusal-judge.ts';

const requestsAtOnce = 4;

/** The service's usages of each requested asset. */
export type Listing = ReadonlyMap<number, readonly UsageRecord[]>;

/** Statuses that mean that the call is missing, not the asset. */
export const noSuchCall: readonly number[] = [405, 501];

/**
 * Lists the usages of assets. An asset whose list the service refuses is left out, with the finding
 * `listing-refused`.
 *
 * @throws `listing-ended` once the signal aborts. If the service lists no asset's usages,
 * `request-forbidden` if it forbids one of them, else `usages-not-listed`. Any other error of the
 * service
 */
export async function listAssetUsages({
  service,
  ids,
  beforeEach,
  onProgress,
  signal,
}: {
  service: Pick<MediaService, 'baseUrl' | 'usages'>;
  ids: readonly number[];
  /** Called before each request. If it throws, the listing ends. */
  beforeEach?: () => Promise<void>;
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
  signal?: AbortSignal | undefined;
}): Promise<{ listing: Listing; findings: readonly Finding[] }> {
  const listing = new Map<number, readonly UsageRecord[]>();
  const findings: Finding[] = [];
  const refusals: number[] = [];
  let forbidden: unknown;
  let failed = false;
  let done = 0;
  const listOne = async (id: number): Promise<void> => {
    if (failed) return;
    try {
      await beforeEach?.();
      listing.set(id, await service.usages.list(id, { signal }));
    } catch (error) {
      if (signal?.aborted && error === signal.reason) {
        failed = true;
        const counts = { what: 'assets', listed: listing.size, total: ids.length } as const;
        throw mediaAssetError('listing-ended', counts, { cause: error });
      }
      const status = refusedWith(error, { missing: noSuchCall });
      if (status === undefined || noSuchCall.includes(status)) failed = true;
      if (status === undefined) throw error;
      if (status === 403) forbidden ??= error;
      refusals.push(status);
      const what = `The usages of asset ${id}`;
      findings.push(finding('warning', 'listing-refused', String(id), { what, status }));
    }
    done += 1;
    onProgress?.({ done, total: ids.length });
  };
  await pLimit(requestsAtOnce).map(ids, listOne);
  const [status] = refusals;
  if (status !== undefined && (failed || listing.size === 0)) {
    if (forbidden !== undefined && !failed) throw forbidden;
    throw mediaAssetError('usages-not-listed', { service: service.baseUrl, status });
  }
  return { listing, findings };
}
