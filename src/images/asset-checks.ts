import type { Catalogue } from './catalogue.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { Refusals } from './create-refusals.ts';
import { isTemporary, type SourceFetcher } from './fetch-source.ts';
import { type CachedSource, sourceKey } from './source.ts';

/** Sees with the service that cached sources are its versions still. */
export interface AssetChecks {
  /**
   * The current version of a cached source. One request is made for an asset, and more where that one
   * does not vouch for its other sources.
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
  catalogue,
  breaker,
  refusals,
  onFirstStale,
}: {
  /** The base URL. */
  service: string;
  fetcher: SourceFetcher;
  catalogue: Catalogue;
  breaker: CircuitBreaker;
  refusals: Refusals;
  /** Told why, when the first asset of a run cannot be checked. */
  onFirstStale: (cause: unknown, id: number) => void;
}): AssetChecks {
  const stale = new Map<number, number>();
  const firstChecks = new Map<number, { readonly key: string; readonly check: Promise<Checked> }>();
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
   * Whether the check of one source of an asset tells of another: where both were the service's in one
   * earlier run, and the one still is. How old they are says nothing: an asset can be put back to an
   * earlier version.
   */
  function vouches({ outcome, source }: Checked, other: CachedSource): boolean {
    if (outcome !== 'fresh') return outcome === 'stale';
    return catalogue.wereCurrent(service, source.reference.id, [source.hash, other.hash]);
  }

  function markStale(source: CachedSource): Checked {
    const { id } = source.reference;
    stale.set(id, catalogue.checkedAt(service, id) ?? source.fetchedAt);
    return { outcome: 'stale', source };
  }

  return {
    async confirm(cached) {
      const { id } = cached.reference;
      const key = sourceKey(cached.reference);
      refusals.throwIfRefused(id);
      if (fetcher.isCurrent(cached.reference)) return cached;
      let first = firstChecks.get(id);
      if (!first) {
        first = { key, check: checkOnce(cached) };
        firstChecks.set(id, first);
      }
      if (first.key === key) return (await first.check).source;
      const checked = await first.check.catch(() => undefined);
      refusals.throwIfRefused(id);
      if (!checked || !vouches(checked, cached)) return (await checkOnce(cached)).source;
      if (checked.outcome === 'fresh') catalogue.noteCurrent(service, id, cached.hash);
      return cached;
    },
    staleSince: (id) => stale.get(id),
    count: () => answered,
  };
}
