import pLimit from 'p-limit';
import { type Finding, finding, isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { ServiceError } from '../../service/service-error.ts';
import type { MediaService, UsageRecord } from '../../service/types.ts';
import { refusedWith } from '../report/usage-sender.ts';

const requestsAtOnce = 4;

export type Listing = ReadonlyMap<number, readonly UsageRecord[]>;

/** Whether the call is missing, not the asset. */
const isNoCall = (one: ServiceError) => one.isOwnRefusal && [405, 501].includes(one.status ?? 0);

/** Whether an answer came that is neither a whole list nor the service's own refusal. */
const isUnread = (error: ServiceError) =>
  error.code === 'answer-unexpected' || ((refusedWith(error) ?? 0) >= 400 && !error.isOwnRefusal);

/** For `catch`: an error by which the service gave no list at all, which says nothing of usages. */
export function ifUnlisted(thrown: unknown): { unlisted: unknown } {
  const codes = ['usages-not-listed', 'request-forbidden', 'request-refused'] as const;
  if (!isMediaAssetError(thrown, ...codes)) throw thrown;
  return { unlisted: thrown };
}

/** How a listing tells of its progress, and how it's ended. */
interface ListingRun {
  readonly onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Lists the usages of assets. An asset whose list the service refuses, or whose list can't be read as a
 * whole, is left out, with the finding `listing-refused`. If `run.beforeEach` throws, the listing ends.
 */
export async function listAssetUsages(
  service: Pick<MediaService, 'baseUrl' | 'usages'>,
  ids: readonly number[],
  { beforeEach, ...run }: ListingRun & { readonly beforeEach?: () => Promise<void> } = {},
): Promise<{ listing: Listing; findings: readonly Finding[] }> {
  const { baseUrl, usages } = service;
  const listing = new Map<number, readonly UsageRecord[]>();
  const notListed = ({ status = 0 }: ServiceError) =>
    mediaAssetError('usages-not-listed', { service: baseUrl, status });
  const { findings, refusals } = await listEach('assets', ids, run, async (id) => {
    await beforeEach?.();
    try {
      listing.set(id, await usages.list(id, { signal: run.signal }));
    } catch (error) {
      throw error instanceof ServiceError && isNoCall(error) ? notListed(error) : error;
    }
  });
  const [refusal] = refusals;
  if (refusal && listing.size === 0) {
    throw refusals.find((one) => one.status === 403 || isUnread(one)) ?? notListed(refusal);
  }
  return { listing: new Map([...listing].sort(([one], [other]) => one - other)), findings };
}

/**
 * Lists the IDs of all assets in the folders that the credentials can see, of any type, processed
 * or not, in ascending order. A folder whose files the service refuses to list is left out, with
 * the finding `listing-refused`.
 */
export async function listLibrary(
  service: Pick<MediaService, 'folders'>,
  run: ListingRun = {},
): Promise<{ ids: readonly number[]; findings: readonly Finding[] }> {
  const { signal } = run;
  const ids = new Set<number>();
  const folders = await service.folders.tree({ signal }).catch((error: unknown) => {
    throw endedBy(error, signal);
  });
  const folderIds = folders.map(({ id }) => id);
  const { findings, refusals } = await listEach('folders', folderIds, run, async (id) => {
    const files = service.folders.files(id, { fields: ['id'], processed: false, signal });
    for await (const file of files) ids.add(file.id);
  });
  if (refusals.length > 0 && refusals.length === folders.length) throw refusals[0];
  return { ids: [...ids].sort((a, b) => a - b), findings };
}

/** Lists something of each asset or folder. Refusals are findings (`listing-refused`). */
async function listEach(
  what: 'assets' | 'folders',
  ids: readonly number[],
  { onProgress, signal }: ListingRun,
  list: (id: number) => Promise<void>,
): Promise<{ findings: readonly Finding[]; refusals: readonly ServiceError[] }> {
  const findings: Finding[] = [];
  const refusals: ServiceError[] = [];
  const total = ids.length;
  let failed = false;
  let done = 0;
  await pLimit(requestsAtOnce).map(ids, async (id) => {
    if (failed) return;
    try {
      await list(id);
    } catch (error) {
      const status = refusedWith(error);
      if (!(error instanceof ServiceError) || (status === undefined && !isUnread(error))) {
        failed = true;
        throw endedBy(error, signal);
      }
      refusals.push(error);
      const answer = isUnread(error) ? 'in an unknown form' : `with ${status}`;
      findings.push(finding('warning', 'listing-refused', { what, id, answer }));
    }
    done += 1;
    onProgress?.({ done, total });
  });
  return { findings, refusals };
}

/** `listing-ended` if the signal has ended a listing. Any other error as it is. */
function endedBy(error: unknown, signal: AbortSignal | undefined): unknown {
  if (!signal?.aborted || error !== signal.reason) return error;
  return mediaAssetError('listing-ended', {}, { cause: error });
}
