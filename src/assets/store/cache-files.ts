import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { mediaAssetError } from '../../errors/errors.ts';
import type { Size } from '../formats/rendition.ts';
import { queryOf } from '../formats/source.ts';
import { readFacts } from './asset-facts.ts';
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
}

export function listCache(cacheDir: string): CachedFile[] {
  try {
    return assetFolders(cacheDir).flatMap(listFolder);
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

/** By kind. */
function listFolder({ id, path }: { id: number; path: string }): CachedFile[] {
  const facts = readFacts(path);
  const { bytes, renditions } = readAssetFolder(path);
  // A build without a cache knows facts of originals that it hasn't downloaded.
  const stored = Object.values(facts?.sources ?? {}).filter(({ hash }) => bytes.includes(hash));
  const sources = stored.map((source): CachedFile => {
    const { reference, size, fetchedAt } = source;
    return {
      ...{ id, kind: reference.kind, size },
      query: reference.kind === 'custom-format' ? queryOf(reference) : null,
      ...sidesOf(source.kind === 'file' ? source.picture : source),
      ...{ fetched: toIso(fetchedAt), checked: toIso(facts?.checkedAt ?? fetchedAt) },
    };
  });
  const made = renditions.map(({ name, key }): CachedFile => {
    const issued = facts?.issued[key];
    const { size, time } = sizeAndTime(join(path, name)) ?? { size: 0, time: 0 };
    return {
      ...{ id, kind: readKey(key).kind, query: null, size },
      ...sidesOf(issued?.as === 'rendition' ? issued : undefined),
      ...{ fetched: toIso(time), checked: null },
    };
  });
  return [...sources, ...made].sort(
    (one, other) => cachedKinds.indexOf(one.kind) - cachedKinds.indexOf(other.kind),
  );
}

function sidesOf(pixels: Size | undefined) {
  return { width: pixels?.width ?? null, height: pixels?.height ?? null };
}

function toIso(time: number): string {
  return new Date(time).toISOString();
}
