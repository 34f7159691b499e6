import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { mediaAssetError } from '../../errors/errors.ts';
import { removeFile } from '../../storage/retry-locked-file.ts';
import type { Size } from '../formats/rendition.ts';
import { type CachedSource, queryOf } from '../formats/source.ts';
import { type AssetFacts, factsName, openFactsFile, readFacts } from './asset-facts.ts';
import {
  assetFolders,
  ContentDamaged,
  pruneFolder,
  readAssetFolder,
  readKey,
  removeFolder,
  removeLeftovers,
  serviceFolder,
  serviceFolders,
  sizeAndTime,
  storeFolder,
  streamContent,
  temporaryFolder,
} from './asset-folder.ts';

/** The kinds of cached files: downloaded from the service, or made from downloads. */
const cachedKinds = [
  'facts',
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
    return storedFiles(cacheDir).flatMap((file) =>
      file.kind === 'facts' ? [] : toListed(file, now),
    );
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

/** A cached file that was unusable and has been removed. */
interface BrokenFile {
  readonly id: number;
  readonly kind: CachedKind;
  readonly problem: 'damaged' | 'missing';
}

export interface VerifiedCache {
  /** The number of files whose bytes match their hash. */
  readonly whole: number;
  /** The size of these files, in bytes. */
  readonly size: number;
  readonly broken: readonly BrokenFile[];
}

/**
 * Compares every file of a cache folder with its hash, and removes broken ones, so that the next build
 * downloads or makes them again. Also removes files that killed processes have left.
 */
export async function verifyCache(
  cacheDir: string,
  {
    now,
    onProgress,
  }: {
    now: number;
    onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
  },
): Promise<VerifiedCache> {
  try {
    const files = storedFiles(cacheDir);
    const broken: BrokenFile[] = [];
    /** By path, because an original and a file can share their bytes. */
    const whole = new Map<string, number>();
    for (const [at, file] of files.entries()) {
      onProgress?.({ done: at, total: files.length });
      const { id, kind, path } = file;
      const problem = await problemOf(file);
      if (problem === undefined) whole.set(path, sizeAndTime(path)?.size ?? 0);
      else {
        broken.push({ id, kind, problem });
        await removeFile(path);
      }
    }
    onProgress?.({ done: files.length, total: files.length });
    await removeLeftovers(cacheDir, now);
    for (const { path } of assetFolders(cacheDir)) {
      const facts = openFactsFile(path, temporaryFolder(cacheDir));
      for (const [name, { hash }] of Object.entries(facts.facts().sources))
        if (!sizeAndTime(join(path, hash))) await facts.change((stored) => without(stored, name));
      await pruneFolder(path, facts, Number.NEGATIVE_INFINITY);
    }
    const size = [...whole.values()].reduce((sum, one) => sum + one, 0);
    return { whole: whole.size, size, broken };
  } catch (cause) {
    throw mediaAssetError('cache-unusable', { path: storeFolder(cacheDir) }, { cause });
  }
}

function without(facts: AssetFacts, source: string): AssetFacts {
  const { [source]: _, ...sources } = facts.sources;
  return { ...facts, sources };
}

async function problemOf({ path, hash }: StoredFile): Promise<BrokenFile['problem'] | undefined> {
  if (hash === undefined) return 'damaged';
  if (!sizeAndTime(path)) return 'missing';
  try {
    for await (const _ of streamContent(path, hash));
    return undefined;
  } catch (thrown) {
    if (thrown instanceof ContentDamaged) return 'damaged';
    throw thrown;
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
  /** The start of the SHA-256 in hexadecimal; `undefined` for damaged facts. */
  readonly hash: string | undefined;
  readonly facts: AssetFacts | undefined;
  readonly source?: CachedSource;
  /** The key of a file that was made from a source. */
  readonly key?: string;
}

/** By asset and kind. */
function storedFiles(cacheDir: string): StoredFile[] {
  return assetFolders(cacheDir).flatMap(({ id, path }) => {
    const facts = readFacts(path);
    const factsPath = join(path, factsName);
    const damaged: StoredFile[] =
      facts || !sizeAndTime(factsPath)
        ? []
        : [{ id, kind: 'facts', path: factsPath, hash: undefined, facts }];
    const sources = Object.values(facts?.sources ?? {}).map((source): StoredFile => {
      const { reference, hash } = source;
      return { id, kind: reference.kind, path: join(path, hash), hash, facts, source };
    });
    const made = readAssetFolder(path).renditions.map(({ name, key, digest }): StoredFile => {
      return { id, kind: readKey(key).kind, path: join(path, name), hash: digest, facts, key };
    });
    return [...damaged, ...sources, ...made].sort(
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
