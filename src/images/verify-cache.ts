import { join } from 'node:path';
import cacache from 'cacache';
import { isMediaAssetError, mediaAssetError } from '../errors.ts';
import { errorCode } from '../storage/error-code.ts';
import { removeFile, retryLockedFile } from '../storage/retry-locked-file.ts';
import { type CachedKind, contentsFolder, readCacheEntries } from './cache-entries.ts';
import { createPurge } from './purge-contents.ts';
import { integrityOf } from './put-file.ts';
import { cataloguePath, readCatalogueData } from './read-catalogue.ts';
import { type Leftovers, removeLeftovers, temporaryFolder } from './remove-leftovers.ts';

/** A cached file that could not be used, and was taken out. */
interface BrokenFile {
  readonly id: number;
  readonly kind: CachedKind;
  readonly problem: 'damaged' | 'missing';
}

/** What a check of the cache has found and removed. */
export interface VerifiedCache {
  /** Contents whose bytes are those that were written. */
  readonly whole: number;
  /** Of the whole ones, in bytes. */
  readonly size: number;
  readonly broken: readonly BrokenFile[];
  readonly leftovers: Leftovers;
  /** Whether the catalogue could not be read. */
  readonly catalogueBroken: boolean;
}

/**
 * Reads every content of a cache folder, compares it with its hash, and removes what is broken, so
 * that the next build fetches or makes it again; also what killed processes have left.
 *
 * @param now milliseconds since the epoch
 * @throws `cache-unusable`
 */
export async function verifyCache(
  cacheDir: string,
  {
    now,
    onProgress,
    signal,
  }: {
    now: number;
    onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
    signal?: AbortSignal | undefined;
  },
): Promise<VerifiedCache> {
  const folder = contentsFolder(cacheDir);
  const entries = await readCacheEntries(cacheDir);
  try {
    const contents = [...Map.groupBy(entries, ({ integrity }) => integrity)];
    const broken: BrokenFile[] = [];
    const keys = new Set<string>();
    let size = 0;
    for (const [at, [integrity, named]] of contents.entries()) {
      signal?.throwIfAborted();
      onProgress?.({ done: at, total: contents.length });
      const problem = await problemOf(folder, integrity);
      if (problem === undefined) size += named[0]?.size ?? 0;
      else {
        broken.push(...named.map(({ id, kind }) => ({ id, kind, problem })));
        for (const { key } of named) keys.add(key);
        if (problem === 'damaged')
          await retryLockedFile(() => cacache.rm.content(folder, integrity));
      }
    }
    onProgress?.({ done: contents.length, total: contents.length });
    if (keys.size > 0) await createPurge(folder).erase((key) => keys.has(key));
    const damaged = new Set(
      entries.filter(({ key }) => keys.has(key)).map(({ integrity }) => integrity),
    );
    return {
      whole: contents.length - damaged.size,
      size,
      broken,
      leftovers: await removeUnused(folder, now),
      catalogueBroken: await removeBrokenCatalogue(cacheDir),
    };
  } catch (cause) {
    if (isMediaAssetError(cause) || signal?.aborted) throw cause;
    throw mediaAssetError('cache-unusable', { path: folder }, { cause });
  }
}

async function problemOf(
  folder: string,
  integrity: string,
): Promise<BrokenFile['problem'] | undefined> {
  try {
    for await (const _ of cacache.get.stream.byDigest(folder, integrity));
    return undefined;
  } catch (thrown) {
    const code = errorCode(thrown);
    if (code === 'ENOENT') return 'missing';
    if (code === 'EINTEGRITY' || code === 'EBADSIZE') return 'damaged';
    throw thrown;
  }
}

/** Contents that no entry names, and downloads that never ended. */
async function removeUnused(folder: string, now: number): Promise<Leftovers> {
  const used = new Set(Object.values(await cacache.ls(folder)).map(({ integrity }) => integrity));
  const contents = join(folder, 'content-v2', 'sha256');
  const isWanted = (path: string) =>
    used.has(integrityOf(path.slice(contents.length).replace(/[/\\]/g, '')));
  const unused = await removeLeftovers(contents, { now, isWanted });
  const unfinished = await removeLeftovers(temporaryFolder(folder), { now });
  return { files: unused.files + unfinished.files, size: unused.size + unfinished.size };
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
