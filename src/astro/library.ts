import type { AstroConfig } from 'astro';
import type { LoaderContext } from 'astro/loaders';
import { finding, mediaAssetError } from '../errors.ts';
import type { MediaService } from '../service/media-service.ts';
import { ServiceError } from '../service/service-error.ts';
import { annotateFailure } from './annotate-failures.ts';
import { cacheFolder } from './cache-folder.ts';
import { logFinding } from './log-finding.ts';
import type { FileData, WantedFiles } from './wanted-files.ts';

/** What the loaders of content collections reach. */
export interface Library {
  /**
   * Makes the entries of a collection equal to the service's list. An error leaves them as they are.
   *
   * @throws `stale-too-long`, what `listWantedFiles` throws, and Astro's own error for
   * data that does not fit the collection's schema
   */
  load(context: LibraryContext, wanted: WantedFiles): Promise<void>;
}

/** The part of a loader's context that is used. */
export type LibraryContext = Pick<
  LoaderContext,
  'collection' | 'store' | 'parseData' | 'generateDigest' | 'logger'
> & { readonly config: Pick<AstroConfig, 'cacheDir'> };

type LibraryService = Pick<MediaService, 'baseUrl' | 'folders' | 'search'>;

const oneDay = 24 * 60 * 60 * 1000;
const key = Symbol.for('astro-media-asset.library');

/** Loaders find the library here: a module of ours exists twice, in hooks and in the content config. */
export function installLibrary(library: Library): void {
  Reflect.set(globalThis, key, library);
}

export function installedLibrary(): Library | undefined {
  return Reflect.get(globalThis, key);
}

/**
 * @param service opened for the first collection
 * @param maxStale how long a list is good while the service cannot be reached, in days
 * @param clock milliseconds since the epoch
 */
export function createLibrary({
  service,
  maxStale,
  clock = Date.now,
}: {
  service: () => LibraryService | Promise<LibraryService>;
  maxStale: number;
  clock?: () => number;
}): Library {
  async function list(context: LibraryContext, wanted: WantedFiles): Promise<readonly FileData[]> {
    const { keptListPath, readKeptList, writeKeptList } = await import('./kept-list.ts');
    const { listWantedFiles } = await import('./wanted-files.ts');
    const opened = await service();
    const { collection, config, logger } = context;
    const path = keptListPath(cacheFolder(config), { service: opened.baseUrl, wanted });
    try {
      const files = await listWantedFiles(opened, wanted);
      await writeKeptList(path, { checked: clock(), files });
      return files;
    } catch (thrown) {
      const isOutage = thrown instanceof ServiceError && thrown.temporary;
      const kept = isOutage ? await readKeptList(path) : undefined;
      if (!kept) throw thrown;
      if (clock() - kept.checked > maxStale * oneDay) {
        const details = { what: `The collection ${collection}`, days: maxStale };
        throw mediaAssetError('stale-too-long', details, { cause: thrown });
      }
      const checked = new Date(kept.checked).toISOString();
      logFinding(
        logger,
        finding('warning', 'collection-stale', collection, { collection, checked }),
      );
      return kept.files;
    }
  }

  return {
    async load(context, wanted) {
      try {
        await storeFiles(context, await list(context, wanted));
      } catch (thrown) {
        annotateFailure(thrown);
        throw thrown;
      }
    },
  };
}

/** Nothing is stored before everything is known to fit. */
async function storeFiles(
  { store, parseData, generateDigest }: LibraryContext,
  files: readonly FileData[],
): Promise<void> {
  const changed = [];
  for (const file of files) {
    const id = String(file.id);
    const digest = generateDigest(file);
    if (store.get(id)?.digest === digest) continue;
    changed.push({ id, digest, data: await parseData({ id, data: file }) });
  }
  const wanted = new Set(files.map(({ id }) => String(id)));
  for (const id of store.keys()) if (!wanted.has(id)) store.delete(id);
  for (const entry of changed) store.set(entry);
}
