import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { mediaAssetError } from '../../errors/errors.ts';
import type { Size } from '../formats/rendition.ts';
import { type CachedSource, queryOf } from '../formats/source.ts';
import { type AssetFacts, readFacts } from './asset-facts.ts';
import {
  assetFolders,
  readAssetFolder,
  readKey,
  removeFolder,
  removeLeftovers,
  serviceFolder,
  serviceFolders,
  sizeAndTime,
  storeFolder,
  temporaryFolder,
} from './asset-folder.ts';

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
type CachedKind = (typeof cachedKinds)[number];

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

/** @param now in milliseconds since the epoch */
export function listCache(cacheDir: string, now: number): CachedFile[] {
  try {
    return storedFiles(cacheDir).map((file) => toListed(file, now));
  } catch (cause) {
    throw mediaAssetError('cache-unusable', { path: storeFolder(cacheDir) }, { cause });
  }
}

/** `undefined` if the original isn't cached. */
export function cachedPixels(
  cacheDir: string,
  { service, id }: { readonly service: string; readonly id: number },
): Size | undefined {
  const folder = join(serviceFolder(cacheDir, service), String(id));
  try {
    const { original, file } = readFacts(folder)?.sources ?? {};
    const source = original ?? file;
    return source?.kind === 'file' ? source.picture : source;
  } catch (cause) {
    throw mediaAssetError('cache-unusable', { path: folder }, { cause });
  }
}

/**
 * Deletes the cached files of one asset, or all files. The next build fetches them again. A running
 * build also does, but keeps its pending downloads.
 */
export async function clearCache(
  cacheDir: string,
  { id, now }: { id?: number | undefined; now: number },
): Promise<void> {
  try {
    if (id !== undefined) {
      const folders = assetFolders(cacheDir).filter((folder) => folder.id === id);
      for (const { path } of folders) await removeFolder(path);
      return;
    }
    for (const folder of serviceFolders(cacheDir)) await removeFolder(folder);
    await removeLeftovers(cacheDir, now);
  } catch (cause) {
    throw mediaAssetError('cache-unusable', { path: cacheDir }, { cause });
  }
  // Fails if running builds have files in them.
  for (const folder of [temporaryFolder(cacheDir), storeFolder(cacheDir)]) {
    await rmdir(folder).catch(() => undefined);
  }
}

interface StoredFile {
  readonly id: number;
  readonly kind: CachedKind;
  readonly path: string;
  readonly facts: AssetFacts | undefined;
  readonly source?: CachedSource;
  /** The key of a file that was made from a source. */
  readonly key?: string;
}

/** By asset and kind. */
function storedFiles(cacheDir: string): StoredFile[] {
  return assetFolders(cacheDir).flatMap(({ id, path }) => {
    const facts = readFacts(path);
    const sources = Object.values(facts?.sources ?? {}).map((source): StoredFile => {
      const { reference, hash } = source;
      return { id, kind: reference.kind, path: join(path, hash), facts, source };
    });
    const made = readAssetFolder(path).renditions.map(({ name, key }): StoredFile => {
      return { id, kind: readKey(key).kind, path: join(path, name), facts, key };
    });
    return [...sources, ...made].sort(
      (one, other) => cachedKinds.indexOf(one.kind) - cachedKinds.indexOf(other.kind),
    );
  });
}

function toListed(
  { id, kind, path, facts, source, key = '' }: StoredFile,
  now: number,
): CachedFile {
  const reference = source?.reference;
  const issued = facts?.issued[key];
  const rendition = issued?.as === 'rendition' ? issued : undefined;
  const pixels = source?.kind === 'file' ? source.picture : (source ?? rendition);
  const made = source ? undefined : sizeAndTime(path);
  const checked = source && (facts?.checkedAt ?? source.fetchedAt);
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
