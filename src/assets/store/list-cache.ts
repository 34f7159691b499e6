import { join } from 'node:path';
import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import type { Size } from '../formats/rendition.ts';
import { type CachedSource, queryOf } from '../formats/source.ts';
import {
  type Asset,
  assetFolder,
  assetFolders,
  readAssetFolder,
  readKey,
  readRecord,
  sizeAndTime,
  storeFolder,
} from './asset-folder.ts';
import { type CatalogueData, checkKey } from './catalogue-data.ts';
import { readCatalogueData } from './read-catalogue.ts';

/** The kinds of cached files: downloaded from the service, or made from downloads. */
const cachedKinds = [
  'original',
  'custom-format',
  'file',
  'rendition',
  'placeholder',
  'attention',
  'preview',
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
  /** In pixels; `null` if only the file itself contains it. */
  readonly width: number | null;
  readonly height: number | null;
  /** When the file was downloaded or made. ISO 8601, UTC. */
  readonly fetched: string;
  /** When the asset was last checked with the service; `null` for files made here. ISO 8601, UTC. */
  readonly checked: string | null;
  /** Whether the last check is too old for a build that can't reach the service. */
  readonly stale: boolean;
}

/** The highest age of an asset's last check, in days: the default of the option `maxStale`. */
export const maxStaleDays = 7;

/**
 * Lists the files in a cache folder by asset: sources, and files made from them.
 *
 * @param now in milliseconds since the epoch
 * @throws `cache-unusable`
 */
export function listCache(cacheDir: string, now: number): CachedFile[] {
  const catalogue = catalogueOf(cacheDir);
  try {
    return storedFiles(cacheDir)
      .filter(({ hash }) => hash !== undefined)
      .map((file) => listFile(file, { catalogue, now }));
  } catch (cause) {
    throw mediaAssetError('cache-unusable', { path: storeFolder(cacheDir) }, { cause });
  }
}

/**
 * The size of an asset in pixels; `undefined` if its original isn't cached.
 *
 * @throws `cache-unusable`
 */
export function cachedPixels(cacheDir: string, asset: Asset): Size | undefined {
  const folder = assetFolder(cacheDir, asset);
  try {
    const source =
      readRecord(join(folder, 'original.json')) ?? readRecord(join(folder, 'file.json'));
    return source?.kind === 'file' ? source.picture : source;
  } catch (cause) {
    throw mediaAssetError('cache-unusable', { path: folder }, { cause });
  }
}

/** Without the catalogue, the sizes of renditions and the times of checks are unknown. */
function catalogueOf(cacheDir: string): CatalogueData | undefined {
  try {
    return readCatalogueData(cacheDir);
  } catch (thrown) {
    if (isMediaAssetError(thrown, 'catalogue-broken')) return undefined;
    throw thrown;
  }
}

function listFile(
  { id, kind, path, source, key = '' }: StoredFile,
  { catalogue, now }: { catalogue: CatalogueData | undefined; now: number },
): CachedFile {
  const reference = source?.reference;
  const pixels = source?.kind === 'file' ? source.picture : (source ?? catalogue?.renditions[key]);
  const made = source ? undefined : sizeAndTime(path);
  const checked =
    source && (catalogue?.checks[checkKey(source.reference.service, id)] ?? source.fetchedAt);
  return {
    id,
    kind,
    query: reference?.kind === 'custom-format' ? queryOf(reference) : null,
    size: source?.size ?? made?.size ?? 0,
    width: pixels?.width ?? null,
    height: pixels?.height ?? null,
    fetched: new Date(source?.fetchedAt ?? made?.time ?? 0).toISOString(),
    checked: checked === undefined ? null : new Date(checked).toISOString(),
    stale: checked !== undefined && now - checked > maxStaleDays * 24 * 60 * 60 * 1000,
  };
}

export interface StoredFile {
  readonly id: number;
  readonly kind: CachedKind;
  readonly path: string;
  /** The start of the SHA-256 in hexadecimal; `undefined` if the file's record is damaged. */
  readonly hash: string | undefined;
  /** The path of a source's record, and its content. */
  readonly record?: string;
  readonly source?: CachedSource | undefined;
  /** The key of a file that was made from a source. */
  readonly key?: string;
}

/** The files in a cache folder, by asset and kind. */
export function storedFiles(cacheDir: string): StoredFile[] {
  return assetFolders(cacheDir).flatMap(({ id, path }) => {
    const { records, renditions } = readAssetFolder(path);
    const sources = records.map((name): StoredFile => {
      const record = join(path, name);
      const source = readRecord(record);
      const bytes = source ? join(path, source.hash) : record;
      return { id, kind: recordKind(name), path: bytes, hash: source?.hash, record, source };
    });
    const made = renditions.map(
      ({ name, key, digest }): StoredFile => ({
        ...{ id, kind: readKey(key).kind },
        ...{ path: join(path, name), hash: digest, key },
      }),
    );
    return [...sources, ...made].sort(
      (one, other) => cachedKinds.indexOf(one.kind) - cachedKinds.indexOf(other.kind),
    );
  });
}

function recordKind(name: string): CachedKind {
  if (name === 'original.json') return 'original';
  return name === 'file.json' ? 'file' : 'custom-format';
}
