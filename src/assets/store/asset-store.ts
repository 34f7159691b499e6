import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { mediaAssetError } from '../../errors/errors.ts';
import { errorCode } from '../../storage/error-code.ts';
import { ignoreMissing } from '../../storage/output-file.ts';
import { moveFile, removeFile, retryLockedFile } from '../../storage/retry-locked-file.ts';
import type { RenditionSource } from '../formats/rendition.ts';
import type {
  CachedSource,
  FileFacts,
  FileReference,
  FileSource,
  ImageFacts,
  ImageReference,
  Source,
  SourceReference,
} from '../formats/source.ts';
import {
  type Asset,
  assetFolder,
  assetFolders,
  evictUnused,
  readAssetFolder,
  readRecord,
  recordName,
  removeFolder,
  removeLeftovers,
  sha256,
  sizeAndTime,
  sourcePrefix,
  storedName,
  storeFolder,
  temporaryFolder,
  unlessGone,
} from './asset-folder.ts';
import { formatStoredSource } from './stored-source.ts';
import { writeContent } from './stream-content.ts';

/**
 * The cache: originals, crops and renditions, with a folder for each asset. Several processes can use
 * it at the same time.
 */
export interface AssetStore {
  /** The newest version of a source; `undefined` if there is none, or its bytes are incomplete. */
  find(reference: SourceReference): Promise<CachedSource | undefined>;
  /**
   * Stores a download as the newest version of its source. Until it's complete, it's in a temporary
   * file.
   *
   * @param readFacts gets the path of the complete file. Throws if the file must not be stored
   * @throws errors of the body and of `readFacts`
   */
  receive: ReceiveSource;
  /** The bytes of one version of a source; `undefined` if they're gone or damaged. */
  read(version: RenditionSource): Promise<Buffer | undefined>;
  /** The path of the bytes, which can be damaged; `undefined` if they're gone. */
  pathOf(version: RenditionSource): Promise<string | undefined>;
  /** Deletes damaged bytes. */
  drop(version: RenditionSource): Promise<void>;
  /** Whether a rendition has been made. Its bytes can be gone or damaged. */
  hasRendition(asset: Asset, key: string): Promise<boolean>;
  /** The bytes of a rendition; `undefined` if they're gone or damaged. */
  readRendition(asset: Asset, key: string): Promise<Buffer | undefined>;
  addRendition(asset: Asset, key: string, bytes: Uint8Array): Promise<void>;
  withdraw(asset: Asset): Promise<void>;
  /** The names in the service of the assets that were found or received, by ID. */
  names(): Record<string, string>;
  /**
   * Call after a successful build. Deletes replaced versions, files that no build has used or made for
   * 30 days, and files that killed processes have left.
   *
   * @param used the renditions in use and their sources, by key
   * @param now in milliseconds since the epoch
   */
  evict(options: {
    used: Iterable<readonly [key: string, { readonly source: RenditionSource }]>;
    now: number;
  }): Promise<void>;
}

/** 30 days, in milliseconds. */
export const longestUnused = 30 * 24 * 60 * 60 * 1000;

type Body = AsyncIterable<Uint8Array>;
type ReadFacts<T> = (path: string) => Promise<T>;

interface ReceiveSource {
  (source: ImageReference, body: Body, readFacts: ReadFacts<ImageFacts>): Promise<Source>;
  (source: FileReference, body: Body, readFacts: ReadFacts<FileFacts>): Promise<FileSource>;
}

interface KnownAsset {
  readonly path: string;
  /** By the names of their records. */
  readonly sources: Map<string, CachedSource>;
  /** File names by key. Read from the folder once. */
  renditions: Map<string, string> | undefined;
}

/** How often another process may delete a folder while a file is written to it. */
const mostAttempts = 5;

/**
 * Opens the store in a cache folder.
 *
 * @param mode a build reads each record once; a dev session sees what other processes add
 * @throws (every method) `cache-unusable`
 */
