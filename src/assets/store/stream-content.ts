import { createHash } from 'node:crypto';
import { open, writeFile } from 'node:fs/promises';
import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { errorCode } from '../../storage/file-problems.ts';

/** Cached bytes are gone or have changed. */
export class ContentDamaged extends Error {
  override readonly name = 'ContentDamaged';
}

/**
 * Reads the bytes of a file in pieces, and compares them with their hash.
 *
 * @param hash SHA-256 in hexadecimal, or the start of it
 * @throws `ContentDamaged` if the file is gone, or after the last piece if the bytes don't match; errors
 * of the file system
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
 * Writes the body of a download to a file in pieces.
 *
 * @returns the SHA-256 in hexadecimal, and the size in bytes
 * @throws errors of the body; `cache-unusable`
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
