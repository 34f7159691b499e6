import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../storage/error-code.ts';
import { removeFile } from '../../storage/retry-locked-file.ts';
import type { RenditionSource } from '../formats/rendition.ts';
import { type CachedSource, type SourceReference, sourceKey } from '../formats/source.ts';
import { parseStoredSource } from './stored-source.ts';

// The cache has a folder for each asset, v2/<service>/<id>/, with these files:
//   original.json, file.json, crop-<digest>.json   the facts of a source (its record)
//   <SHA-256>                                      the bytes of a source
//   <key>.<start of the SHA-256>                   a rendition, placeholder, attention point or preview

export interface Asset {
  /** The service's base URL. */
  readonly service: string;
  readonly id: number;
}

/** A file that was made from a source: a rendition, placeholder, attention point or preview. */
interface StoredRendition {
  readonly name: string;
  readonly key: string;
  /** The first 16 hexadecimal digits of the SHA-256 of the bytes. */
  readonly digest: string;
}

/** The names in the folder of an asset. */
export interface AssetFiles {
  readonly records: readonly string[];
  /** The hashes of sources. */
  readonly bytes: readonly string[];
  readonly renditions: readonly StoredRendition[];
}

/** The number of files that killed processes have left, and their bytes. */
export interface Leftovers {
  readonly files: number;
  readonly size: number;
}

/** In ms. A running process may still be writing a younger temporary file. */
const leftoverAge = 60 * 60 * 1000;

export function storeFolder(cacheDir: string): string {
  return join(cacheDir, 'v2');
}

/** Contains files until they're complete. */
export function temporaryFolder(cacheDir: string): string {
  return join(storeFolder(cacheDir), 'tmp');
}

export function assetFolder(cacheDir: string, { service, id }: Asset): string {
  return join(storeFolder(cacheDir), sha256(service).slice(0, 12), String(id));
}

export function serviceFolders(cacheDir: string): string[] {
  const store = storeFolder(cacheDir);
  const names = namesIn(store).filter((name) => /^[0-9a-f]{12}$/.test(name));
  return names.map((name) => join(store, name));
}

/** The folders of all assets in a cache folder, by ID. */
export function assetFolders(cacheDir: string): { readonly id: number; readonly path: string }[] {
  return serviceFolders(cacheDir)
    .flatMap((service) =>
      namesIn(service)
        .filter((name) => /^-?[1-9]\d*$/.test(name))
        .map((name) => ({ id: Number(name), path: join(service, name) })),
    )
    .sort((one, other) => one.id - other.id);
}

export function recordName(reference: SourceReference): string {
  const { kind } = reference;
  if (kind !== 'custom-format') return `${kind}.json`;
  return `crop-${sha256(sourceKey(reference)).slice(0, 16)}.json`;
}

export function storedName(key: string, bytes: Uint8Array): string {
  return `${key}.${sha256(bytes).slice(0, 16)}`;
}

/** Lists an asset's folder. Empty if there is no folder. */
export function readAssetFolder(path: string): AssetFiles {
  const files = {
    records: [] as string[],
    bytes: [] as string[],
    renditions: [] as StoredRendition[],
  };
  for (const name of namesIn(path)) {
    const [, key, digest] = /^(.+)\.([0-9a-f]{16})$/.exec(name) ?? [];
    if (/^(?:original|file|crop-[0-9a-f]{16})\.json$/.test(name)) files.records.push(name);
    else if (/^[0-9a-f]{64}$/.test(name)) files.bytes.push(name);
    else if (key && digest) files.renditions.push({ name, key, digest });
  }
  return files;
}

/** Reads a record; `undefined` if it's missing or invalid. */
export function readRecord(path: string): CachedSource | undefined {
  const text = unlessGone(() => readFileSync(path, 'utf8'));
  return text === undefined ? undefined : parseStoredSource(text);
}

/** The prefix of all keys that are made from this version of a source. */
export function sourcePrefix({ reference, hash }: RenditionSource): string {
  return `${reference.id}-${hash.slice(0, 16)}`;
}

