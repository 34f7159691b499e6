import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { isMediaAssetError, mediaAssetError } from '../errors.ts';

/** A file that a body was written into. */
export interface WrittenFile {
  readonly path: string;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly hash: string;
  /** In bytes. */
  readonly size: number;
}

/**
 * Writes the body of a download into its file.
 *
 * @throws what reading the body throws; `cache-unusable`
 */
export async function writeBody(
  path: string,
  body: AsyncIterable<Uint8Array>,
): Promise<WrittenFile> {
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
  return { path, hash: digest.digest('hex'), size };
}
