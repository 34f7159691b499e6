import { stat } from 'node:fs/promises';
import sharp from 'sharp';
import { decodedBytes, whileDecoding } from '../formats/decoding-memory.ts';
import { readStart } from '../formats/probe-picture.ts';
import type { RenditionSource } from '../formats/rendition.ts';
import { sniffBytes } from '../formats/sniff-bytes.ts';
import type { CachedSource, FileReference } from '../formats/source.ts';
import { sourcePrefix } from '../store/asset-folder.ts';
import type { AssetStore } from '../store/asset-store.ts';
import { ContentDamaged, streamContent } from '../store/stream-content.ts';
import type { Sources } from './sources.ts';

/** Where the bytes of sources lie, and what fetches them again. */
export interface SourceAccess {
  readonly store: AssetStore;
  readonly sources: Pick<Sources, 'get' | 'download'>;
}

/** The version that something was made from can no longer be had. `cause` says why, if known. */
export class SourceLost extends Error {
  override readonly name = 'SourceLost';
}

/**
 * Hands on the bytes of one version of a source, once there is memory to decode them. By hash: a
 * newer version doesn't hide the one that is asked for. The work must not wait for other sources.
 *
 * @throws `SourceLost`, `cache-unusable`, and what `work` throws
 */
export async function withSourceBytes<T>(
  { store, sources }: SourceAccess,
  version: RenditionSource,
  work: (bytes: Buffer) => Promise<T>,
): Promise<T> {
  const { reference, hash } = version;
  async function fromCache(): Promise<{ result: T } | undefined> {
    const path = await store.pathOf(version);
    if (!path) return undefined;
    // Reading tells whether it is damaged.
    const memory = await decodingBytes(path).catch(() => 0);
    return whileDecoding(memory, async () => {
      const bytes = await store.read(version);
      return bytes && { result: await work(bytes) };
    });
  }

  const cached = await fromCache();
  if (cached) return cached.result;
  // In a build this may be the first time that the source is asked for.
  for (const fetch of [sources.get, sources.download]) {
    const found: CachedSource = await fetch(reference).catch((cause: unknown) => {
      throw new SourceLost('The source cannot be fetched.', { cause });
    });
    const done = found.hash === hash ? await fromCache() : undefined;
    if (done) return done.result;
    if (found.hash !== hash) break;
  }
  throw new SourceLost('The source has changed.');
}

/**
 * Something small that is made of a source, from the cache once it's there.
 *
 * @param name tells it from all else that is made of the source
 * @throws as `withSourceBytes`
 */
export async function makeOnce(
  access: SourceAccess,
  source: RenditionSource,
  { name, make }: { name: string; make: (bytes: Buffer) => Promise<Buffer> },
): Promise<Buffer> {
  const { reference } = source;
  const key = `${sourcePrefix(source)}-${name}`;
  const cached = await access.store.readRendition(reference, key);
  if (cached) return cached;
  return withSourceBytes(access, source, async (bytes) => {
    const made = await make(bytes);
    await access.store.addRendition(reference, key, made);
    return made;
  });
}

/** The memory that a file and its pixels take, in bytes. */
async function decodingBytes(file: string): Promise<number> {
  const { size } = await stat(file);
  const { kind } = sniffBytes(await readStart(file));
  // Nothing else gets to a decoder.
  if (kind === undefined) return size;
  return size + decodedBytes(await sharp(file, { limitInputPixels: false }).metadata());
}

interface FileVersion {
  readonly reference: FileReference;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly hash: string;
}

/**
 * Where one version of a file lies in the cache; it is downloaded again where it is gone.
 *
 * @throws `SourceLost`, `cache-unusable`
 */
export async function sourcePath(
  { store, sources }: SourceAccess,
  version: FileVersion,
): Promise<string> {
  const { reference, hash } = version;
  const cached = await store.pathOf(version);
  if (cached) return cached;
  try {
    // In a build this may be the first time that the file is asked for.
    const { hash: found } = await sources.get(reference);
    if (found === hash && !(await store.pathOf(version))) await sources.download(reference);
  } catch (cause) {
    throw new SourceLost('The file cannot be fetched.', { cause });
  }
  const path = await store.pathOf(version);
  if (!path) throw new SourceLost('The file has changed.');
  return path;
}

/**
 * Hands the bytes of one version of a file on, piece by piece. Where the cached ones turn out to be
 * damaged, that is done again with new ones.
 *
 * @param write leaves nothing behind when reading fails
 * @throws `SourceLost`, `cache-unusable`, and what `write` throws
 */
export async function writeSource(
  access: SourceAccess,
  version: FileVersion,
  write: (content: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const once = async () => write(streamContent(await sourcePath(access, version), version.hash));
  try {
    await once();
  } catch (thrown) {
    if (!(thrown instanceof ContentDamaged)) throw thrown;
    await access.store.drop(version);
    await once();
  }
}
