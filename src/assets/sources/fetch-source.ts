import { mediaAssetError } from '../../errors/errors.ts';
import type { DownloadRequest } from '../../service/requests.ts';
import type { ServiceError } from '../../service/service-error.ts';
import type { Download, MediaService } from '../../service/types.ts';
import type { FileRules } from '../files/file-rules.ts';
import type { CachedSource, SourceReference } from '../formats/source.ts';
import type { AssetStore } from '../store/asset-store.ts';
import { isOutage, isRefusal } from './asset-errors.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { downloadFile, downloadImage, type ValidateImage } from './download-source.ts';
import type { Refusals } from './refusals.ts';

export function createSourceFetcher({
  service,
  store,
  clock,
  files,
  breaker,
  refusals,
}: {
  service: MediaService;
  store: AssetStore;
  clock: () => number;
  files: FileRules;
  breaker: CircuitBreaker;
  refusals: Refusals;
}) {
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
    validate: ValidateImage | undefined,
  ): Promise<CachedSource> {
    downloads += 1;
    const now = clock();
    try {
      return await (reference.kind === 'file'
        ? downloadFile(answer, { reference, store, now, maxBytes: files.maxBytes })
        : downloadImage(answer, { reference, store, now, validate }));
    } finally {
      // Does nothing to a body that was read completely.
      await answer.body.cancel().catch(() => undefined);
    }
  }

  /** Only an original can be withdrawn. A crop is requested only after its original was delivered. */
  function refuse(reference: SourceReference, cause: ServiceError, isCached: boolean): never {
    const { id, kind } = reference;
    if (kind === 'custom-format') {
      throw mediaAssetError('crop-refused', { id, status: cause.status }, { cause });
    }
    const isKnown = isCached || store.facts(id).checkedAt !== undefined;
    return refusals.refuse(id, cause, isKnown);
  }

  return {
    /**
     * Fetches the service's version of a source, which can be the cached one.
     *
     * @param options.validate throws if a download must not enter the cache
     * @throws errors of the client and of `validate`; `asset-unknown`, `asset-withdrawn`, `crop-refused`;
     * `download-not-a-picture`, `picture-too-large`; `file-empty`, `file-too-large`; `cache-unusable`
     */
    async fetch(
      reference: SourceReference,
      {
        cached,
        signal,
        validate,
      }: {
        cached?: CachedSource | undefined;
        signal?: AbortSignal | undefined;
        validate?: ValidateImage | undefined;
      },
    ): Promise<CachedSource> {
      try {
        const validators = cached && { etag: cached.etag, lastModified: cached.lastModified };
        const answer = await request(reference, { validators, signal });
        const source =
          answer.status === 'received' ? await take(answer, reference, validate) : cached;
        if (!source) throw new Error('No condition was set.');
        breaker.succeeded();
        if (reference.kind !== 'custom-format') {
          refusals.given(reference.id);
          store.note(reference.id, { checkedAt: clock() });
        }
        return source;
      } catch (thrown) {
        if (isOutage(thrown)) breaker.failed(thrown);
        if (isRefusal(thrown)) {
          breaker.succeeded();
          refuse(reference, thrown, cached !== undefined);
        }
        throw thrown;
      }
    },
    downloads: () => downloads,
  };
}
