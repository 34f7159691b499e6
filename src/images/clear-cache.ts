import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { mediaAssetError } from '../errors.ts';
import { createPictureCache } from './cacache-picture-cache.ts';
import { contentsFolder, readCacheEntries } from './cache-entries.ts';
import { cataloguePath } from './read-catalogue.ts';

/** What the cache and cacache put below `v1`: nothing else in the folder is ours to delete. */
const ownFolders = ['content-v2', 'index-v5', 'tmp'];

/**
 * Deletes what is cached of one asset, or all of it with the catalogue. The next build fetches it
 * again. Other files in the folder stay.
 *
 * @param id the asset; `undefined` for all
 * @throws `cache-unusable`
 */
export async function clearCache(cacheDir: string, id: number | undefined): Promise<void> {
  if (id !== undefined) return clearAsset(cacheDir, id);
  const contents = contentsFolder(cacheDir);
  try {
    for (const name of ownFolders) {
      await rm(join(contents, name), { recursive: true, force: true, maxRetries: 3 });
    }
    await rm(cataloguePath(cacheDir), { force: true });
  } catch (cause) {
    throw mediaAssetError('cache-unusable', { path: cacheDir }, { cause });
  }
  // Files of somebody else keep it.
  await rmdir(contents).catch(() => undefined);
}

async function clearAsset(cacheDir: string, id: number): Promise<void> {
  const cache = createPictureCache(contentsFolder(cacheDir));
  const entries = (await readCacheEntries(cacheDir)).filter((entry) => entry.id === id);
  const services = new Set(entries.map(({ service }) => service ?? ''));
  for (const service of services) await cache.purge(service, id);
}
