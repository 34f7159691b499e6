import pLimit from 'p-limit';
import type { MediaService } from '../../service/types.ts';
import type { FileRules } from '../files/file-rules.ts';
import type { Prove } from '../formats/probe-image.ts';
import {
  type CachedSource,
  type CropReference,
  type FileSource,
  fileOf,
  type ImageReference,
  type OriginalReference,
  originalOf,
  type Source,
  type SourceKind,
  type SourceReference,
  sourceKey,
} from '../formats/source.ts';
import { sourceName } from '../store/asset-facts.ts';
import type { AssetStore } from '../store/asset-store.ts';
import { isOutage } from './asset-errors.ts';
import { type CropCheck, createSourceFetcher } from './fetch-source.ts';
import { createRefusals } from './refusals.ts';

export type Sources = ReturnType<typeof createSources>;

/** A crop is never checked: it belongs to one version of its original. */
type CheckedReference = Exclude<SourceReference, CropReference>;

type SourceOf<Reference> = Reference extends ImageReference ? Source : FileSource;

/** In ms: long enough for one page, and short enough for an editor who adds a missing asset. */
const refusalHoldsInDev = 3000;

/** The sources of one run. Each is downloaded at most once, and each asset is checked once. */
export function createSources(run: {
  service: MediaService;
  store: AssetStore;
  mode: 'build' | 'dev';
  clock: () => number;
  files?: FileRules | undefined;
  prove?: Prove;
  /** Called with the error of a background check that no caller waits for. */
  onBackgroundFailure: (error: unknown, id: number) => void;
}) {
  const { service, store, mode, clock, files = {}, prove, onBackgroundFailure } = run;
  const holds = mode === 'dev' ? refusalHoldsInDev : Number.POSITIVE_INFINITY;
  const refusals = createRefusals({ service, holds, clock });
  const { throwIfRefused } = refusals;
  const fetcher = createSourceFetcher({ service, store, clock, files, prove, refusals });
  const flights = new Map<string, Promise<CachedSource>>();
  /** By asset and version: an image and a file with the same bytes share one request. */
  const checks = new Map<string, Promise<CachedSource>>();
  /** When assets were last checked that this run couldn't check; in ms since the epoch. */
  const stale = new Map<number, number>();
  /** Versions that were delivered with other bytes, by the hash that they had before. */
  const again = new Map<string, CachedSource>();
  /** How the crops that pages of this run ask for are compared, by `sourceKey`. */
  const cropChecks = new Map<string, () => CropCheck>();
  let outage: unknown;
  let answered = 0;
  /** Sources that were already checked in the background. */
  const asked = new Set<string>();
  const background = new Set<Promise<unknown>>();

  /**
   * Gets a source, from the cache if it's current. A build checks the asset with the service first. Dev
   * checks it in the background, for the next time.
   */
  const get = <Reference extends SourceReference>(reference: Reference) =>
    share(reference, () => find(reference)) as Promise<SourceOf<Reference>>;

  /** Shares one request per source. A build keeps its result, a dev session checks again. */
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
    if (reference.kind === 'custom-format') return cached;
    if (mode === 'build' || refusals.wasRefused(reference.id)) return confirm(reference, cached);
    const key = sourceKey(reference);
    if (!asked.has(key)) {
      const check: Promise<unknown> = confirm(reference, cached)
        .catch((thrown: unknown) => onBackgroundFailure(thrown, reference.id))
        .finally(() => background.delete(check));
      background.add(check);
    }
    asked.add(key);
    return cached;
  }

  /** The service's version of a cached original: one conditional request. Else the cached one. */
  async function confirm(reference: CheckedReference, cached: CachedSource): Promise<CachedSource> {
    throwIfRefused(reference.id);
    if (stale.has(reference.id)) return cached;
    const key = `${reference.id} ${cached.hash}`;
    let check = checks.get(key);
    if (!check || refusals.wasRefused(reference.id)) {
      check = ask(reference, cached);
      checks.set(key, check);
    }
    const found = await check;
    if (found.hash === cached.hash) return cached;
    return found.reference.kind === reference.kind ? found : ask(reference, cached);
  }

  async function ask(reference: CheckedReference, cached: CachedSource): Promise<CachedSource> {
    const failure = fetcher.outage();
    if (failure) return markStale(cached, failure);
    try {
      const source = await fetchOriginal(reference, { cached, signal: fetcher.signal() });
      answered += 1;
      return source;
    } catch (thrown) {
      if (!isOutage(thrown)) throw thrown;
      if (mode === 'dev' && stale.size === 0) onBackgroundFailure(thrown, reference.id);
      return markStale(cached, thrown);
    }
  }

  function markStale(cached: CachedSource, failure: unknown): CachedSource {
    const { id } = cached.reference;
    outage ??= failure;
    stale.set(id, store.facts(id).checkedAt ?? cached.fetchedAt);
    return cached;
  }

  /** Downloads a source whose bytes are missing from the cache. */
  async function download(reference: SourceReference): Promise<CachedSource> {
    throwIfRefused(reference.id);
    const { [sourceName(reference)]: known, original } = store.facts(reference.id).sources;
    // The service cuts a crop from the version that it has now.
    const isCurrent =
      reference.kind !== 'custom-format' ||
      original?.hash === reference.original ||
      (original && original.hash === again.get(reference.original)?.hash);
    if (original && !isCurrent) throw new Error('The original has changed.');
    const check = cropChecks.get(sourceKey(reference))?.();
    if (reference.kind === 'custom-format' && !check)
      throw new Error("No page of this build says what the crop shows, so it can't be compared.");
    const source =
      reference.kind === 'custom-format'
        ? await fetcher.fetch(reference, { check })
        : await fetchOriginal(reference, {});
    if (known && isCurrent && isSameVersion(known, source)) again.set(known.hash, source);
    return source;
  }

  /** A source that the service has just delivered needs no check in this run. */
  async function fetchOriginal(
    reference: CheckedReference,
    options: Parameters<typeof fetcher.fetch>[1],
  ): Promise<CachedSource> {
    const source = await fetcher.fetch(reference, options);
    checks.set(`${reference.id} ${source.hash}`, Promise.resolve(source));
    return source;
  }

  return {
    get,
    /** Gets a crop that the service cuts. It's checked when it arrives, and not in the cache. */
    async crop(reference: CropReference, newCheck: () => CropCheck): Promise<Source> {
      cropChecks.set(sourceKey(reference), newCheck);
      const find = async () =>
        (await store.find(reference)) ??
        fetcher.fetch(reference, { signal: fetcher.signal(), check: newCheck() });
      return (await share(reference, find)) as Source;
    },
    /** Checks the cached original of an asset, or fetches it if none is cached. */
    async check(id: number, kind: SourceKind): Promise<void> {
      throwIfRefused(id);
      const image = kind === 'file' ? undefined : await store.find(originalOf(id));
      const cached = image ?? (await store.find(fileOf(id)));
      if (cached) await confirm(image ? originalOf(id) : fileOf(id), cached);
      else await get(kind === 'file' ? fileOf(id) : originalOf(id));
    },
    /** Requests an original again, even if this run has already checked it. */
    async renewed(original: OriginalReference): Promise<Source> {
      const cached = await store.find(original);
      const flight = fetchOriginal(original, { cached });
      // Later pages of this run show this version.
      flights.set(sourceKey(original), flight);
      return (await flight) as Source;
    },
    download,
    /** The image that the service has delivered for a version with other bytes. A file has no other ones. */
    deliveredAgain: ({ kind }: SourceReference, hash: string) =>
      kind === 'file' ? undefined : again.get(hash),
    refusal: refusals.get,
    confirmWithdrawals: () => refusals.confirmWithdrawals({ isOnly: stale.size === 0 }),
    /** When the asset was last checked, if this run couldn't check it; in ms since the epoch. */
    staleSince: (id: number) => stale.get(id),
    /** The first error of a check that used the cached version instead. */
    outage: () => outage,
    counts: () => ({ downloads: fetcher.downloads(), checks: answered }),
    /** Resolves when no background check is pending. */
    async settled(): Promise<void> {
      while (background.size > 0) await Promise.all(background);
    },
  };
}

