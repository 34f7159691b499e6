import { readFileSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { sha256 } from '../../storage/digest.ts';
import { ignoreMissing } from '../../storage/file-problems.ts';
import { moveFile, removeFile, retryLockedFile } from '../../storage/retry-locked-file.ts';
import { writeContent } from '../../storage/write-content.ts';
import { assetName } from '../files/file-label.ts';
import type { RenditionSource } from '../formats/rendition.ts';
import { pixelVersion } from '../formats/rendition-url.ts';
import type { CachedSource, FileFacts, ImageFacts, SourceReference } from '../formats/source.ts';
import * as assetFacts from './asset-facts.ts';
import * as folders from './asset-folder.ts';

export type AssetStore = ReturnType<typeof openAssetStore>;

type WithoutUse<T> = T extends unknown ? Omit<T, 'lastUsed'> : never;

/** Of the SHA-256 of a rendition: enough to tell whether its published file is still the same. */
const keptDigits = 8;

/** 30 days, in milliseconds. */
const longestUnused = 30 * 24 * 60 * 60 * 1000;

interface KnownAsset {
  readonly path: string;
  readonly file: assetFacts.FactsFile;
  /** File names by key. Read from the folder once. */
  renditions: Map<string, string> | undefined;
}

/**
 * Opens the cache of one service, a folder for each asset. Several processes can use it at the same
 * time.
 *
 * @param place.mode a build reads the facts of an asset once; a dev session sees what other processes write
 */
export function openAssetStore(place: {
  cacheDir: string;
  service: string;
  mode: 'build' | 'dev';
  clock: () => number;
  /** Whether a source counts as cached only with its bytes. Without them, they're fetched when needed. */
  needsBytes?: boolean;
}) {
  const { cacheDir, service, mode, clock, needsBytes = true } = place;
  const ownFolder = folders.serviceFolder(cacheDir, service);
  const temporary = folders.temporaryFolder(cacheDir);
  const assets = new Map<number, KnownAsset>();

  function assetOf(id: number): KnownAsset {
    const known = assets.get(id);
    if (mode === 'dev') known?.file.refresh();
    if (known) return known;
    const path = join(ownFolder, String(id));
    const file = assetFacts.openFactsFile(path, temporary);
    const asset = { path, file, renditions: undefined };
    assets.set(id, asset);
    return asset;
  }

  /** The newest version; `undefined` if there is none, or its bytes are needed and incomplete. */
  async function find(reference: SourceReference): Promise<CachedSource | undefined> {
    const { path, file } = assetOf(reference.id);
    const source = file.facts().sources[assetFacts.sourceName(reference)];
    if (!source) return undefined;
    const bytes = join(path, source.hash);
    const size = folders.sizeAndTime(bytes)?.size;
    if (size === source.size) return source;
    // After a crash, a truncated file would be mistaken for the next download of the same bytes.
    if (size !== undefined) await removeFile(bytes);
    return needsBytes ? undefined : source;
  }

  /**
   * Stores a download as the newest version of its source.
   *
   * @param readFacts gets the path of the complete file, and its hash. Throws if the file must not be stored
   */
  async function receive(
    reference: SourceReference,
    body: AsyncIterable<Uint8Array>,
    readFacts: (path: string, hash: string) => Promise<ImageFacts | FileFacts>,
  ): Promise<CachedSource> {
    const file = join(temporary, `${reference.id}-${crypto.randomUUID()}`);
    try {
      await attempt(() =>
        assetFacts.inFolders([temporary], () => writeFile(file, '', { flag: 'wx' })),
      );
      const { hash, size } = await writeContent(file, body, unusable);
      const facts = await readFacts(file, hash);
      const source = { ...facts, reference, hash, size } as CachedSource;
      await attempt(() => add(source, file));
      return source;
    } finally {
      // If this fails, a later build removes the file.
      await removeFile(file).catch(() => undefined);
    }
  }

  async function add(source: CachedSource, file: string): Promise<void> {
    const asset = assetOf(source.reference.id);
    const bytes = join(asset.path, source.hash);
    if (folders.sizeAndTime(bytes)?.size !== source.size) {
      await assetFacts.inFolders([asset.path], () => moveFile(file, bytes));
    }
    const newest = { [assetFacts.sourceName(source.reference)]: source };
    await asset.file.change((facts) => ({ ...facts, sources: { ...facts.sources, ...newest } }));
  }

  /** `undefined` if the bytes are gone or damaged. */
  async function read({ reference, hash }: RenditionSource): Promise<Buffer | undefined> {
    const file = join(assetOf(reference.id).path, hash);
    const bytes = await readFile(file).catch(ignoreMissing);
    if (bytes && sha256(bytes) === hash) return bytes;
    await drop({ reference, hash });
    return undefined;
  }

  /** The path of the bytes, which can be damaged; `undefined` if they're gone. */
  async function pathOf({ reference, hash }: RenditionSource): Promise<string | undefined> {
    const path = join(assetOf(reference.id).path, hash);
    return folders.sizeAndTime(path) && path;
  }

  async function drop({ reference, hash }: RenditionSource): Promise<void> {
    await removeFile(join(assetOf(reference.id).path, hash));
  }

  function renditionsOf(asset: KnownAsset): Map<string, string> {
    asset.renditions ??= new Map(
      folders.readAssetFolder(asset.path).renditions.map(({ key, name }) => [key, name]),
    );
    return asset.renditions;
  }

  /** `undefined` if the bytes are gone or damaged. */
  async function readRendition(id: number, key: string): Promise<Buffer | undefined> {
    const asset = assetOf(id);
    const name = renditionsOf(asset).get(key);
    if (name === undefined) return undefined;
    const path = join(asset.path, name);
    // Reading a small file is faster than waiting for the thread pool.
    const bytes = folders.unlessGone(() => readFileSync(path));
    if (bytes && folders.storedName(key, bytes) === name) return bytes;
    renditionsOf(asset).delete(key);
    await removeFile(path);
    return undefined;
  }

  async function addRendition(id: number, key: string, bytes: Uint8Array): Promise<void> {
    const asset = assetOf(id);
    const name = folders.storedName(key, bytes);
    const file = join(temporary, crypto.randomUUID());
    try {
      await assetFacts.inFolders([temporary, asset.path], async () => {
        // Writing synchronously is faster than a turn in the thread pool.
        writeFileSync(file, bytes);
        await moveFile(file, join(asset.path, name));
      });
    } catch (thrown) {
      await removeFile(file).catch(() => undefined);
      throw thrown;
    }
    const earlier = renditionsOf(asset).get(key);
    if (earlier !== undefined && earlier !== name) await removeFile(join(asset.path, earlier));
    renditionsOf(asset).set(key, name);
  }

  /** What a build without this cache needs to name and to take everything that pages have shown since a time. */
  async function keep(since: number): Promise<assetFacts.KeptFacts> {
    const kept: assetFacts.KeptFacts = {};
    for (const id of usedSince(since).keys()) {
      const asset = assetOf(id);
      const { issued, version: _, ...facts } = assetFacts.pruneFacts(asset.file.facts(), since);
      const prefixes = assetFacts.prefixesFor(Object.values(issued));
      const made: Record<string, string> = {};
      const renditions: Record<string, string> = {};
      for (const [key, name] of renditionsOf(asset)) {
        const hash = name.slice(key.length + 1);
        if (Object.hasOwn(issued, key)) renditions[key] = hash.slice(0, keptDigits);
        const { made: kind, source = '' } = folders.readKey(key);
        if (kind === 'preview' || !prefixes.has(source)) continue;
        const bytes = await readRendition(id, key);
        if (bytes) made[key] = bytes.toString('base64');
      }
      kept[id] = { ...facts, made, pixels: pixelVersion, renditions };
    }
    return kept;
  }

  function usedSince(time: number): Map<number, assetFacts.Issued[]> {
    const used = Array.from(assets, ([id, { file }]) => {
      const issued = Object.values(file.facts().issued);
      return [id, issued.filter(({ lastUsed }) => lastUsed >= time)] as const;
    });
    return new Map(used.filter(([, entries]) => entries.length > 0));
  }

  /** Takes over what `keep` returned, but not for assets that are known here. */
  async function recall(kept: assetFacts.KeptFacts): Promise<void> {
    for (const [name, { made, renditions: _, pixels: __, ...facts }] of Object.entries(kept)) {
      const id = Number(name);
      assetOf(id).file.recall(facts);
      for (const [key, bytes] of Object.entries(made))
        await addRendition(id, key, Buffer.from(bytes, 'base64'));
    }
  }

  /** Also deletes files that killed processes have left. */
  async function evict(now: number): Promise<void> {
    await folders.removeLeftovers(cacheDir, now);
    const known = new Map(Array.from(assets.values(), ({ path, file }) => [path, file]));
    for (const { path } of folders.assetFolders(cacheDir)) {
      const file = known.get(path) ?? assetFacts.openFactsFile(path, temporary);
      await folders.pruneFolder(path, file, now - longestUnused);
    }
    for (const asset of assets.values()) asset.renditions = undefined;
  }

  return {
    facts(id: number): Readonly<assetFacts.AssetFacts> {
      try {
        return assetOf(id).file.facts();
      } catch (cause) {
        throw unusable(cause);
      }
    },
    /** The assets that this run has asked about. */
    known: () => [...assets.keys()],
    /** Adds facts of an asset. `save` writes them. */
    note: (id: number, facts: Partial<Omit<assetFacts.AssetFacts, 'sources'>>): void =>
      assetOf(id).file.note(facts),
    /** Adds something that pages may name, by rendition key or the service's own URL. It's in use now. */
    issue(key: string, entry: WithoutUse<assetFacts.Issued>): void {
      const { id } = entry.source.reference;
      assetOf(id).file.note({ issued: { [key]: { ...entry, lastUsed: clock() } } });
    },
    /** What is in use since a time, by asset. */
    usedSince,
    find: working(find),
    receive,
    read: working(read),
    pathOf: working(pathOf),
    drop: working(drop),
    /** Whether a rendition has been made. Its bytes can be gone or damaged. */
    hasRendition: (id: number, key: string) => renditionsOf(assetOf(id)).has(key),
    readRendition: working(readRendition),
    addRendition: working(addRendition),
    withdraw: working(async (id: number) => {
      assets.delete(id);
      await folders.removeFolder(join(ownFolder, String(id)));
    }),
    /** The names in the service of the assets that were asked for, by ID. */
    names(): Record<string, string> {
      const named = Array.from(assets, ([id, { file: facts }]) => {
        const { record, sources } = facts.facts();
        const title = sources.original?.title ?? sources.file?.title;
        return [id, assetName({ name: record?.fields?.name }) ?? title] as const;
      });
      return Object.fromEntries(named.filter(([, name]) => name)) as Record<string, string>;
    },
    keep: working(keep),
    recall: working(recall),
    /** Writes the facts that have changed. */
    save: working(async () => {
      for (const { file } of assets.values()) await file.save();
    }),
    evict: working(evict),
  };

  function unusable(cause: unknown): Error {
    if (isMediaAssetError(cause)) return cause;
    return mediaAssetError('cache-unusable', { path: folders.storeFolder(cacheDir) }, { cause });
  }

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    return retryLockedFile(work).catch((cause: unknown) => {
      throw unusable(cause);
    });
  }

  function working<Args extends unknown[], T>(work: (...args: Args) => Promise<T>) {
    return (...args: Args) => attempt(() => work(...args));
  }
}
