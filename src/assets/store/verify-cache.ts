import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { removeFile } from '../../storage/retry-locked-file.ts';
import {
  assetFolders,
  type Leftovers,
  removeLeftovers,
  removeReplaced,
  sizeAndTime,
  storeFolder,
} from './asset-folder.ts';
import { type CachedKind, type StoredFile, storedFiles } from './list-cache.ts';
import { cataloguePath, readCatalogueData } from './read-catalogue.ts';
import { ContentDamaged, streamContent } from './stream-content.ts';

/** A cached file that was unusable and has been removed. */
interface BrokenFile {
  readonly id: number;
  readonly kind: CachedKind;
  readonly problem: 'damaged' | 'missing';
}

export interface VerifiedCache {
  /** The number of files whose bytes match their hash. */
  readonly whole: number;
  /** The size of these files, in bytes. */
  readonly size: number;
  readonly broken: readonly BrokenFile[];
  readonly leftovers: Leftovers;
  readonly catalogueBroken: boolean;
}

/**
 * Compares every file of a cache folder with its hash, and removes broken ones, so that the next build
 * downloads or makes them again. Also removes files that killed processes have left.
 *
 * @param now in milliseconds since the epoch
 * @throws `cache-unusable`
 */
export async function verifyCache(
  cacheDir: string,
  {
    now,
    onProgress,
  }: {
    now: number;
    onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
  },
): Promise<VerifiedCache> {
  try {
    const contents = storedFiles(cacheDir);
    const broken: BrokenFile[] = [];
    /** By path, because an original and a file can share their bytes. */
    const whole = new Map<string, number>();
    for (const [at, content] of contents.entries()) {
      onProgress?.({ done: at, total: contents.length });
      const { id, kind, path, record } = content;
      const problem = await problemOf(content);
      if (problem === undefined) {
        whole.set(path, sizeAndTime(path)?.size ?? 0);
        continue;
      }
      broken.push({ id, kind, problem });
      await removeFile(path);
      if (record) await removeFile(record);
    }
    onProgress?.({ done: contents.length, total: contents.length });
    const left = [await removeLeftovers(cacheDir, now)];
    for (const { path } of assetFolders(cacheDir)) left.push(await removeReplaced(path));
    const sum = (sizes: Iterable<number>) => [...sizes].reduce((one, other) => one + other, 0);
    return {
      whole: whole.size,
      size: sum(whole.values()),
      broken,
      leftovers: {
        files: sum(left.map(({ files }) => files)),
        size: sum(left.map(({ size }) => size)),
      },
      catalogueBroken: await removeBrokenCatalogue(cacheDir),
    };
  } catch (cause) {
    if (isMediaAssetError(cause)) throw cause;
    throw mediaAssetError('cache-unusable', { path: storeFolder(cacheDir) }, { cause });
  }
}

async function problemOf({ path, hash }: StoredFile): Promise<BrokenFile['problem'] | undefined> {
  if (hash === undefined) return 'damaged';
  if (!sizeAndTime(path)) return 'missing';
  try {
    for await (const _ of streamContent(path, hash));
    return undefined;
  } catch (thrown) {
    if (thrown instanceof ContentDamaged) return 'damaged';
    throw thrown;
  }
}

async function removeBrokenCatalogue(cacheDir: string): Promise<boolean> {
  try {
    readCatalogueData(cacheDir);
    return false;
  } catch (thrown) {
    if (!isMediaAssetError(thrown, 'catalogue-broken')) throw thrown;
    await removeFile(cataloguePath(cacheDir));
    return true;
  }
}
