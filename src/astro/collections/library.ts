import type { LoaderContext } from 'astro/loaders';
import { type Environment, type ResolvedOptions, serviceSettings } from '../../config/options.ts';
import { finding, mediaAssetError } from '../../errors/errors.ts';
import { ServiceError } from '../../service/service-error.ts';
import type { MediaService } from '../../service/types.ts';
import { annotateFailure, logFinding } from '../log-finding.ts';
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
  'collection' | 'store' | 'meta' | 'parseData' | 'generateDigest' | 'logger'
>;

type LibraryService = Pick<MediaService, 'baseUrl' | 'folders' | 'search'>;

/** In the metadata that Astro keeps with the entries: which list they are, and when it came. */
const listedKey = 'astro-media-asset/listed';
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
  /** Leaves the entries as they are in an outage, unless it has lasted for too long. */
  function keepEntries(
    { collection, meta, logger }: LibraryContext,
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

  return {
    async load(context, wanted) {
      try {
        const { listWantedFiles } = await import('./wanted-files.ts');
        const opened = await service();
        const list = JSON.stringify([opened.baseUrl, Object.entries(wanted).sort()]);
        let files: readonly FileData[];
        try {
          files = await listWantedFiles(opened, wanted);
        } catch (thrown) {
          return keepEntries(context, { list, thrown });
        }
        await storeFiles(context, files);
        context.meta.set(listedKey, JSON.stringify({ list, checked: clock() }));
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

/**
 * The library of a site without a session: its service is opened once a collection needs it, so that
 * a site without one needs no credentials for `astro sync`.
 */
export function openConfiguredLibrary(options: ResolvedOptions, environment: Environment): Library {
  let service: Promise<MediaService> | undefined;
  async function open(): Promise<MediaService> {
    const settings = serviceSettings(options);
    const { openMediaService } = await import('../../service/open-media-service.ts');
    return openMediaService(settings, environment);
  }
  return createLibrary({
    service() {
      service ??= open();
      return service;
    },
    maxStale: options.maxStale,
  });
}
