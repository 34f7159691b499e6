import type { MediaService } from '../service/media-service.ts';
import { createAssetChecks } from './asset-checks.ts';
import type { PictureCache } from './cacache-picture-cache.ts';
import type { Catalogue } from './catalogue.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { createRefusals } from './create-refusals.ts';
import { createSourceFetcher } from './fetch-source.ts';
import type { FileRules } from './guard-file.ts';
import { isAssetFailure } from './is-asset-failure.ts';
import {
  type CachedSource,
  type FileReference,
  type FileSource,
  type PictureReference,
  type Source,
  type SourceReference,
  sourceKey,
} from './source.ts';
import type { Sources } from './sources.ts';

/** After so many failures in a row, what is cached is used without asking. */
const failuresInARow = 2;

/** In ms: long enough for one page, and short enough for an editor who adds what was missing. */
const refusalHoldsInDev = 3000;

export function createSources({
  service,
  cache,
  catalogue,
  mode,
  clock,
  files = {},
  signal,
  onBackgroundFailure,
}: {
  service: MediaService;
  cache: PictureCache;
  catalogue: Catalogue;
  mode: 'build' | 'dev';
  clock: () => number;
  files?: FileRules | undefined;
  /** Ends downloads. */
  signal?: AbortSignal | undefined;
  /** Told of what a check in the background came to, where no caller waits for it. */
  onBackgroundFailure: (error: unknown, id: number) => void;
}): Sources {
  const { baseUrl } = service;
  const breaker = createCircuitBreaker(failuresInARow);
  const holds = mode === 'dev' ? refusalHoldsInDev : Number.POSITIVE_INFINITY;
  const refusals = createRefusals({ service: baseUrl, cache, catalogue, holds, clock });
  const { throwIfRefused } = refusals;
  const shared = { service, cache, catalogue, clock, files, breaker, refusals };
  const fetcher = createSourceFetcher(shared);
  const checks = createAssetChecks({
    ...{ fetcher, catalogue, breaker, refusals, service: baseUrl },
    originalOf: (id) => cache.find({ kind: 'original', service: baseUrl, id }),
    onFirstStale: (cause, id) => {
      if (mode === 'dev') onBackgroundFailure(cause, id);
    },
  });
  const flights = new Map<string, Promise<CachedSource>>();
  /** Checked in the background already. */
  const asked = new Set<string>();
  const background = new Set<Promise<unknown>>();

  /** One flight for each source. A build keeps its result, a dev session looks again. */
  async function get(reference: PictureReference): Promise<Source>;
  async function get(reference: FileReference): Promise<FileSource>;
  async function get(reference: SourceReference): Promise<CachedSource>;
  async function get(reference: SourceReference): Promise<CachedSource> {
    throwIfRefused(reference.id);
    const key = sourceKey(reference);
    let flight = flights.get(key);
    if (!flight) {
      flight = find(reference);
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
    const cached = await cache.find(reference);
    if (!cached) return download(reference);
    if (mode === 'build') return checks.confirm(cached);
    const key = sourceKey(reference);
    if (!asked.has(key)) inBackground(checks.confirm(cached), reference.id);
    asked.add(key);
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
    return fetcher.fetch(reference, { signal });
  }

  return {
    get,
    cached: (reference) => cache.find(reference),
    isAsked: (reference) => flights.has(sourceKey(reference)),
    async check(id, references) {
      throwIfRefused(id);
      const found = await Promise.all(references.map((reference) => cache.find(reference)));
      const cached = found.filter((source) => source !== undefined);
      const failures: unknown[] = references
        .map((reference) => fetcher.refusal(reference))
        .filter((failure) => failure !== undefined);
      // All of them: what is wrong with one source says nothing of the next.
      for (const source of cached) {
        await checks.confirm(source).catch((thrown: unknown) => failures.push(thrown));
        throwIfRefused(id);
      }
      if (failures.length > 0) throw failures.find((one) => !isAssetFailure(one)) ?? failures[0];
      if (cached.length === 0 && references[0]) await get(references[0]);
    },
    isDropped: (reference) => fetcher.refusal(reference) !== undefined,
    async renewed(reference) {
      return fetcher.fetch(reference, { cached: await cache.find(reference), signal });
    },
    download,
    refusal: refusals.get,
    staleSince: checks.staleSince,
    counts: () => ({ downloads: fetcher.downloads(), checks: checks.count() }),
    async settled() {
      while (background.size > 0) await Promise.all(background);
    },
  };
}
