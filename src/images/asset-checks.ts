import type { Catalogue } from './catalogue.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { Refusals } from './create-refusals.ts';
import { isTemporary, type SourceFetcher } from './fetch-source.ts';
import { type CachedSource, hasValidators, sourceKey } from './source.ts';

/** Sees with the service that cached sources are its versions still. */
export interface AssetChecks {
  /**
   * The current version of a cached source. One request is made for an asset whose original is cached
   * and has validators: it vouches for crops that were the service's together with it. A crop vouches
   * for nothing: it stays as it is where an asset has changed beside it.
   *
   * @throws `asset-unknown`, `asset-withdrawn`, and what fetching it throws
   */
  confirm(cached: CachedSource): Promise<CachedSource>;
  /** When an asset was last checked, where it could not be in this run; ms since the epoch. */
  staleSince(id: number): number | undefined;
  /** Checks that were answered. */
  count(): number;
}

/** What checking a source has come to. */
interface Checked {
  readonly outcome: 'fresh' | 'changed' | 'stale';
  readonly source: CachedSource;
}

export function createAssetChecks({
  service,
  fetcher,
  originalOf,
  catalogue,
  breaker,
  refusals,
  onFirstStale,
}: {
  /** The base URL. */
  service: string;
  fetcher: SourceFetcher;
  /** An asset's original in the cache. */
  originalOf: (id: number) => Promise<CachedSource | undefined>;
  catalogue: Catalogue;
  breaker: CircuitBreaker;
  refusals: Refusals;
  /** Told why, when the first asset of a run cannot be checked. */
  onFirstStale: (cause: unknown, id: number) => void;
}): AssetChecks {
  const stale = new Map<number, number>();
  const checks = new Map<string, Promise<Checked>>();
  let answered = 0;

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
    if (breaker.failure) return markStale(cached);
    const { reference } = cached;
    try {
      const source = await fetcher.fetch(reference, { cached, signal: breaker.signal });
      answered += 1;
      return { outcome: source.hash === cached.hash ? 'fresh' : 'changed', source };
    } catch (thrown) {
      if (!isTemporary(thrown)) throw thrown;
      if (stale.size === 0) onFirstStale(thrown, reference.id);
      return markStale(cached);
    }
  }

  /**
   * Whether the original of a crop tells that it is as it was. How old they are says nothing: an asset
   * can be put back to an earlier version.
   */
  async function isVouchedFor(crop: CachedSource): Promise<boolean> {
    const { id, kind } = crop.reference;
    if (kind !== 'custom-format') return false;
    const original = await originalOf(id);
    if (!original || !hasValidators(original)) return false;
    if (!catalogue.wereCurrent(original, crop)) return false;
    const checked = await checkOnce(original).catch(() => undefined);
    refusals.throwIfRefused(id);
    if (checked?.outcome === 'fresh') catalogue.noteCurrent(crop, { isNew: false });
    return checked !== undefined && checked.outcome !== 'changed';
  }

  function markStale(source: CachedSource): Checked {
    const { id } = source.reference;
    stale.set(id, catalogue.checkedAt(service, id) ?? source.fetchedAt);
    return { outcome: 'stale', source };
  }

  return {
    async confirm(cached) {
      const { id } = cached.reference;
      refusals.throwIfRefused(id);
      // Where one of its sources could not be asked for, the others need not be.
      if (stale.has(id) || fetcher.isCurrent(cached.reference)) return cached;
      if (await isVouchedFor(cached)) return cached;
      return (await checkOnce(cached)).source;
    },
    staleSince: (id) => stale.get(id),
    count: () => answered,
  };
}
