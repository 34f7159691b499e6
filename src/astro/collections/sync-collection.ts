import type { LoaderContext } from 'astro/loaders';
import type { Environment, ResolvedOptions } from '../../config/options.ts';
import { serviceSettings } from '../../config/service-settings.ts';
import { finding, mediaAssetError } from '../../errors/errors.ts';
import { ServiceError } from '../../service/service-error.ts';
import type { MediaService } from '../../service/types.ts';
import { annotateFailure, logFinding } from '../log-finding.ts';
import type { CollectionSource, FileData } from './list-collection-files.ts';

/**
 * Makes the entries of a collection equal to the service's list. An error leaves them as they are.
 *
 * @throws `stale-too-long`, what `listCollectionFiles` throws, and Astro's own error for
 * data that does not fit the collection's schema
 */
export type CollectionSync = (
  context: CollectionContext,
  source: CollectionSource,
) => Promise<void>;

export type CollectionContext = Pick<
  LoaderContext,
  'collection' | 'store' | 'meta' | 'parseData' | 'generateDigest' | 'logger'
>;

type ListingService = Pick<MediaService, 'baseUrl' | 'folders' | 'search'>;

/** In the metadata that Astro keeps with the entries: which list they are, and when it came. */
const listedKey = 'astro-media-asset/listed';
const oneDay = 24 * 60 * 60 * 1000;
const key = Symbol.for('astro-media-asset.collections');

/** Loaders find it here: a module of ours exists twice, in hooks and in the content config. */
export function installCollectionSync(sync: CollectionSync): void {
  Reflect.set(globalThis, key, sync);
}

export function installedCollectionSync(): CollectionSync | undefined {
  return Reflect.get(globalThis, key);
}

/**
 * @param service opened for the first collection
 * @param maxStale how long a list is good while the service cannot be reached, in days
 * @param clock milliseconds since the epoch
 */
export function createCollectionSync({
  service,
  maxStale,
  clock = Date.now,
}: {
  service: () => ListingService | Promise<ListingService>;
  maxStale: number;
  clock?: () => number;
}): CollectionSync {
  /** Leaves the entries as they are in an outage, unless it has lasted for too long. */
  function keepEntries(
    { collection, meta, logger }: CollectionContext,
    { list, thrown }: { list: string; thrown: unknown },
  ): void {
    const listed = JSON.parse(meta.get(listedKey) ?? '{}') as { list?: string; checked?: number };
    const isOutage = thrown instanceof ServiceError && thrown.temporary;
    if (!isOutage || listed.list !== list || listed.checked === undefined) throw thrown;
    if (clock() - listed.checked > maxStale * oneDay) {
      const details = { what: `The collection ${collection}`, days: maxStale };
      throw mediaAssetError('stale-too-long', details, { cause: thrown });
    }
    const checked = new Date(listed.checked).toISOString();
    logFinding(logger, finding('warning', 'collection-stale', collection, { collection, checked }));
  }

  return async (context, source) => {
    try {
      const { listCollectionFiles } = await import('./list-collection-files.ts');
      const opened = await service();
      const list = JSON.stringify([opened.baseUrl, Object.entries(source).sort()]);
      let files: readonly FileData[];
      try {
        files = await listCollectionFiles(opened, source);
      } catch (thrown) {
        return keepEntries(context, { list, thrown });
      }
      await storeFiles(context, files);
      context.meta.set(listedKey, JSON.stringify({ list, checked: clock() }));
    } catch (thrown) {
      annotateFailure(thrown);
      throw thrown;
    }
  };
}

/** Nothing is stored before everything is known to fit. */
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

/**
 * Opens a service for the first collection, so that a site without one needs no credentials for
 * `astro sync`.
 *
 * @param siteService the service that a build or a dev server has opened
 */
export function openCollectionSync(
  options: ResolvedOptions,
  environment: Environment,
  siteService: () => MediaService | undefined = () => undefined,
): CollectionSync {
  let own: Promise<MediaService> | undefined;
  async function open(): Promise<MediaService> {
    const settings = serviceSettings(options);
    const { openMediaService } = await import('../../service/open-media-service.ts');
    return openMediaService(settings, environment);
  }
  return createCollectionSync({
    service() {
      own ??= Promise.resolve(siteService() ?? open());
      return own;
    },
    maxStale: options.maxStale,
  });
}
