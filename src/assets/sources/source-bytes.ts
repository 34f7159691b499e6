import { stat } from 'node:fs/promises';
import sharp from 'sharp';
import type { ImagesContext } from '../assets-context.ts';
import { decodedBytes, whileDecoding } from '../formats/decoding-memory.ts';
import { readStart } from '../formats/probe-picture.ts';
import type { RenditionSource } from '../formats/rendition.ts';
import { sniffBytes } from '../formats/sniff-bytes.ts';
import type { CachedSource } from '../formats/source.ts';

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
  { cache, sources }: Pick<ImagesContext, 'cache' | 'sources'>,
  version: RenditionSource,
  work: (bytes: Buffer) => Promise<T>,
): Promise<T> {
  const { reference, hash } = version;
  async function fromCache(): Promise<{ result: T } | undefined> {
    const path = await cache.pathOf(version);
    if (!path) return undefined;
    // Reading tells whether it is damaged.
    const memory = await decodingBytes(path).catch(() => 0);
    return whileDecoding(memory, async () => {
      const bytes = await cache.read(version);
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

/** The memory that a file and its pixels take, in bytes. */
async function decodingBytes(file: string): Promise<number> {
  const { size } = await stat(file);
  const { kind } = sniffBytes(await readStart(file));
  // Nothing else gets to a decoder.
  if (kind === undefined) return size;
  return size + decodedBytes(await sharp(file, { limitInputPixels: false }).metadata());
}
