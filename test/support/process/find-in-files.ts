import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastGlob from 'fast-glob';

/** The files in a folder whose path or content matches, with dot files and binary files. Links are not followed. */
export async function findInFiles(folder: string, what: string | RegExp): Promise<string[]> {
  const files = await fastGlob('**', { cwd: folder, dot: true, followSymbolicLinks: false });
  const matches = (text: string) =>
    typeof what === 'string' ? text.includes(what) : what.test(text);
  const held = await Promise.all(
    files.map(
      async (file) => matches(file) || matches(await readFile(join(folder, file), 'latin1')),
    ),
  );
  return files.filter((_, index) => held[index]).sort();
}
