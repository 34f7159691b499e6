import pLimit from 'p-limit';
import { type Finding, finding, mediaAssetError } from '../../errors/errors.ts';
import type { MediaService } from '../../service/types.ts';
import { refusedWith } from '../report/refusal-judge.ts';
import { noSuchCall } from './list-asset-usages.ts';

/**
 * Lists the IDs of all assets in the folders that the credentials can see, of any type, processed
 * or not, in ascending order. A folder whose files the service refuses to list is left out, with
 * the finding `listing-refused`.
 *
 * @throws `listing-ended` once the signal aborts; the refusal if no folder's files are listed; any
 * other error of the service
 */
export async function listLibrary({
  service,
  concurrency = 4,
  onProgress,
  signal,
}: {
  service: Pick<MediaService, 'folders'>;
  /** Folders that are read concurrently. */
  concurrency?: number;
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
  signal?: AbortSignal | undefined;
}): Promise<{ ids: readonly number[]; findings: readonly Finding[] }> {
  const ids = new Set<number>();
  const findings: Finding[] = [];
  const refusals: unknown[] = [];
  let folders: readonly { readonly id: number }[] = [];
  let failed = false;
  let done = 0;
  const listOne = async (id: number): Promise<void> => {
    if (failed) return;
    try {
      const files = service.folders.files(id, { fields: ['id'], processed: false, signal });
      for await (const file of files) ids.add(file.id);
    } catch (error) {
      const status = refusedWith(error, { missing: noSuchCall });
      if (status === undefined) {
        failed = true;
        throw error;
      }
      refusals.push(error);
      const what = `The files of folder ${id}`;
      findings.push(finding('warning', 'listing-refused', String(id), { what, status }));
    }
    done += 1;
    onProgress?.({ done, total: folders.length });
  };
  try {
    folders = await service.folders.tree({ signal });
    await pLimit(concurrency).map(folders, ({ id }) => listOne(id));
  } catch (error) {
    if (!signal?.aborted || error !== signal.reason) throw error;
    const counts = { what: 'folders', listed: done, total: folders.length } as const;
    throw mediaAssetError('listing-ended', counts, { cause: error });
  }
  if (refusals.length > 0 && refusals.length === folders.length) throw refusals[0];
  return { ids: [...ids].sort((a, b) => a - b), findings };
}
