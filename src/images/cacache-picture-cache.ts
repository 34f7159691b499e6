import { statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import cacache from 'cacache';
import { z } from 'zod';
import { mediaAssetError } from '../errors.ts';
import { retryLockedFile } from '../storage/retry-locked-file.ts';
import { type FileFacts, readFileMetadata, writeFileMetadata } from './file-metadata.ts';
import { isGone, outliveClear } from './outlive-clear.ts';
import { createPurge } from './purge-contents.ts';
import { algorithms, hashOf, integrityOf, putFile } from './put-file.ts';
import { readEntry } from './read-entry.ts';
import { removeLeftovers, temporaryFolder } from './remove-leftovers.ts';
import {
  type CachedSource,
  type FileReference,
  type FileSource,
  isOutdatedCrop,
  isSourceKeyOf,
  type PictureReference,
  pictureKinds,
  type Source,
  type SourceReference,
  sourceKey,
} from './source.ts';
import { ContentDamaged, contentPath, readContent, readContentNow } from './stream-content.ts';
import type { WrittenFile } from './write-body.ts';

/** What is known of a picture file before it is in the cache. */
export type PictureFacts = Pick<
  Source,
  | 'kind'
  | 'width'
  | 'height'
  | 'turned'
  | 'animated'
  | 'transparent'
  | 'etag'
  | 'lastModified'
  | 'fetchedAt'
>;

/** Sources and renditions on disk, by content: the same bytes are there once. */
export interface PictureCache {
  /** The newest version of a source; `undefined` where none is whole. */
  find(reference: SourceReference): Promise<CachedSource | undefined>;
  /** Takes a copy of a picture file in, in place of an earlier version. */
  add(reference: PictureReference, file: WrittenFile, facts: PictureFacts): Promise<Source>;
  /** The same for a file that is published as it is. */
  addFile(reference: FileReference, file: WrittenFile, facts: FileFacts): Promise<FileSource>;
  /** The bytes of a source by their hash; `undefined` where they are gone or damaged. */
  read(hash: string): Promise<Buffer | undefined>;
  /** The path of a source's bytes, which may be damaged; `undefined` where they are gone. */
  pathOf(hash: string): Promise<string | undefined>;
  /** Deletes bytes that have turned out to be damaged. */
  dropContent(hash: string): Promise<void>;
  /** Whether a rendition has been made; its bytes may be gone or damaged. */
  hasRendition(key: string): Promise<boolean>;
  /** By the rendition's key. */
  readRendition(key: string): Promise<Buffer | undefined>;
  addRendition(key: string, bytes: Uint8Array): Promise<void>;
  /** Deletes all that was made of these assets of a service: index and bytes, all versions. */
  purge(service: string, id: number): Promise<void>;
  /**
   * Deletes the bytes of versions that were replaced, unless something else has the same bytes; and
   * what killed processes have left.
   *
   * @param now milliseconds since the epoch
   */
  sweep(now: number): Promise<void>;
  /**
   * Deletes entries that were written before a time, with their bytes.
   *
   * @param before milliseconds since the epoch
   */
  evict(options: { before: number; isKept: (key: string) => boolean }): Promise<void>;
  /** A new file for a download under way. */
  temporaryFile(id: number): Promise<string>;
}

const formatVersion = 3;

const metadataSchema = z.object({
  version: z.literal(formatVersion),
  kind: z.enum(pictureKinds),
  width: z.int().min(1),
  height: z.int().min(1),
  turned: z.boolean(),
  animated: z.boolean(),
  transparent: z.boolean(),
  etag: z.string().optional(),
  lastModified: z.string().optional(),
  fetchedAt: z.number(),
});

/**
 * A picture cache in a folder of its own (made by cacache).
 *
 * @throws (every method) `cache-unusable`
 */
export function createPictureCache(folder: string): PictureCache {
  const purge = createPurge(folder);
  /** Of renditions, by their keys. */
  const integrities = new Map<string, string>();
  const downloads = temporaryFolder(folder);
  /** Originals in a new version: crops of the earlier ones are of no use. */
  const replaced = new Map<string, CachedSource>();

  async function find(reference: SourceReference): Promise<CachedSource | undefined> {
    const entry = readEntry(folder, sourceKey(reference));
    if (!entry) return undefined;
    const { integrity, size } = entry;
    if (reference.kind === 'file') {
      const facts = readFileMetadata(entry.metadata);
      if (!facts || !(await isWhole(integrity, size))) return undefined;
      return { ...facts, reference, hash: hashOf(integrity), size: size ?? 0 };
    }
    const metadata = metadataSchema.safeParse(entry.metadata);
    if (!metadata.success || !(await isWhole(integrity, size))) return undefined;
    const { version: _, etag, lastModified, ...facts } = metadata.data;
    return {
      ...facts,
      reference,
      hash: hashOf(integrity),
      size: size ?? 0,
      etag,
      lastModified,
    };
  }

  /** A file that lost its end in a crash would shadow every later download of the same bytes. */
  async function isWhole(integrity: string, size: number | undefined) {
    const content = statSync(contentPath(folder, hashOf(integrity)), { throwIfNoEntry: false });
    if (content && content.size === size) return true;
    if (content) await cacache.rm.content(folder, integrity);
    return false;
  }

  async function read(
    hash: string,
    readBytes: (path: string, hash: string) => Buffer | Promise<Buffer> = readContent,
  ): Promise<Buffer | undefined> {
    try {
      return await readBytes(contentPath(folder, hash), hash);
    } catch (thrown) {
      if (!isGone(thrown) && !(thrown instanceof ContentDamaged)) throw thrown;
      await cacache.rm.content(folder, integrityOf(hash));
      return undefined;
    }
  }

  async function addSource(
    reference: SourceReference,
    file: WrittenFile,
    metadata: object,
  ): Promise<CachedSource> {
    const key = sourceKey(reference);
    const earlier = readEntry(folder, key);
    let source: CachedSource | undefined;
    // It may just have been cleared, or its bytes purged with another asset that has the same.
    for (let time = 0; !source && time < 5; time += 1) {
      await putFile({ folder, key, file, metadata });
      source = await find(reference);
    }
    if (!source) throw new Error('The file is gone after it was written.');
    if (earlier && hashOf(earlier.integrity) !== source.hash) {
      purge.replaced(key);
      replaced.set(`${reference.service}|${reference.id}`, source);
    }
    return source;
  }

  async function add(reference: PictureReference, file: WrittenFile, facts: PictureFacts) {
    const source = await addSource(reference, file, { version: formatVersion, ...facts });
    if (source.kind === 'file') throw new Error('A picture was read back as a file.');
    return source;
  }

  async function addFile(reference: FileReference, file: WrittenFile, facts: FileFacts) {
    const source = await addSource(reference, file, writeFileMetadata(facts));
    if (source.kind !== 'file') throw new Error('A file was read back as a picture.');
    return source;
  }

  async function pathOf(hash: string): Promise<string | undefined> {
    const there = await cacache.get.hasContent(folder, integrityOf(hash));
    return there ? contentPath(folder, hash) : undefined;
  }

  /** From the index, or from what has been read of it: each key is a file there. */
  function integrityOfRendition(key: string): string | undefined {
    const known = integrities.get(key);
    if (known !== undefined) return known;
    const entry = readEntry(folder, renditionKeyInCache(key));
    if (entry) integrities.set(key, entry.integrity);
    return entry?.integrity;
  }

  async function readRendition(key: string): Promise<Buffer | undefined> {
    const integrity = integrityOfRendition(key);
    const bytes =
      integrity === undefined ? undefined : await read(hashOf(integrity), readContentNow);
    if (!bytes) integrities.delete(key);
    return bytes;
  }

  async function addRendition(key: string, bytes: Uint8Array): Promise<void> {
    const metadata = { version: formatVersion };
    const integrity = await outliveClear(() =>
      cacache.put(folder, renditionKeyInCache(key), bytes, { algorithms, metadata }),
    );
    integrities.set(key, String(integrity));
  }

  async function purgeAsset(service: string, id: number): Promise<void> {
    integrities.clear();
    await purge.erase(
      (key) => isSourceKeyOf(key, service, id) || key.startsWith(renditionKeyInCache(`${id}-`)),
    );
  }

  async function sweep(now: number): Promise<void> {
    await purge.sweep();
    if (replaced.size > 0) {
      const current = [...replaced.values()];
      replaced.clear();
      await purge.erase((key) => current.some((original) => isOutdatedCrop(key, original)));
    }
    await removeLeftovers(downloads, { now });
  }

  async function evict({
    before,
    isKept,
  }: {
    before: number;
    isKept: (key: string) => boolean;
  }): Promise<void> {
    const entries = Object.values(await cacache.ls(folder));
    const unused = entries.filter(({ key, time }) => time < before && !isKept(key));
    if (unused.length === 0) return;
    integrities.clear();
    const keys = new Set(unused.map(({ key }) => key));
    await purge.erase((key) => keys.has(key));
  }

  async function temporaryFile(id: number): Promise<string> {
    const file = join(downloads, `${id}-${crypto.randomUUID()}`);
    await outliveClear(async () => {
      await mkdir(downloads, { recursive: true });
      await writeFile(file, '', { flag: 'wx' });
    });
    return file;
  }

  return {
    find: (reference) => working(() => find(reference)),
    add: (reference, file, facts) => working(() => add(reference, file, facts)),
    addFile: (reference, file, facts) => working(() => addFile(reference, file, facts)),
    read: (hash) => working(() => read(hash)),
    pathOf: (hash) => working(() => pathOf(hash)),
    dropContent: (hash) =>
      working(() => cacache.rm.content(folder, integrityOf(hash)).then(() => undefined)),
    hasRendition: (key) => working(async () => integrityOfRendition(key) !== undefined),
    readRendition: (key) => working(() => readRendition(key)),
    addRendition: (key, bytes) => working(() => addRendition(key, bytes)),
    purge: (service, id) => working(() => purgeAsset(service, id)),
    evict: (options) => working(() => evict(options)),
    sweep: (now) => working(() => sweep(now)),
    temporaryFile: (id) => working(() => temporaryFile(id)),
  };

  async function working<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await retryLockedFile(work);
    } catch (thrown) {
      throw mediaAssetError('cache-unusable', { path: folder }, { cause: thrown });
    }
  }
}

function renditionKeyInCache(key: string): string {
  return `rendition|${key}`;
}
