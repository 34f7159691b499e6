import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { isMediaAssetError } from '../errors/errors.ts';

/**
 * Writes a download to a file. Returns the SHA-256 in hexadecimal, and the size in bytes.
 *
 * @throws what `unwritable` makes of a failure of the file
 */
export async function writeContent(
  path: string,
  body: AsyncIterable<Uint8Array>,
  unwritable: (cause: unknown) => Error,
): Promise<{ hash: string; size: number }> {
  const digest = createHash('sha256');
  let size = 0;
  async function* counted() {
    for await (const block of blocksOf(body)) {
      digest.update(block);
      size += block.byteLength;
      yield block;
    }
  }
  try {
    await writeFile(path, counted());
  } catch (thrown) {
    if (isMediaAssetError(thrown)) throw thrown;
    throw unwritable(thrown);
  }
  return { hash: digest.digest('hex'), size };
}

/** In bytes. */
const blockSize = 1024 ** 2;

/** Joins small pieces: each write costs the main thread as much as hashing 100 kB. */
async function* blocksOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const block = Buffer.allocUnsafe(blockSize);
  let filled = 0;
  for await (const piece of body) {
    if (filled + piece.byteLength > blockSize) {
      yield block.subarray(0, filled);
      filled = 0;
    }
    if (piece.byteLength > blockSize) {
      yield piece;
      continue;
    }
    block.set(piece, filled);
    filled += piece.byteLength;
  }
  yield block.subarray(0, filled);
}
