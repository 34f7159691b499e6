import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { mediaAssetError } from '../errors.ts';
import { removeFile } from '../storage/retry-locked-file.ts';
import { createPictureCache } from './cacache-picture-cache.ts';
import { contentsFolder, readCacheEntries } from './cache-entries.ts';
import { cataloguePath } from './read-catalogue.ts';
import { removeLeftovers, temporaryFolder } from './remove-leftovers.ts';

/** What cacache puts below `v1`: beside the temporary files nothing else there is ours to delete. */
const ownFolders = ['index-v5', 'content-v2'];

/**
 * Deletes what is cached of one asset, or all of it with the catalogue. The next build fetches it
 * again; so does one that is running, whose downloads under way stay. Other files in the folder stay.
 *
 * @param id the asset; `undefined` for all
 * @param now milliseconds since the epoch
 * @throws `cache-unusable`
 */
export async function clearCache(
  cacheDir: string,
  { id, now }: { id?: number | undefined; now: number },
): Promise<void> {
  if (id !== undefined) return clearAsset(cacheDir, id);
  const contents = contentsFolder(cacheDir);
  try {
    for (const name of ownFolders) {
      // It is tried again where a running build puts something in meanwhile.
      await rm(join(contents, name), { recursive: true, force: true, maxRetries: 10 });
    }
    await removeLeftovers(temporaryFolder(contents), { now });
    await removeFile(cataloguePath(cacheDir));
  } catch (cause) {
    throw mediaAssetError('cache-unusable', { path: cacheDir }, { cause });
  }
  // Files of running builds, or of somebody else, keep them.
  for (const folder of [temporaryFolder(contents), contents]) {
    await rmdir(folder).catch(() => undefined);
  }
}

async function clearAsset(cacheDir: string, id: number): Promise<void> {
  const cache = createPictureCache(contentsFolder(cacheDir));
  const entries = (await readCacheEntries(cacheDir)).filter((entry) => entry.id === id);
  const services = new Set(entries.map(({ service }) => service ?? ''));
  for (const service of services) await cache.purge(service, id);
}