export function openAssetStore(cacheDir: string, mode: 'build' | 'dev'): AssetStore {
  const assets = new Map<string, KnownAsset>();
  const names = new Map<number, string>();

  function assetOf({ service, id }: Asset): KnownAsset {
    const key = `${service}|${id}`;
    let asset = assets.get(key);
    if (!asset) {
      const path = assetFolder(cacheDir, { service, id });
      asset = { path, sources: new Map(), renditions: undefined };
      assets.set(key, asset);
    }
    return asset;
  }

  async function find(reference: SourceReference): Promise<CachedSource | undefined> {
    const { path, sources } = assetOf(reference);
    const name = recordName(reference);
    const known = sources.get(name);
    if (known && mode === 'build') return known;
    const source = readRecord(join(path, name));
    if (!source) return undefined;
    const bytes = join(path, source.hash);
    const size = sizeAndTime(bytes)?.size;
    if (size !== source.size) {
      // After a crash, a truncated file would be mistaken for the next download of the same bytes.
      if (size !== undefined) await removeFile(bytes);
      return undefined;
    }
    return remember(sources, source);
  }

  function remember(sources: KnownAsset['sources'], source: CachedSource): CachedSource {
    sources.set(recordName(source.reference), source);
    if (source.title) names.set(source.reference.id, source.title);
    return source;
  }

  async function receive(
    reference: SourceReference,
    body: Body,
    readFacts: ReadFacts<ImageFacts | FileFacts>,
  ): Promise<CachedSource> {
    const name = `${reference.id}-${crypto.randomUUID()}`;
    const temporary = join(temporaryFolder(cacheDir), name);
    try {
      await working(() => inFolderOf(temporary, () => writeFile(temporary, '')));
      const { hash, size } = await writeContent(temporary, body);
      const facts = await readFacts(temporary);
      const source = { ...facts, reference, hash, size } as CachedSource;
      return await working(() => add(source, temporary));
    } finally {
      // If this fails, a later build removes the file.
      await removeFile(temporary).catch(() => undefined);
    }
  }

  async function add(source: CachedSource, file: string): Promise<CachedSource> {
    const { path, sources } = assetOf(source.reference);
    const name = recordName(source.reference);
    sources.delete(name);
    const bytes = join(path, source.hash);
    if (sizeAndTime(bytes)?.size !== source.size) {
      await inFolderOf(bytes, () => moveFile(file, bytes));
    }
    await write(join(path, name), formatStoredSource(source));
    return remember(sources, source);
  }

  async function read({ reference, hash }: RenditionSource): Promise<Buffer | undefined> {
    const file = join(assetOf(reference).path, hash);
    const bytes = await readFile(file).catch(ignoreMissing);
    if (bytes && sha256(bytes) === hash) return bytes;
    await drop({ reference, hash });
    return undefined;
  }

  async function pathOf({ reference, hash }: RenditionSource): Promise<string | undefined> {
    const { path, sources } = assetOf(reference);
    if (sizeAndTime(join(path, hash))) return join(path, hash);
    sources.clear();
    return undefined;
  }

  async function drop({ reference, hash }: RenditionSource): Promise<void> {
    const { path, sources } = assetOf(reference);
    sources.clear();
    await removeFile(join(path, hash));
  }

  function renditionsOf(asset: KnownAsset): Map<string, string> {
    asset.renditions ??= new Map(
      readAssetFolder(asset.path).renditions.map(({ key, name }) => [key, name]),
    );
    return asset.renditions;
  }

  async function readRendition(of: Asset, key: string): Promise<Buffer | undefined> {
    const asset = assetOf(of);
    const name = renditionsOf(asset).get(key);
    if (name === undefined) return undefined;
    const path = join(asset.path, name);
    // Reading a small file is faster than waiting for the thread pool.
    const bytes = unlessGone(() => readFileSync(path));
    if (bytes && storedName(key, bytes) === name) return bytes;
    renditionsOf(asset).delete(key);
    await removeFile(path);
    return undefined;
  }

  async function addRendition(of: Asset, key: string, bytes: Uint8Array): Promise<void> {
    const asset = assetOf(of);
    const name = storedName(key, bytes);
    await write(join(asset.path, name), bytes);
    const earlier = renditionsOf(asset).get(key);
    if (earlier !== undefined && earlier !== name) await removeFile(join(asset.path, earlier));
    renditionsOf(asset).set(key, name);
  }

  async function withdraw(asset: Asset): Promise<void> {
    assets.delete(`${asset.service}|${asset.id}`);
    await removeFolder(assetFolder(cacheDir, asset));
  }

  async function evict({ used, now }: Parameters<AssetStore['evict']>[0]): Promise<void> {
    await removeLeftovers(cacheDir, now);
    const kept = new Map<string, Set<string>>();
    for (const [key, { source }] of used) {
      const { path } = assetOf(source.reference);
      const names = kept.get(path) ?? new Set(['original.json', 'file.json']);
      kept.set(path, names.add(recordName(source.reference)).add(key).add(sourcePrefix(source)));
    }
    const known = new Map(Array.from(assets.values(), (asset) => [asset.path, asset]));
    for (const { path } of assetFolders(cacheDir)) {
      const found = known.get(path)?.sources.values() ?? [];
      await evictUnused(path, {
        kept: kept.get(path) ?? new Set(),
        found: new Set(Array.from(found, ({ hash }) => hash)),
        before: now - longestUnused,
      });
    }
    assets.clear();
  }

  async function write(path: string, content: string | Uint8Array): Promise<void> {
    const temporary = join(temporaryFolder(cacheDir), crypto.randomUUID());
    try {
      await inFolderOf(temporary, () => writeFile(temporary, content));
      await inFolderOf(path, () => moveFile(temporary, path));
    } catch (thrown) {
      await removeFile(temporary).catch(() => undefined);
      throw thrown;
    }
  }

  return {
    find: (reference) => working(() => find(reference)),
    receive: receive as ReceiveSource,
    read: (version) => working(() => read(version)),
    pathOf: (version) => working(() => pathOf(version)),
    drop: (version) => working(() => drop(version)),
    hasRendition: (asset, key) => working(async () => renditionsOf(assetOf(asset)).has(key)),
    readRendition: (asset, key) => working(() => readRendition(asset, key)),
    addRendition: (asset, key, bytes) => working(() => addRendition(asset, key, bytes)),
    withdraw: (asset) => working(() => withdraw(asset)),
    names: () => Object.fromEntries(names),
    evict: (options) => working(() => evict(options)),
  };

  async function working<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await retryLockedFile(work);
    } catch (cause) {
      throw mediaAssetError('cache-unusable', { path: storeFolder(cacheDir) }, { cause });
    }
  }
}

/**
 * Writes a file, and creates its folder if it's missing. Another process may be clearing the cache and
 * delete the folder again.
 */
async function inFolderOf(path: string, write: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (attempt > 1) await mkdir(dirname(path), { recursive: true });
      return await write();
    } catch (thrown) {
      // Creating a folder that is being deleted fails with ENOTDIR.
      const isMissing = ['ENOENT', 'ENOTDIR'].includes(errorCode(thrown) ?? '');
      if (attempt === mostAttempts || !isMissing) throw thrown;
    }
  }
}
