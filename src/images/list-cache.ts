import { join } from 'node:path';
import { isMediaAssetError, mediaAssetError } from '../errors.ts';
import {
  assetFolders,
  readAssetFolder,
  readKey,
  readRecord,
  type StoredRendition,
  sizeAndTime,
  storeFolder,
} from './asset-folder.ts';
import { type CatalogueData, checkKey } from './catalogue-data.ts';
import { readCatalogueData } from './read-catalogue.ts';
import { type CachedSource, queryOf } from './source.ts';

/** What a cached file is: bytes of the service, or made of them. */
const cachedKinds = [
  'original',
  'custom-format',
  'file',
  'rendition',
  'placeholder',
  'attention',
] as const;
export type CachedKind = (typeof cachedKinds)[number];

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

/** How old the last check of an asset may be, in days: the default of the option `maxStale`. */
export const maxStaleDays = 7;

/**
 * What a cache folder holds, by asset: sources, and what was made of them.
 *
 * @param now milliseconds since the epoch
 * @throws `cache-unusable`
 */
export function listCache(cacheDir: string, now: number): CachedFile[] {
  const catalogue = catalogueOf(cacheDir);
  try {
    return assetFolders(cacheDir).flatMap(({ id, path }) => {
      const { records, renditions } = readAssetFolder(path);
      const sources = records.map((name) => readRecord(join(path, name)));
      return [
        ...sources.flatMap((source) => (source ? listSource(source, { catalogue, now }) : [])),
        ...renditions.map((rendition) => listRendition(rendition, { id, path, catalogue })),
      ].sort(byKind);
    });
  } catch (cause) {
    throw mediaAssetError('cache-unusable', { path: storeFolder(cacheDir) }, { cause });
  }
}

/** Sorts cached files: originals first. */
export function byKind(one: { kind: CachedKind }, other: { kind: CachedKind }): number {
  return cachedKinds.indexOf(one.kind) - cachedKinds.indexOf(other.kind);
}

/** Without it, the sizes of renditions and the times of checks are unknown. */
function catalogueOf(cacheDir: string): CatalogueData | undefined {
  try {
    return readCatalogueData(cacheDir);
  } catch (thrown) {
    if (isMediaAssetError(thrown, 'catalogue-broken')) return undefined;
    throw thrown;
  }
}

function listSource(
  { reference, size, fetchedAt, ...facts }: CachedSource,
  { catalogue, now }: { catalogue: CatalogueData | undefined; now: number },
): CachedFile {
  const { kind, service, id } = reference;
  const pixels = facts.kind === 'file' ? facts.picture : facts;
  const checked = catalogue?.checks[checkKey(service, id)] ?? fetchedAt;
  return {
    id,
    kind,
    query: reference.kind === 'custom-format' ? queryOf(reference) : null,
    size,
    width: pixels?.width ?? null,
    height: pixels?.height ?? null,
    fetched: new Date(fetchedAt).toISOString(),
    checked: new Date(checked).toISOString(),
    stale: now - checked > maxStaleDays * 24 * 60 * 60 * 1000,
  };
}

function listRendition(
  { name, key }: StoredRendition,
  { id, path, catalogue }: { id: number; path: string; catalogue: CatalogueData | undefined },
): CachedFile {
  const { size, time } = sizeAndTime(join(path, name)) ?? { size: 0, time: 0 };
  return {
    id,
    kind: readKey(key).kind,
    query: null,
    size,
    width: catalogue?.renditions[key]?.width ?? null,
    height: catalogue?.renditions[key]?.height ?? null,
    fetched: new Date(time).toISOString(),
    checked: null,
    stale: false,
  };
}
