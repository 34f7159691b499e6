import { join } from 'node:path';
import cacache from 'cacache';
import { mediaAssetError } from '../errors.ts';

/** What a cached file is: bytes of the service, or made of them. */
const cachedKinds = ['original', 'custom-format', 'file', 'rendition', 'placeholder'] as const;
export type CachedKind = (typeof cachedKinds)[number];

/** An entry of the cache's index. */
export interface CacheEntry {
  readonly key: string;
  readonly kind: CachedKind;
  /** The asset. */
  readonly id: number;
  /** The base URL of the service; `undefined` for what was made on this machine. */
  readonly service: string | undefined;
  /** The query of a custom format. */
  readonly query: string | undefined;
  readonly integrity: string;
  /** In bytes. */
  readonly size: number;
  /** When it was written; milliseconds since the epoch. */
  readonly time: number;
  readonly metadata: unknown;
}

/** The folder of a cache folder that holds index and contents. */
export function contentsFolder(cacheDir: string): string {
  return join(cacheDir, 'v1');
}

/**
 * The entries of a cache folder, by asset and kind; none where there is no cache yet.
 *
 * @throws `cache-unusable`
 */
export async function readCacheEntries(cacheDir: string): Promise<CacheEntry[]> {
  const folder = contentsFolder(cacheDir);
  let entries: cacache.ls.Cache;
  try {
    entries = await cacache.ls(folder);
  } catch (cause) {
    throw mediaAssetError('cache-unusable', { path: folder }, { cause });
  }
  return Object.values(entries)
    .flatMap(({ key, integrity, size, time, metadata }) => {
      const named = readKey(key);
      return named ? [{ ...named, key, integrity, size: size ?? 0, time, metadata }] : [];
    })
    .sort(
      (one, other) =>
        one.id - other.id ||
        cachedKinds.indexOf(one.kind) - cachedKinds.indexOf(other.kind) ||
        (one.key < other.key ? -1 : 1),
    );
}

function readKey(key: string): Pick<CacheEntry, 'kind' | 'id' | 'service' | 'query'> | undefined {
  const made = /^rendition\|(\d+)-[0-9a-f]{16}-(blur|color)?/.exec(key);
  if (made) {
    const kind = made[2] ? 'placeholder' : 'rendition';
    return { kind, id: Number(made[1]), service: undefined, query: undefined };
  }
  const whole = /^(original|file)\|(.+)\|(\d+)$/.exec(key);
  if (whole) {
    const [, kind, service, id] = whole;
    return { kind: kind as 'original' | 'file', id: Number(id), service, query: undefined };
  }
  const crop = /^custom-format\|(.+)\|(\d+)\|[0-9a-f]{64}\|([^|]*)$/.exec(key);
  if (!crop) return undefined;
  const [, service, id, query] = crop;
  return { kind: 'custom-format', id: Number(id), service, query };
}
