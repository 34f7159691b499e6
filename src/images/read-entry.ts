import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type cacache from 'cacache';
import { isGone } from './outlive-clear.ts';

/** An entry of cacache's index. */
export type CacheEntry = Pick<cacache.CacheObject, 'integrity' | 'size' | 'metadata'>;

/**
 * What `cacache.get.info` gives, read at once: a build looks for each source and each rendition,
 * and each is spared four ways through the thread pool.
 *
 * An entry lies in the file of its key's hash, in a line with its own hash; the last one counts.
 *
 * @throws what the file system throws
 */
export function readEntry(folder: string, key: string): CacheEntry | undefined {
  const hashed = hash('sha256', key);
  const bucket = [hashed.slice(0, 2), hashed.slice(2, 4), hashed.slice(4)];
  const lines = linesOf(join(folder, 'index-v5', ...bucket));
  for (const line of lines.reverse()) {
    const [sum, text] = line.split('\t');
    if (!text || hash('sha1', text) !== sum) continue;
    const entry = JSON.parse(text) as CacheEntry & { key: string };
    // Without an integrity, it says that the entry was deleted.
    if (entry.key === key) return entry.integrity ? entry : undefined;
  }
  return undefined;
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch (thrown) {
    if (isGone(thrown)) return [];
    throw thrown;
  }
}

function hash(algorithm: 'sha1' | 'sha256', text: string): string {
  return createHash(algorithm).update(text).digest('hex');
}
