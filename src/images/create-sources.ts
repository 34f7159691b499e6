import type { Download, DownloadRequest, MediaService } from '../service/media-service.ts';
import { ServiceError } from '../service/service-error.ts';
import type { PictureCache } from './cacache-picture-cache.ts';
import type { Catalogue } from './catalogue.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { createRefusals } from './create-refusals.ts';
import { downloadFile } from './download-file.ts';
import { downloadPicture } from './download-picture.ts';
import type { FileRules } from './guard-file.ts';
import { isRefusal } from './refused-asset.ts';
import {
  bySourceCost,
  type CachedSource,
  type FileReference,
  type FileSource,
  type PictureReference,
  type Source,
  type SourceReference,
  sourceKey,
} from './source.ts';
import type { Sources } from './sources.ts';

/** What checking a source has come to. */
interface Checked {
  readonly outcome: 'fresh' | 'changed' | 'stale';
  readonly source: CachedSource;
}

/** After so many failures in a row, what is cached is used without asking. */
const failuresInARow = 2;

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
  const refusals = createRefusals({ service: baseUrl, cache, catalogue });
  const { throwIfRefused } = refusals;
  const stale = new Map<number, number>();
  const flights = new Map<string, Promise<CachedSource>>();
  const firstChecks = new Map<number, { readonly key: string; readonly check: Promise<Checked> }>();
  const checks = new Map<string, Promise<Checked>>();
  /** Downloaded or confirmed in this run. */
  const current = new Set<string>();
  /** Checked in the background already. */
  const asked = new Set<string>();
  const background = new Set<Promise<unknown>>();
  const counts = { downloads: 0, checks: 0 };

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
    if (mode === 'build') return confirm(cached);
    const key = sourceKey(reference);
    if (!asked.has(key)) inBackground(confirm(cached), reference.id);
    asked.add(key);
    return cached;
  }

  function inBackground(work: Promise<unknown>, id: number): void {
    const ended = work
      .catch((thrown: unknown) => onBackgroundFailure(thrown, id))
      .finally(() => background.delete(ended));
    background.add(ended);
  }

  /** The current version of a cached source, checking its asset unless that is done already. */
  async function confirm(cached: CachedSource): Promise<CachedSource> {
    const { id } = cached.reference;
    const key = sourceKey(cached.reference);
    throwIfRefused(id);
    if (current.has(key)) return cached;
    let first = firstChecks.get(id);
    if (!first) {
      first = { key, check: checkOnce(cached) };
      firstChecks.set(id, first);
    }
    if (first.key === key) return (await first.check).source;
    // Where another source of the asset could not be judged, this one is judged by itself.
    const outcome = await first.check.then(
      (checked) => checked.outcome,
      () => 'changed' as const,
    );
    throwIfRefused(id);
    return outcome === 'changed' ? (await checkOnce(cached)).source : cached;
  }

  function checkOnce(cached: CachedSource): Promise<Checked> {
    const key = sourceKey(cached.reference);
    let check = checks.get(key);
    if (!check) {
      check = checkSource(cached);
      checks.set(key, check);
    }
    return check;
  }

  async function checkSource(cached: CachedSource): Promise<Checked> {
    const { reference, etag, lastModified } = cached;
    if (breaker.failure) return markStale(cached);
    try {
      const validators = { etag, lastModified };
      const answer = await request(reference, { validators, signal: breaker.signal });
      const source = answer.status === 'unchanged' ? cached : await take(answer, reference);
      noteSuccess(reference);
      counts.checks += 1;
      return { outcome: source.hash === cached.hash ? 'fresh' : 'changed', source };
    } catch (thrown) {
      if (isTemporary(thrown)) {
        breaker.failed(thrown);
        if (mode === 'dev' && stale.size === 0) onBackgroundFailure(thrown, reference.id);
        return markStale(cached);
      }
      if (isRefusal(thrown)) {
        breaker.succeeded();
        await refusals.refuse(reference.id, thrown, true);
      }
      // The crop no longer fits what the asset has become: what is cached is out of date.
      if (isUnusable(thrown)) await cache.drop(reference);
      throw thrown;
    }
  }

  function markStale(source: CachedSource): Checked {
    const { id } = source.reference;
    stale.set(id, catalogue.checkedAt(baseUrl, id) ?? source.fetchedAt);
    return { outcome: 'stale', source };
  }

  async function download(reference: SourceReference): Promise<CachedSource> {
    const { id } = reference;
    throwIfRefused(id);
    try {
      const answer = await request(reference, { signal });
      if (answer.status === 'unchanged') throw new Error('No condition was set.');
      const source = await take(answer, reference);
      noteSuccess(reference);
      return source;
    } catch (thrown) {
      if (isTemporary(thrown)) breaker.failed(thrown);
      if (isRefusal(thrown)) {
        breaker.succeeded();
        await refusals.refuse(id, thrown, catalogue.checkedAt(baseUrl, id) !== undefined);
      }
      throw thrown;
    }
  }

  function request(reference: SourceReference, options: DownloadRequest): Promise<Download> {
    return reference.kind === 'custom-format'
      ? service.files.customFormat(reference.id, reference.parameters, options)
      : service.files.original(reference.id, { ...options, html: mayBeHtml(reference) });
  }

  function mayBeHtml({ kind }: SourceReference): boolean {
    return kind === 'file' && (files.allow?.includes('html') ?? false);
  }

  async function take(
    answer: Extract<Download, { status: 'received' }>,
    reference: SourceReference,
  ): Promise<CachedSource> {
    counts.downloads += 1;
    const now = clock();
    const source =
      reference.kind === 'file'
        ? await downloadFile(answer, { reference, cache, now, maxBytes: files.maxBytes })
        : await downloadPicture(answer, { reference, cache, now });
    // The asset may have been withdrawn while the bytes were coming.
    if (refusals.get(reference.id)) await cache.purge(baseUrl, reference.id);
    return source;
  }

  function noteSuccess(reference: SourceReference): void {
    breaker.succeeded();
    current.add(sourceKey(reference));
    catalogue.setChecked(baseUrl, reference.id);
  }

  return {
    get,
    cached: (reference) => cache.find(reference),
    isAsked: (reference) => flights.has(sourceKey(reference)),
    async check(id, references) {
      throwIfRefused(id);
      const found = await Promise.all(references.map((reference) => cache.find(reference)));
      const [first, ...others] = found.filter((source) => source !== undefined).sort(bySourceCost);
      if (first) {
        await confirm(first);
        for (const other of others) await confirm(other);
      } else if (references[0]) {
        await get(references[0]);
      }
    },
    download,
    refusal: refusals.get,
    staleSince: (id) => stale.get(id),
    counts: () => ({ ...counts }),
    async settled() {
      while (background.size > 0) await Promise.all(background);
    },
  };
}

function isTemporary(thrown: unknown): thrown is ServiceError {
  return thrown instanceof ServiceError && thrown.temporary;
}

function isUnusable(thrown: unknown): boolean {
  return thrown instanceof ServiceError && thrown.code === 'request-refused';
}
