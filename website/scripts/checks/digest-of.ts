import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastGlob from 'fast-glob';

/** A digest of the names and bytes of all files below a folder. */
export async function digestOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const path of (await fastGlob('**', { cwd: folder, dot: true })).sort()) {
    hash.update(`${path}\n`).update(await readFile(join(folder, path)));
  }
  return hash.digest('hex');
}
