import { stat } from 'node:fs/promises';
import sharp from 'sharp';
import { decodedBytes, whileDecoding } from '../formats/decoding-memory.ts';
import { readStart } from '../formats/probe-image.ts';
import type { RenditionSource } from '../formats/rendition.ts';
import { sniffBytes } from '../formats/sniff-bytes.ts';
import type { CachedSource, FileReference } from '../formats/source.ts';
import { sourcePrefix } from '../store/asset-facts.ts';
import type { AssetStore } from '../store/asset-store.ts';
import { ContentDamaged, streamContent } from '../store/stream-content.ts';
import type { Sources } from './sources.ts';

/** The store of sources, and what fetches missing ones again. */
export interface SourceAccess {
  readonly store: AssetStore;
  readonly sources: Pick<Sources, 'get' | 'download'>;
}

/** The version that something was made from is gone. `cause` says why, if known. */
export class SourceLost extends Error {
  override readonly name = 'SourceLost';
}

/**
 * Passes the bytes of one version of a source to `work`, once there is memory to decode them. A newer
 * version doesn't replace the requested one, which is found by its hash. `work` must not wait for
 * other sources.
 *
 * @throws `SourceLost`, `cache-unusable`, and errors of `work`
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
    // Reading the file reports damage.
    const memory = await decodingBytes(path).catch(() => 0);
    return whileDecoding(memory, async () => {
      const bytes = await store.read(version);
      return bytes && { result: await work(bytes) };
    });
  }

  const cached = await fromCache();
  if (cached) return cached.result;
  // In a build, this can be the first request for the source. While a cache is being cleared, a
  // downloaded file can go again.
  for (const fetch of [sources.get, sources.download, sources.download]) {
    const found: CachedSource = await fetch(reference).catch((cause: unknown) => {
      throw new SourceLost("The source couldn't be fetched.", { cause });
    });
    const done = found.hash === hash ? await fromCache() : undefined;
    if (done) return done.result;
    if (found.hash !== hash) break;
  }
  throw new SourceLost('The source has changed.');
}

/**
 * Makes something small from a source, or takes it from the cache.
 *
 * @param name unique among everything that is made from the source
 * @throws as `withSourceBytes`
 */
export async function makeOnce(
  access: SourceAccess,
  source: RenditionSource,
  { name, make }: { name: string; make: (bytes: Buffer) => Promise<Buffer> },
): Promise<Buffer> {
  const { id } = source.reference;
  const key = `${sourcePrefix(source)}-${name}`;
  const cached = await access.store.readRendition(id, key);
  if (cached) return cached;
  return withSourceBytes(access, source, async (bytes) => {
    const made = await make(bytes);
    await access.store.addRendition(id, key, made);
    return made;
  });
}

/** The memory that a file and its pixels need, in bytes. */
async function decodingBytes(file: string): Promise<number> {
  const { size } = await stat(file);
  const { kind } = sniffBytes(await readStart(file));
  // Nothing else reaches a decoder.
  if (kind === undefined) return size;
  return size + decodedBytes(await sharp(file, { limitInputPixels: false }).metadata());
}

interface FileVersion {
  readonly reference: FileReference;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly hash: string;
}

/**
 * Finds one version of a file in the cache, or downloads it again.
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
    // In a build, this can be the first request for the file.
    const { hash: found } = await sources.get(reference);
    if (found === hash && !(await store.pathOf(version))) await sources.download(reference);
  } catch (cause) {
    throw new SourceLost("The file couldn't be fetched.", { cause });
  }
  const path = await store.pathOf(version);
  if (!path) throw new SourceLost('The file has changed.');
  return path;
}

/**
 * Passes the bytes of one version of a file to `write`, in pieces. If the cached bytes are damaged, it
 * calls `write` a second time with new ones.
 *
 * @param write leaves nothing behind if reading fails
 * @throws `SourceLost`, `cache-unusable`, and errors of `write`
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
