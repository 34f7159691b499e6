import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { open, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { sha256 } from '../../storage/digest.ts';
import { errorCode } from '../../storage/file-problems.ts';
import { removeFile } from '../../storage/retry-locked-file.ts';
import { type FactsFile, factsName, isUnused, prefixesFor, pruneFacts } from './asset-facts.ts';

// The cache has a folder for each asset, v3/<service>/<id>/, with these files:
//   facts.json                     everything that's known of the asset
//   <SHA-256>                      the bytes of a source
//   <key>.<start of the SHA-256>   a rendition, placeholder, attention point or preview

/** In ms. A running process may still be writing a younger temporary file. */
const leftoverAge = 60 * 60 * 1000;

export function storeFolder(cacheDir: string): string {
  return join(cacheDir, 'v3');
}

/** Contains files until they're complete. */
export function temporaryFolder(cacheDir: string): string {
  return join(storeFolder(cacheDir), 'tmp');
}

export function serviceFolder(cacheDir: string, service: string): string {
  return join(storeFolder(cacheDir), sha256(service).slice(0, 12));
}

export function serviceFolders(cacheDir: string): string[] {
  const store = storeFolder(cacheDir);
  const names = namesIn(store).filter((name) => /^[0-9a-f]{12}$/.test(name));
  return names.map((name) => join(store, name));
}

/** Sorted by ID. */
export function assetFolders(cacheDir: string): { readonly id: number; readonly path: string }[] {
  return serviceFolders(cacheDir)
    .flatMap((service) =>
      namesIn(service)
        .filter((name) => /^-?[1-9]\d*$/.test(name))
        .map((name) => ({ id: Number(name), path: join(service, name) })),
    )
    .sort((one, other) => one.id - other.id);
}

export function storedName(key: string, bytes: Uint8Array): string {
  return `${key}.${sha256(bytes).slice(0, 16)}`;
}

/** The names of the files of sources, and the files that were made from sources. */
export function readAssetFolder(path: string) {
  const names = namesIn(path);
  const renditions = names.flatMap((name) => {
    const [, key] = /^(.+)\.[0-9a-f]{16}$/.exec(name) ?? [];
    return key ? { name, key } : [];
  });
  return { bytes: names.filter((name) => /^[0-9a-f]{64}$/.test(name)), renditions };
}

/** What a key names, and the prefix of its source. Both are `undefined` for a rendition. */
export function readKey(key: string): { made?: string | undefined; source?: string | undefined } {
  const [, source, made] = /^(-?\d+-[0-9a-f]{16})-(blur|color|attention|preview)-/.exec(key) ?? [];
  return { made, source };
}

/**
 * Deletes what no build has used since a time from an asset's folder: facts, bytes that no source has,
 * and files that were made from sources. Deletes the folder if it's empty then.
 *
 * @param before ms since the epoch. Younger files that were made stay
 */
export async function pruneFolder(path: string, file: FactsFile, before: number): Promise<void> {
  file.refresh();
  const kept = pruneFacts(file.facts(), before);
  if (isUnused(kept, before)) await removeFile(join(path, factsName));
  else if (!isDeepStrictEqual(kept, file.facts()))
    await file.change((facts) => pruneFacts(facts, before));
  const { sources, issued } = kept;
  const { bytes, renditions } = readAssetFolder(path);
  const used = prefixesFor(Object.values(issued));
  for (const { name, key } of renditions) {
    const { source } = readKey(key);
    if (source === undefined ? Object.hasOwn(issued, key) : used.has(source)) continue;
    const made = join(path, name);
    if ((sizeAndTime(made)?.time ?? before) < before) await removeFile(made);
  }
  const hashes = new Set(Object.values(sources).map(({ hash }) => hash));
  for (const hash of bytes) if (!hashes.has(hash)) await removeFile(join(path, hash));
  // Fails if the folder isn't empty.
  if (hashes.size === 0) await rmdir(path).catch(() => undefined);
}

export async function removeLeftovers(cacheDir: string, now: number): Promise<void> {
  const folder = temporaryFolder(cacheDir);
  for (const name of namesIn(folder)) {
    const found = sizeAndTime(join(folder, name));
    if (found && now - found.time >= leftoverAge) await removeFile(join(folder, name));
  }
}

/** Works even if another process is writing to the folder. */
export function removeFolder(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 10 });
}

/** A file's size in bytes, and when it was last written, in ms since the epoch. */
export function sizeAndTime(path: string): { size: number; time: number } | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && { size: found.size, time: found.mtimeMs };
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

/** Cached bytes are gone or have changed. */
export class ContentDamaged extends Error {
  override readonly name = 'ContentDamaged';
}

/**
 * Reads a file in pieces. Throws `ContentDamaged` if it's gone, or after the last piece if the bytes don't
 * match.
 *
 * @param hash SHA-256 in hexadecimal, or the start of it
 */
export async function* streamContent(path: string, hash: string): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256');
  const handle = await open(path).catch((cause: unknown) => {
    throw errorCode(cause) === 'ENOENT' ? new ContentDamaged(`${path} is gone.`, { cause }) : cause;
  });
  for await (const piece of handle.createReadStream({ highWaterMark: 256 * 1024 })) {
    digest.update(piece);
    yield piece;
  }
  if (!digest.digest('hex').startsWith(hash)) throw new ContentDamaged(`${path} is damaged.`);
}
