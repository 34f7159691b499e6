import { createHash, type Hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isGone } from './outlive-clear.ts';

/** Bytes of the cache are not those that were written, or gone. */
export class ContentDamaged extends Error {
  override readonly name = 'ContentDamaged';
}

/**
 * Where cacache keeps a content.
 *
 * @param hash SHA-256, in hexadecimal
 */
export function contentPath(folder: string, hash: string): string {
  const sharded = [hash.slice(0, 2), hash.slice(2, 4), hash.slice(4)];
  return join(folder, 'content-v2', 'sha256', ...sharded);
}

/**
 * The bytes of a content that fits into memory.
 *
 * @throws `ContentDamaged`; what the file system throws
 */
export async function readContent(path: string, hash: string): Promise<Buffer> {
  const bytes = await readFile(path);
  assertHash(createHash('sha256').update(bytes), { path, hash });
  return bytes;
}

/**
 * The bytes of a content piece by piece: cacache's own stream reads 64 MB at once.
 *
 * @throws `ContentDamaged` where there are none, or behind the last piece where they are others; what
 * the file system throws
 */
export async function* streamContent(path: string, hash: string): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256');
  const handle = await open(path).catch((cause: unknown) => {
    throw isGone(cause) ? new ContentDamaged(`${path} is gone.`, { cause }) : cause;
  });
  for await (const piece of handle.createReadStream({ highWaterMark: 256 * 1024 })) {
    digest.update(piece);
    yield piece;
  }
  assertHash(digest, { path, hash });
}

/**
 * The bytes of a small content, read at once: without the ways through the thread pool.
 *
 * @throws as `readContent` does
 */
export function readContentNow(path: string, hash: string): Buffer {
  const bytes = readFileSync(path);
  assertHash(createHash('sha256').update(bytes), { path, hash });
  return bytes;
}

function assertHash(digest: Hash, { path, hash }: { path: string; hash: string }): void {
  if (digest.digest('hex') !== hash) throw new ContentDamaged(`${path} is damaged.`);
}
