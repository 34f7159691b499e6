import { rmdir } from 'node:fs/promises';
import { mediaAssetError } from '../../errors/errors.ts';
import { removeFile } from '../../storage/retry-locked-file.ts';
import {
  assetFolders,
  removeFolder,
  removeLeftovers,
  serviceFolders,
  storeFolder,
  temporaryFolder,
} from './asset-folder.ts';
import { cataloguePath } from './read-catalogue.ts';

/**
 * Deletes what is cached of one asset, or all of it with the catalogue. The next build fetches it
 * again; so does one that is running, whose downloads under way stay.
 *
 * @param id the asset; `undefined` for all
 * @param now milliseconds since the epoch
 * @throws `cache-unusable`
 */
export async function clearCache(
  cacheDir: string,
  { id, now }: { id?: number | undefined; now: number },
): Promise<void> {
  try {
    if (id !== undefined) {
      const folders = assetFolders(cacheDir).filter((folder) => folder.id === id);
      for (const { path } of folders) await removeFolder(path);
      return;
    }
    for (const folder of serviceFolders(cacheDir)) await removeFolder(folder);
    await removeLeftovers(cacheDir, now);
    await removeFile(cataloguePath(cacheDir));
  } catch (cause) {
    throw mediaAssetError('cache-unusable', { path: cacheDir }, { cause });
  }
  // Files of running builds keep them.
  for (const folder of [temporaryFolder(cacheDir), storeFolder(cacheDir)]) {
    await rmdir(folder).catch(() => undefined);
  }
}