/**
 * Whether two sources are one version in the service. Some services write metadata into each download,
 * and cut a crop for each, so the bytes can differ.
 */
function isSameVersion(known: CachedSource, source: CachedSource): boolean {
  if (known.kind === 'file' || source.kind === 'file') return false;
  const haveSame = (...names: (keyof Source)[]) =>
    names.every((name) => known[name] === source[name]);
  if (!haveSame('kind', 'width', 'height', 'animated', 'transparent')) return false;
  if (known.reference.kind === 'custom-format') return true;
  return (known.etag ?? known.lastModified) !== undefined && haveSame('etag', 'lastModified');
}

/**
 * Starts downloads before a page requests them. A failure is thrown when a page requests the source. With
 * more than twice the service's concurrency, the requests of pages would wait behind these.
 */
export function createPrefetch(sources: Pick<Sources, 'get'>, requestsAtOnce: number) {
  const limit = pLimit(2 * requestsAtOnce);
  const work: Promise<unknown>[] = [];
  let stopped = false;
  const download = async (id: number) => {
    if (!stopped) await sources.get(originalOf(id)).catch(() => undefined);
  };

  return {
    start: (ids: readonly number[]) => void work.push(limit.map(new Set(ids), download)),
    /** Starts no more downloads. Resolves when none is pending. */
    async stop(): Promise<void> {
      stopped = true;
      await Promise.all(work);
    },
  };
}
