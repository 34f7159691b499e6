import { z } from 'zod';
import { isMediaAssetError } from '../errors.ts';
import { type CachedKind, type CacheEntry, readCacheEntries } from './cache-entries.ts';
import { type CatalogueData, checkKey } from './catalogue-data.ts';
import { readCatalogueData } from './read-catalogue.ts';
import type { Size } from './rendition.ts';

/** A cached file, as `media-asset cache list --json` prints it. */
export interface CachedFile {
  readonly id: number;
  readonly kind: CachedKind;
  /** The query of a custom format. */
  readonly query: string | null;
  /** In bytes. */
  readonly size: number;
  /** In pixels; `null` where only the file itself says it. */
  readonly width: number | null;
  readonly height: number | null;
  /** When it was fetched or made. ISO 8601, UTC. */
  readonly fetched: string;
  /** When the asset was last checked with the service; `null` for what was made here. ISO 8601, UTC. */
  readonly checked: string | null;
  /** Whether the last check is too old for a build that cannot reach the service. */
  readonly stale: boolean;
}

const sizeSchema = z.object({ width: z.int(), height: z.int() });

/**
 * What a cache folder holds, by asset: sources, and what was made of them.
 *
 * @param maxStale how old a check may be, in ms
 * @param now milliseconds since the epoch
 * @throws `cache-unusable`
 */
export async function listCache(
  cacheDir: string,
  { maxStale, now }: { maxStale: number; now: number },
): Promise<CachedFile[]> {
  const catalogue = catalogueOf(cacheDir);
  return (await readCacheEntries(cacheDir)).map((entry) => {
    const { id, kind, query = null, size, time, service } = entry;
    const pixels = pixelsOf(entry, catalogue);
    const checked =
      service === undefined ? undefined : (catalogue?.checks[checkKey(service, id)] ?? time);
    return {
      id,
      kind,
      query,
      size,
      width: pixels?.width ?? null,
      height: pixels?.height ?? null,
      fetched: new Date(time).toISOString(),
      checked: checked === undefined ? null : new Date(checked).toISOString(),
      stale: checked !== undefined && now - checked > maxStale,
    };
  });
}

/** Without it, sizes of renditions and times of checks are unknown; all else is in the index. */
function catalogueOf(cacheDir: string): CatalogueData | undefined {
  try {
    return readCatalogueData(cacheDir);
  } catch (thrown) {
    if (isMediaAssetError(thrown, 'catalogue-broken')) return undefined;
    throw thrown;
  }
}

function pixelsOf(
  { key, kind, metadata }: CacheEntry,
  catalogue: CatalogueData | undefined,
): Size | undefined {
  if (kind === 'rendition') return catalogue?.renditions[key.slice('rendition|'.length)];
  return sizeSchema.safeParse(metadata).data;
}
