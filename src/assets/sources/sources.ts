import type { MediaService } from '../../service/types.ts';
import type { FileRules } from '../files/file-rules.ts';
import {
  type CachedSource,
  type CropReference,
  type FileReference,
  type FileSource,
  fileOf,
  type OriginalReference,
  originalOf,
  type PictureReference,
  type Source,
  type SourceReference,
  sourceKey,
} from '../formats/source.ts';
import type { AssetStore } from '../store/asset-store.ts';
import type { Catalogue } from '../store/catalogue.ts';
import { isOutage } from './asset-errors.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import type { JudgePicture } from './download-source.ts';
import { createSourceFetcher } from './fetch-source.ts';
import { createRefusals, type RefusedAsset } from './refusals.ts';

/** The sources of one run: each is downloaded at most once, each asset checked once. */
export interface Sources {
  /**
   * A source, from the cache where that is current. In a build the asset is checked with the service
   * first; in dev that happens in the background, for the next time.
   *
   * @throws what the client throws, where nothing cached may be used; `asset-unknown`,
   * `asset-withdrawn`; `download-not-a-picture`, `picture-too-large`; `file-empty`,
   * `file-too-large`; `cache-unusable`
   */
  get: Get;
  /** The version in the cache; no request is made. */
  cached(reference: SourceReference): Promise<CachedSource | undefined>;
  /**
   * A crop by the service, from the cache or the service; it's never checked again.
   *
   * @param judge throws for a crop that is not what was asked for
   * @throws what the client and `judge` throw; `crop-refused`; `download-not-a-picture`
   */
  crop(reference: CropReference, judge: JudgePicture): Promise<Source>;
  /**
   * Checks the originals that an asset's sources belong to; without a cached one, fetches it.
   *
   * @throws as `get`
   */
  check(id: number, references: readonly SourceReference[]): Promise<void>;
  /** Asks for an original once more, whatever this run knows of it. Throws as `get` does. */
  renewed(original: OriginalReference): Promise<Source>;
  /** Downloads a source whose bytes are gone from the cache. */
  download(reference: SourceReference): Promise<CachedSource>;
  refusal(id: number): RefusedAsset | undefined;
  /** @see Refusals.judge */
  judgeRefusals(): Promise<readonly number[]>;
  /** When the asset was last checked, where it could not be in this run; ms since the epoch. */
  staleSince(id: number): number | undefined;
  counts(): { readonly downloads: number; readonly checks: number };
  /** Ends when no check goes on in the background. */
  settled(): Promise<void>;
}

interface Get {
  (reference: PictureReference): Promise<Source>;
  (reference: FileReference): Promise<FileSource>;
  (reference: SourceReference): Promise<CachedSource>;
}

/** After so many failures in a row, what is cached is used without asking. */
const failuresInARow = 2;

/** In ms: long enough for one page, and short enough for an editor who adds what was missing. */
const refusalHoldsInDev = 3000;

