import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { errorCode } from '../storage/error-code.ts';

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
