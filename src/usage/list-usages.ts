import pLimit from 'p-limit';
import { type Finding, finding, mediaAssetError } from '../errors.ts';
import type { MediaService, UsageRecord } from '../service/media-service.ts';
import { ServiceError } from '../service/service-error.ts';

/** What the service lists of each asset that it was asked for. */
export type Listing = ReadonlyMap<number, readonly UsageRecord[]>;

/** Answers that say of the call, and not of the asset, that it is not there. */
const noSuchCall = new Set([405, 501]);

/**
 * Lists the usages of assets. An asset whose list the service refuses is left out, with the finding
 * `usage-asset-unlisted`.
 *
 * @throws `listing-ended` once the signal fires; `usages-not-listed` where the service lists those of none; any other error of the service
 */
export async function listUsages({
  service,
  ids,
  concurrency = 4,
  beforeEach,
  onProgress,
  signal,
}: {
  service: Pick<MediaService, 'baseUrl' | 'usages'>;
  ids: readonly number[];
  /** Requests under way at once. */
  concurrency?: number;
  /** Called before each request; what it throws ends the listing. */
  beforeEach?: () => Promise<void>;
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
  signal?: AbortSignal | undefined;
}): Promise<{ listing: Listing; findings: readonly Finding[] }> {
  const listing = new Map<number, readonly UsageRecord[]>();
  const findings: Finding[] = [];
  const refusals: number[] = [];
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
      const status = refusedWith(error);
      if (status === undefined || noSuchCall.has(status)) failed = true;
      if (status === undefined) throw error;
      refusals.push(status);
      findings.push(finding('warning', 'usage-asset-unlisted', String(id), { id, status }));
    }
    done += 1;
    onProgress?.({ done, total: ids.length });
  };
  await pLimit(concurrency).map(ids, listOne);
  const [status] = refusals;
  if (status !== undefined && (failed || listing.size === 0)) {
    throw mediaAssetError('usages-not-listed', { service: service.baseUrl, status });
  }
  return { listing, findings };
}

/** The status of an answer that gives no list, for good; `undefined` for any other failure. */
export function refusedWith(error: unknown): number | undefined {
  if (!(error instanceof ServiceError)) return undefined;
  const isFinal = error.code === 'request-refused' || noSuchCall.has(error.status ?? 0);
  return isFinal ? error.status : undefined;
}