export function createSources({
  service,
  store,
  catalogue,
  mode,
  clock,
  files = {},
  signal,
  onBackgroundFailure,
}: {
  service: MediaService;
  store: AssetStore;
  catalogue: Catalogue;
  mode: 'build' | 'dev';
  clock: () => number;
  files?: FileRules | undefined;
  /** Ends downloads. */
  signal?: AbortSignal | undefined;
  /** Told of what a check in the background came to, if no caller waits for it. */
  onBackgroundFailure: (error: unknown, id: number) => void;
}): Sources {
  const { baseUrl } = service;
  const breaker = createCircuitBreaker(failuresInARow);
  const holds = mode === 'dev' ? refusalHoldsInDev : Number.POSITIVE_INFINITY;
  const refusals = createRefusals({ service, holds, clock });
  const { throwIfRefused } = refusals;
  const fetcher = createSourceFetcher({
    ...{ service, store, catalogue, clock, files, breaker, refusals },
  });
  const flights = new Map<string, Promise<CachedSource>>();
  /** By asset and version: a picture and a file of the same bytes share one request. */
  const checks = new Map<string, Promise<CachedSource>>();
  /** When assets were last checked that could not be in this run; ms since the epoch. */
  const stale = new Map<number, number>();
  let answered = 0;
  /** Checked in the background already. */
  const asked = new Set<string>();
  const background = new Set<Promise<unknown>>();

  const get = ((reference: SourceReference) => share(reference, () => find(reference))) as Get;

  /** One flight for each source. A build keeps its result, a dev session looks again. */
  async function share(
    reference: SourceReference,
    find: () => Promise<CachedSource>,
  ): Promise<CachedSource> {
    throwIfRefused(reference.id);
    const key = sourceKey(reference);
    let flight = flights.get(key);
    if (!flight) {
      flight = find();
      flights.set(key, flight);
      if (mode === 'dev') {
        const forget = () => void flights.delete(key);
        flight.then(forget, forget);
      }
    }
    const source = await flight;
    throwIfRefused(reference.id);
    return source;
  }

  async function find(reference: SourceReference): Promise<CachedSource> {
    const cached = await store.find(reference);
    if (!cached) return download(reference);
    // A crop belongs to a version of its original: only that can change.
    if (reference.kind === 'custom-format') return cached;
    if (mode === 'build' || refusals.wasRefused(reference.id)) return confirm(cached);
    const key = sourceKey(reference);
    if (!asked.has(key)) inBackground(confirm(cached), reference.id);
    asked.add(key);
    return cached;
  }

  /**
   * The service's version of a cached original, from one conditional request for the asset. The cached
   * one counts if the service can't be asked.
   */
  async function confirm(cached: CachedSource): Promise<CachedSource> {
    const { reference } = cached;
    if (reference.kind === 'custom-format') throw new Error('A crop is never checked.');
    throwIfRefused(reference.id);
    if (stale.has(reference.id)) return cached;
    const key = `${reference.id} ${cached.hash}`;
    let check = checks.get(key);
    if (!check || refusals.wasRefused(reference.id)) {
      check = ask(cached);
      checks.set(key, check);
    }
    const found = await check;
    if (found.hash === cached.hash) return cached;
    return found.reference.kind === reference.kind ? found : ask(cached);
  }

  async function ask(cached: CachedSource): Promise<CachedSource> {
    const reference = cached.reference as OriginalReference | FileReference;
    if (breaker.failure) return markStale(cached);
    try {
      const source = await fetchOriginal(reference, { cached, signal: breaker.signal });
      answered += 1;
      return source;
    } catch (thrown) {
      if (!isOutage(thrown)) throw thrown;
      if (mode === 'dev' && stale.size === 0) onBackgroundFailure(thrown, reference.id);
      return markStale(cached);
    }
  }

  function markStale(cached: CachedSource): CachedSource {
    const { id } = cached.reference;
    stale.set(id, catalogue.checkedAt(baseUrl, id) ?? cached.fetchedAt);
    return cached;
  }

  function inBackground(work: Promise<unknown>, id: number): void {
    const ended = work
      .catch((thrown: unknown) => onBackgroundFailure(thrown, id))
      .finally(() => background.delete(ended));
    background.add(ended);
  }

  async function download(reference: SourceReference): Promise<CachedSource> {
    throwIfRefused(reference.id);
    if (reference.kind === 'custom-format') return fetcher.fetch(reference, { signal });
    return fetchOriginal(reference, { signal });
  }

  /** What the service has just given is current: it needs no check in this run. */
  async function fetchOriginal(
    reference: OriginalReference | FileReference,
    options: Parameters<typeof fetcher.fetch>[1],
  ): Promise<CachedSource> {
    const source = await fetcher.fetch(reference, options);
    checks.set(`${reference.id} ${source.hash}`, Promise.resolve(source));
    return source;
  }

  return {
    get,
    cached: (reference) => store.find(reference),
    async crop(reference: CropReference, judge: JudgePicture) {
      const find = async () =>
        (await store.find(reference)) ??
        fetcher.fetch(reference, { signal: breaker.signal, judge });
      return (await share(reference, find)) as Source;
    },
    async check(id, references) {
      throwIfRefused(id);
      const isFile = references.some(({ kind }) => kind === 'file');
      const isPicture = references.some(({ kind }) => kind !== 'file');
      const picture = await store.find(originalOf(baseUrl, id));
      const file = await store.find(fileOf(baseUrl, id));
      const cached = [isPicture && picture, (isFile || !picture) && file].filter((one) => !!one);
      // All of them: what is wrong with one kind says nothing of the other.
      const checked = await Promise.allSettled(cached.map(confirm));
      throwIfRefused(id);
      const failed = checked.find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
      if (cached.length === 0) await get(isPicture ? originalOf(baseUrl, id) : fileOf(baseUrl, id));
    },
    async renewed(original: OriginalReference) {
      const cached = await store.find(original);
      const flight = fetchOriginal(original, { cached, signal });
      // Later pages of this run show the new version.
      flights.set(sourceKey(original), flight);
      return (await flight) as Source;
    },
    download,
    refusal: refusals.get,
    judgeRefusals: () => refusals.judge({ isOnly: stale.size === 0 }),
    staleSince: (id) => stale.get(id),
    counts: () => ({ downloads: fetcher.downloads(), checks: answered }),
    async settled() {
      while (background.size > 0) await Promise.all(background);
    },
  };
}
