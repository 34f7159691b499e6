import { copyFile, link, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import cacache from 'cacache';
import { moveFile, removeFile } from '../storage/retry-locked-file.ts';
import { isGone, outliveClear } from './outlive-clear.ts';
import { temporaryFolder } from './remove-leftovers.ts';
import { contentPath } from './stream-content.ts';
import type { WrittenFile } from './write-body.ts';

/** Those that cacache names contents by. */
export const algorithms: [string] = ['sha256'];

interface Entry {
  readonly folder: string;
  readonly key: string;
  readonly file: WrittenFile;
  readonly metadata: unknown;
}

/**
 * Takes a file that nobody writes to any more into a cacache folder, and leaves it where it is. The
 * bytes do not pass through this process again.
 */
export async function putFile(entry: Entry): Promise<void> {
  await outliveClear(() => put(entry));
}

async function put({ folder, key, file, metadata }: Entry): Promise<void> {
  const { hash, size } = file;
  const content = contentPath(folder, hash);
  if (!(await isThere(content, size))) await placeWhole(file.path, content, folder);
  await cacache.index.insert(folder, key, integrityOf(hash), { size, metadata });
}

async function placeWhole(from: string, to: string, folder: string): Promise<void> {
  const temporary = join(temporaryFolder(folder), crypto.randomUUID());
  await mkdir(temporaryFolder(folder), { recursive: true });
  await mkdir(dirname(to), { recursive: true });
  try {
    // Not every file system has links.
    await link(from, temporary).catch(() => copyFile(from, temporary));
    await moveFile(temporary, to);
  } finally {
    await removeFile(temporary);
  }
}

async function isThere(path: string, size: number): Promise<boolean> {
  try {
    return (await stat(path)).size === size;
  } catch (thrown) {
    if (isGone(thrown)) return false;
    throw thrown;
  }
}

/** SHA-256 in hexadecimal, of an integrity as cacache writes it. */
export function hashOf(integrity: string): string {
  return Buffer.from(integrity.slice('sha256-'.length), 'base64').toString('hex');
}

/** The other way round. */
export function integrityOf(hash: string): string {
  return `sha256-${Buffer.from(hash, 'hex').toString('base64')}`;
}
