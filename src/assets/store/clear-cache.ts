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
 * Deletes the cached files of one asset, or all files and the catalogue. The next build fetches them
 * again. A running build also does, but keeps its pending downloads.
 *
 * @param id the asset; `undefined` for all
 * @param now in milliseconds since the epoch
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
  // Fails if running builds have files in them.
  for (const folder of [temporaryFolder(cacheDir), storeFolder(cacheDir)]) {
    await rmdir(folder).catch(() => undefined);
  }
}
