import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../storage/error-code.ts';
import { removeFile } from '../../storage/retry-locked-file.ts';
import type { RenditionSource } from '../formats/rendition.ts';
import { type CachedSource, type SourceReference, sourceKey } from '../formats/source.ts';
import { parseStoredSource } from './stored-source.ts';

// The cache holds a folder for each asset: v2/<service>/<id>/. In it lie
//   original.json, file.json, crop-<digest>.json   what is known of a source (its record)
//   <SHA-256>                                      the bytes of a source
//   <key>.<start of the SHA-256>                   a rendition, placeholder or attention point

export interface Asset {
  /** The service's base URL. */
  readonly service: string;
  readonly id: number;
}

/** A rendition in the folder of its asset, or something else that was made of a source. */
interface StoredRendition {
  readonly name: string;
  readonly key: string;
  /** The first 16 hexadecimal digits of the SHA-256 of the bytes. */
  readonly digest: string;
}

/** The names in the folder of an asset. */
export interface AssetFiles {
  readonly records: readonly string[];
  /** Hashes. */
  readonly bytes: readonly string[];
  readonly renditions: readonly StoredRendition[];
}

/** Files that killed processes have left, and their bytes. */
export interface Leftovers {
  readonly files: number;
  readonly size: number;
}

/** A running process may still be writing a younger temporary file, in ms. */
const leftoverAge = 60 * 60 * 1000;

export function storeFolder(cacheDir: string): string {
  return join(cacheDir, 'v2');
}

/** Files lie here until they're whole. */
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

/** Reads the folder of an asset. No files if there is none. */
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

/** Reads a record; `undefined` if there is none, or it can't be used. */
export function readRecord(path: string): CachedSource | undefined {
  const text = unlessGone(() => readFileSync(path, 'utf8'));
  return text === undefined ? undefined : parseStoredSource(text);
}

/** What keys begin with of everything that is made of a version of a source. */
export function sourcePrefix({ reference, hash }: RenditionSource): string {
  return `${reference.id}-${hash.slice(0, 16)}`;
}

/** What was made under a key, and the prefix of its source if it's no rendition. */
export function readKey(key: string): {
  readonly kind: 'rendition' | 'placeholder' | 'attention';
  readonly source?: string | undefined;
} {
  const [, source, made] = /^(-?\d+-[0-9a-f]{16})-(blur|color|attention)-/.exec(key) ?? [];
  if (!made) return { kind: 'rendition' };
  return { kind: made === 'attention' ? 'attention' : 'placeholder', source };
}

/**
 * Deletes what is unused from an asset's folder, and the folder once it's empty.
 *
 * @param kept the names of records, the keys of renditions and the prefixes of sources in use
 * @param found hashes of sources that are known to have a record
 * @param before ms since the epoch: everything younger stays
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
  // An unchanged asset costs one look at its folder.
  if (unused.length === 0 && bytes.every((hash) => found.has(hash))) return;
  await removeReplaced(path);
  // One that isn't empty stays.
  await rmdir(path).catch(() => undefined);
}

/**
 * Deletes the bytes in an asset's folder that no record names, and the crops of replaced originals.
 */
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

/** Deletes a folder that another process may be writing into. */
export function removeFolder(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 10 });
}

/** Of a file: bytes, and when it was last written in ms since the epoch. */
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

/** What reading gives; `undefined` if the file or folder doesn't exist. */
export function unlessGone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}
