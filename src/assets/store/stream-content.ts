import { createHash } from 'node:crypto';
import { open, writeFile } from 'node:fs/promises';
import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { errorCode } from '../../storage/error-code.ts';

/** Bytes of the cache are gone, or not those that were written. */
export class ContentDamaged extends Error {
  override readonly name = 'ContentDamaged';
}

/**
 * The bytes of a file piece by piece, compared with their hash.
 *
 * @param hash SHA-256 in hexadecimal, or the start of it
 * @throws `ContentDamaged` if there are none, or after the last piece if they're others; what the file
 * system throws
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

/**
 * Writes the body of a download into a file piece by piece.
 *
 * @returns the SHA-256 in hexadecimal, and the size in bytes
 * @throws what reading the body throws; `cache-unusable`
 */
export async function writeContent(
  path: string,
  body: AsyncIterable<Uint8Array>,
): Promise<{ hash: string; size: number }> {
  const digest = createHash('sha256');
  let size = 0;
  async function* counted() {
    for await (const piece of body) {
      digest.update(piece);
      size += piece.byteLength;
      yield piece;
    }
  }
  try {
    await writeFile(path, counted());
  } catch (thrown) {
    if (isMediaAssetError(thrown)) throw thrown;
    throw mediaAssetError('cache-unusable', { path }, { cause: thrown });
  }
  return { hash: digest.digest('hex'), size };
}