/** What a key names, and the prefix of its source unless it's a rendition. */
export function readKey(key: string): {
  readonly kind: 'rendition' | 'placeholder' | 'attention' | 'preview';
  readonly source?: string | undefined;
} {
  const [, source, made] = /^(-?\d+-[0-9a-f]{16})-(blur|color|attention|preview)-/.exec(key) ?? [];
  if (!made) return { kind: 'rendition' };
  return { kind: made === 'attention' || made === 'preview' ? made : 'placeholder', source };
}

/**
 * Deletes unused files from an asset's folder, and the folder if it's empty then.
 *
 * @param kept the names of records, the keys of renditions and the prefixes of sources in use
 * @param found hashes of sources that are known to have a record
 * @param before ms since the epoch. Younger files stay
 */
export async function evictUnused(
  path: string,
  {
    kept,
    found,
    before,
  }: { kept: ReadonlySet<string>; found: ReadonlySet<string>; before: number },
): Promise<void> {
  const { records, bytes, renditions } = readAssetFolder(path);
  const isKept = ({ key }: StoredRendition) => kept.has(readKey(key).source ?? key);
  const unused = [
    ...records.filter((name) => !kept.has(name)),
    ...renditions.filter((rendition) => !isKept(rendition)).map(({ name }) => name),
  ].filter((name) => (sizeAndTime(join(path, name))?.time ?? before) < before);
  for (const name of unused) await removeFile(join(path, name));
  // An unchanged asset costs only one read of its folder.
  if (unused.length === 0 && bytes.every((hash) => found.has(hash))) return;
  await removeReplaced(path);
  // Fails if the folder isn't empty.
  await rmdir(path).catch(() => undefined);
}

/** Deletes bytes without a record from an asset's folder, and the crops of replaced originals. */
export async function removeReplaced(path: string): Promise<Leftovers> {
  const { records, bytes } = readAssetFolder(path);
  const read = records.map((name) => ({ name, source: readRecord(join(path, name)) }));
  const hashOf = (kind: string) => read.find(({ name }) => name === `${kind}.json`)?.source?.hash;
  const originals = [hashOf('original'), hashOf('file')].filter((hash) => hash !== undefined);
  const isReplaced = (hash: string) => originals.length > 0 && !originals.includes(hash);
  const named = new Set<string>();
  for (const { name, source } of read) {
    const reference = source?.reference;
    if (reference?.kind === 'custom-format' && isReplaced(reference.original)) {
      await removeFile(join(path, name));
    } else if (source) named.add(source.hash);
  }
  const leftovers = { files: 0, size: 0 };
  for (const hash of bytes) {
    if (named.has(hash)) continue;
    leftovers.files += 1;
    leftovers.size += sizeAndTime(join(path, hash))?.size ?? 0;
    await removeFile(join(path, hash));
  }
  return leftovers;
}

/** @param now milliseconds since the epoch */
export async function removeLeftovers(cacheDir: string, now: number): Promise<Leftovers> {
  const folder = temporaryFolder(cacheDir);
  const leftovers = { files: 0, size: 0 };
  for (const name of namesIn(folder)) {
    const found = sizeAndTime(join(folder, name));
    if (!found || now - found.time < leftoverAge) continue;
    await removeFile(join(folder, name));
    leftovers.files += 1;
    leftovers.size += found.size;
  }
  return leftovers;
}

/** Deletes a folder, even if another process is writing to it. */
export function removeFolder(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 10 });
}

/** A file's size in bytes, and when it was last written, in ms since the epoch. */
export function sizeAndTime(path: string): { size: number; time: number } | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && { size: found.size, time: found.mtimeMs };
}

/** SHA-256, in hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function namesIn(folder: string): string[] {
  return unlessGone(() => readdirSync(folder)) ?? [];
}

/** The result of reading; `undefined` if the file or folder doesn't exist. */
export function unlessGone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}
