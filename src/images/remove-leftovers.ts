import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFile } from '../storage/retry-locked-file.ts';
import { isGone } from './outlive-clear.ts';

/** Files that killed processes have left, and their bytes. */
export interface Leftovers {
  readonly files: number;
  readonly size: number;
}

/** A process may still be writing what is younger, in ms. */
const leftoverAge = 60 * 60 * 1000;

/** Where downloads and contents lie in a cache folder until they are whole. */
export function temporaryFolder(folder: string): string {
  return join(folder, 'tmp');
}

/**
 * Deletes the files below a folder that were last written an hour ago or more, except those that
 * are still wanted.
 *
 * @param now milliseconds since the epoch
 */
export async function removeLeftovers(
  folder: string,
  { now, isWanted = () => false }: { now: number; isWanted?: (path: string) => boolean },
): Promise<Leftovers> {
  const leftovers = { files: 0, size: 0 };
  for (const path of await filesBelow(folder)) {
    if (isWanted(path)) continue;
    const found = await orUndefined(stat(path));
    if (!found || now - found.mtimeMs < leftoverAge) continue;
    await removeFile(path);
    leftovers.files += 1;
    leftovers.size += found.size;
  }
  return leftovers;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await orUndefined(readdir(folder, { recursive: true, withFileTypes: true }));
  return (entries ?? [])
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

async function orUndefined<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((thrown: unknown) => {
    if (isGone(thrown)) return undefined;
    throw thrown;
  });
}
