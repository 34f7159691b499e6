import { join } from 'node:path';
import type { LoaderContext } from 'astro/loaders';
import { z } from 'zod';
import { isOutage } from '../../assets/sources/asset-errors.ts';
import { readCachedJson, writeCachedJson } from '../../assets/store/cached-json.ts';
import type { Environment, ResolvedOptions } from '../../config/options.ts';
import { type Finding, finding, isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import type { MediaService } from '../../service/types.ts';
import { oneDay } from '../../storage/day.ts';
import { cacheFolder } from '../build/rendition-locations.ts';
import { annotateFailure, logFinding } from '../log-finding.ts';
import type { FileData, FolderFiles } from './list-collection-files.ts';

/**
 * Updates the entries of a collection from the service's list. In an outage or without credentials, it
 * uses the cached list. Without credentials and a cached list, the collection is empty. An error leaves
 * the entries unchanged.
 */
export type CollectionSync = (context: CollectionContext, wanted: FolderFiles) => Promise<void>;

export type CollectionContext = Pick<
  LoaderContext,
  'collection' | 'store' | 'parseData' | 'generateDigest' | 'logger'
> & { readonly config: Pick<LoaderContext['config'], 'cacheDir'> };

const key = Symbol.for('astro-media-asset.collections');

/** Loaders find it here, because hooks and the content config have separate instances of our modules. */
export function installCollectionSync(sync: CollectionSync): void {
  Reflect.set(globalThis, key, sync);
}

export function installedCollectionSync(): CollectionSync | undefined {
  return Reflect.get(globalThis, key);
}

/**
 * @param site.service the service of an open site. Otherwise, the first collection opens one
 * @param site.clock milliseconds since the epoch
 */
export function openCollectionSync(
  options: ResolvedOptions,
  environment: Environment,
  site: { service?: () => MediaService | undefined; clock?: () => number } = {},
): CollectionSync {
  const { maxStale } = options;
  const { clock = Date.now } = site;
  let opened: MediaService | undefined;
  async function openService(logger: CollectionContext['logger']): Promise<MediaService> {
    const { openSiteService } = await import('../../service/open-media-service.ts');
    const onFinding = (found: Finding) => logFinding(logger, found);
    opened ??= site.service?.() ?? openSiteService(options, environment, { onFinding });
    return opened;
  }

  async function cachedFiles(
    { collection, logger }: CollectionContext,
    { path, list, thrown }: { path: string; list: string; thrown: unknown },
  ): Promise<readonly FileData[]> {
    const last = readCachedJson(path, cachedSchema);
    const cached = last?.list === list ? last : undefined;
    const mayAsk = !isMediaAssetError(thrown, 'service-not-configured');
    if (mayAsk) {
      if (!isOutage(thrown) || !cached) throw thrown;
      if (Math.abs(clock() - cached.checked) > maxStale * oneDay) {
        const details = { what: `The collection ${collection}`, days: maxStale };
        throw mediaAssetError('stale-too-long', details, { cause: thrown });
      }
    }
    const checked = cached && new Date(cached.checked).toISOString();
    const details = { collection, checked, mayAsk };
    logFinding(logger, finding('warning', 'collection-stale', details));
    return cached?.files ?? [];
  }

  return async (context, wanted) => {
    try {
      const { listCollectionFiles } = await import('./list-collection-files.ts');
      const service = await openService(context.logger);
      const list = JSON.stringify([service.baseUrl, Object.entries(wanted).sort()]);
      const name = `${encodeURIComponent(context.collection)}.json`;
      const path = join(cacheFolder(context.config), 'collections', name);
      let files: readonly FileData[];
      try {
        files = await listCollectionFiles(service, wanted);
      } catch (thrown) {
        return await storeFiles(context, await cachedFiles(context, { path, list, thrown }));
      }
      await storeFiles(context, files);
      await writeCachedJson(path, { version: 1, list, checked: clock(), files });
    } catch (thrown) {
      throw annotateFailure(thrown);
    }
  };
}

/** Checks all files against the schema before it stores any. */
async function storeFiles(
  { store, parseData, generateDigest }: CollectionContext,
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

/** The last list of a collection. Astro drops its own entries when its config changes. */
const cachedSchema = z.object({
  version: z.literal(1),
  /** Identifies the list: the service, and the folder with its options. */
  list: z.string(),
  /** When the service sent it, in milliseconds since the epoch. */
  checked: z.number(),
  files: z.array(z.looseObject({ id: z.number() })),
});
