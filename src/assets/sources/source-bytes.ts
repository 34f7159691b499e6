import { stat } from 'node:fs/promises';
import { decodedBytes, whileDecoding } from '../formats/decoding-memory.ts';
import { readStart } from '../formats/probe-image.ts';
import type { RenditionSource } from '../formats/rendition.ts';
import { sharp } from '../formats/sharp.ts';
import { sniffBytes } from '../formats/sniff-bytes.ts';
import type { CachedSource, Source } from '../formats/source.ts';
import { sourcePrefix } from '../store/asset-facts.ts';
import { ContentDamaged, streamContent } from '../store/asset-folder.ts';
import type { AssetStore } from '../store/asset-store.ts';
import type { Sources } from './sources.ts';

/** The store of sources, and what fetches missing ones again. */
export interface SourceAccess {
  readonly store: AssetStore;
  readonly sources: Sources;
}

/** The version that something was made from is gone. `cause` says why, if known. */
export class SourceLost extends Error {
  override readonly name = 'SourceLost';
}

/**
 * Passes the bytes of one version of a source to `work`, once there is memory to decode them. A newer
 * version doesn't replace the requested one: that throws `SourceLost`. `work` must not wait for other
 * sources.
 */
export async function withSourceBytes<T>(
  access: SourceAccess,
  version: RenditionSource,
  work: (bytes: Buffer) => Promise<T>,
): Promise<T> {
  const { store } = access;
  const { result } = await findOrFetch(access, version, find);
  return result;

  async function find(version: RenditionSource) {
    const path = await store.pathOf(version);
    if (!path) return undefined;
    // Reading the file reports damage.
    const memory = await decodingBytes(path).catch(() => 0);
    return whileDecoding(memory, async () => {
      const bytes = await store.read(version);
      return bytes && { result: await work(bytes) };
    });
  }
}

/** @param find returns `undefined` if the cache lacks this version */
async function findOrFetch<T>(
  { sources }: SourceAccess,
  { reference, hash }: RenditionSource,
  find: (version: RenditionSource) => Promise<T | undefined>,
): Promise<T> {
  const cached = await find(sources.deliveredAgain(reference, hash) ?? { reference, hash });
  if (cached !== undefined) return cached;
  // In a build, this can be the first request for the source. While a cache is being cleared, a
  // downloaded file can go again.
  for (const fetch of [sources.get, sources.download, sources.download]) {
    const present: CachedSource = await fetch(reference).catch((cause: unknown) => {
      throw new SourceLost("The source couldn't be fetched.", { cause });
    });
    const again = sources.deliveredAgain(reference, hash);
    if (present.hash !== hash && present.hash !== again?.hash) break;
    const found = await find(present);
    if (found !== undefined) return found;
  }
  throw new SourceLost('The source has changed.');
}

/** Makes something small from a source, or takes it from the cache by its name. */
export async function makeOnce(
  access: SourceAccess,
  source: Source,
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

async function decodingBytes(file: string): Promise<number> {
  const { size } = await stat(file);
  const { kind } = sniffBytes(await readStart(file));
  // Nothing else reaches a decoder.
  if (kind === undefined) return size;
  return size + decodedBytes(await sharp(file, { limitInputPixels: false }).metadata());
}

export function sourcePath(access: SourceAccess, version: RenditionSource): Promise<string> {
  return findOrFetch(access, version, access.store.pathOf);
}

/**
 * Passes the bytes of one version of a file to `write`, which leaves nothing behind if reading fails. If
 * the cached bytes are damaged, it calls `write` a second time with new ones.
 */
export async function writeSource(
  access: SourceAccess,
  version: RenditionSource,
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
