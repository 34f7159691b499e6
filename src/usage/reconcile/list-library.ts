import type { Finding } from '../../errors/errors.ts';
import type { MediaService } from '../../service/types.ts';
import { endedBy, type ListingRun, listEach } from './list-asset-usages.ts';

/**
 * Lists the IDs of all assets in the folders that the credentials can see, of any type, processed
 * or not, in ascending order. A folder whose files the service refuses to list is left out, with
 * the finding `listing-refused`.
 *
 * @throws `listing-ended` once the signal aborts; the refusal if no folder's files are listed; any
 * other error of the service
 */
export async function listLibrary(
  service: Pick<MediaService, 'folders'>,
  run: ListingRun = {},
): Promise<{ ids: readonly number[]; findings: readonly Finding[] }> {
  const { signal } = run;
  const ids = new Set<number>();
  const folders = await service.folders.tree({ signal }).catch((error: unknown) => {
    throw endedBy(error, signal, { what: 'folders', listed: 0, total: 0 });
  });
  const folderIds = folders.map(({ id }) => id);
  const { findings, refusals } = await listEach('folders', folderIds, run, async (id) => {
    const files = service.folders.files(id, { fields: ['id'], processed: false, signal });
    for await (const file of files) ids.add(file.id);
  });
  if (refusals.length > 0 && refusals.length === folders.length) throw refusals[0];
  return { ids: [...ids].sort((a, b) => a - b), findings };
}
