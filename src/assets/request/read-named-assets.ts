import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type NamedInSource, namedInSource } from './named-in-source.ts';

const sourceFile = /\.(astro|mdx?|[cm]?[jt]sx?|svelte|vue)$/;

/** Files above this size, in bytes, are no sources that people write. */
const largestFile = 1024 ** 2;

/** Assets that a site's source files name, so that a first build can fetch them early. */
export async function readNamedAssets(folder: string): Promise<NamedInSource[]> {
  // Whatever cannot be read here is read, and complained about, by Astro itself.
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const found: NamedInSource[] = [];
  for (const name of names) {
    if (!sourceFile.test(name)) continue;
    found.push(...namedInSource(await readSmall(join(folder, name)).catch(() => '')));
  }
  return found;
}

async function readSmall(path: string): Promise<string> {
  const { size } = await stat(path);
  return size > largestFile ? '' : readFile(path, 'utf8');
}
