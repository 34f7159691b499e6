import { mediaAssetError } from '../errors.ts';
import type { Download, DownloadRequest, MediaService } from '../service/media-service.ts';
import { ServiceError } from '../service/service-error.ts';
import type { PictureCache } from './cacache-picture-cache.ts';
import type { Catalogue } from './catalogue.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { Refusals } from './create-refusals.ts';
import { downloadFile } from './download-file.ts';
import { downloadPicture } from './download-picture.ts';
import type { FileRules } from './guard-file.ts';
import { isRefusal } from './refused-asset.ts';
import { type CachedSource, type SourceReference, sourceKey } from './source.ts';

/** Brings sources from the service into the cache. */
export interface SourceFetcher {
  /**
   * The service's version of a source, which may be the one that is cached.
   *
   * @throws what the client throws; `asset-unknown`, `asset-withdrawn`, `crop-refused`;
   * `download-not-a-picture`, `picture-too-large`; `file-empty`, `file-too-large`; `cache-unusable`
   */
  fetch(
    reference: SourceReference,
    options: { cached?: CachedSource | undefined; signal?: AbortSignal | undefined },
  ): Promise<CachedSource>;
  /** Whether a source was downloaded, or found to be as it was, in this run. */
  isCurrent(reference: SourceReference): boolean;
  /** Why the service does not give out a source that was in the cache, in this run. */
  refusal(reference: SourceReference): unknown;
  downloads(): number;
}

export function createSourceFetcher({
  service,
  cache,
  catalogue,
  clock,
  files,
  breaker,
  refusals,
}: {
  service: MediaService;
  cache: PictureCache;
  catalogue: Catalogue;
  clock: () => number;
  files: FileRules;
  /** Told how each request ended. */
  breaker: CircuitBreaker;
  refusals: Refusals;
}): SourceFetcher {
  const { baseUrl } = service;
  const current = new Set<string>();
  const refused = new Map<string, unknown>();
  const looks = new Map<number, Promise<boolean>>();
  let downloads = 0;

  function request(reference: SourceReference, options: DownloadRequest): Promise<Download> {
    if (reference.kind === 'custom-format') {
      return service.files.customFormat(reference.id, reference.parameters, options);
    }
    const html = reference.kind === 'file' && (files.allow?.includes('html') ?? false);
    return service.files.original(reference.id, { ...options, html });
  }

  async function take(
    answer: Extract<Download, { status: 'received' }>,
    reference: SourceReference,
  ): Promise<CachedSource> {
    downloads += 1;
    const now = clock();
    const source =
      reference.kind === 'file'
        ? await downloadFile(answer, { reference, cache, now, maxBytes: files.maxBytes })
        : await downloadPicture(answer, { reference, cache, now });
    // The asset may have been withdrawn while the bytes were coming.
    if (refusals.get(reference.id)) await cache.purge(baseUrl, reference.id);
    return source;
  }

  /**
   * What a refused download means: that the asset is gone; or, where its original is given out, only
   * that this part of it is not. A crop that reaches outside may be answered like an asset that is gone.
   */
  async function refuse(
    reference: SourceReference,
    cause: ServiceError,
    cached: CachedSource | undefined,
  ): Promise<never> {
    const { id, kind } = reference;
    if (kind !== 'custom-format' || (await isOriginalRefused(id))) {
      const isKnown = cached !== undefined || catalogue.checkedAt(baseUrl, id) !== undefined;
      await refusals.refuse(id, cause, isKnown);
    }
    const error = mediaAssetError('crop-refused', { id, status: cause.status }, { cause });
    await drop(reference, error);
    throw error;
  }

  async function drop(reference: SourceReference, error: unknown): Promise<void> {
    refused.set(sourceKey(reference), error);
    await cache.drop(reference);
  }

  function isOriginalRefused(id: number): Promise<boolean> {
    let look = looks.get(id);
    if (!look) {
      look = lookAtOriginal(id).finally(() => looks.delete(id));
      looks.set(id, look);
    }
    return look;
  }

  async function lookAtOriginal(id: number): Promise<boolean> {
    try {
      const answer = await service.files.original(id, { first: 1, signal: breaker.signal });
      if (answer.status === 'received') await answer.body.cancel().catch(() => undefined);
      return false;
    } catch (thrown) {
      if (thrown instanceof ServiceError) return isRefusal(thrown);
      throw thrown;
    }
  }

  return {
    async fetch(reference, { cached, signal }) {
      try {
        const validators = cached && { etag: cached.etag, lastModified: cached.lastModified };
        const answer = await request(reference, { validators, signal });
        const source = answer.status === 'received' ? await take(answer, reference) : cached;
        if (!source) throw new Error('No condition was set.');
        breaker.succeeded();
        current.add(sourceKey(reference));
        refused.delete(sourceKey(reference));
        catalogue.setChecked(baseUrl, reference.id);
        if (!refusals.get(reference.id)) {
          catalogue.noteCurrent(source, { isNew: source.hash !== cached?.hash });
        }
        return source;
      } catch (thrown) {
        if (isTemporary(thrown)) breaker.failed(thrown);
        if (isRefusal(thrown)) {
          breaker.succeeded();
          await refuse(reference, thrown, cached);
        }
        // The crop no longer fits what the asset has become: what is cached is out of date.
        if (cached && isUnusable(thrown)) await drop(reference, thrown);
        throw thrown;
      }
    },
    isCurrent: (reference) => current.has(sourceKey(reference)),
    refusal: (reference) => refused.get(sourceKey(reference)),
    downloads: () => downloads,
  };
}

export function isTemporary(thrown: unknown): thrown is ServiceError {
  return thrown instanceof ServiceError && thrown.temporary;
}

function isUnusable(thrown: unknown): boolean {
  return thrown instanceof ServiceError && thrown.code === 'request-refused';
}
