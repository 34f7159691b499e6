import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readFacts } from '../../../src/assets/store/asset-facts.ts';
import { assetFolders } from '../../../src/assets/store/asset-folder.ts';

/** A cached file that differs from the hash in its name, or that only the facts know. */
interface BrokenFile {
  readonly file: string;
  readonly problem: 'damaged' | 'missing';
}

/** Compares all files of a cache with their hashes. `whole` is the number of those that match. */
export function inspectCache(cacheDir: string): { whole: number; broken: BrokenFile[] } {
  const broken: BrokenFile[] = [];
  let whole = 0;
  for (const { path } of assetFolders(cacheDir)) {
    const names = readdirSync(path).filter((name) => name !== 'facts.json');
    for (const name of names) {
      const digest = createHash('sha256')
        .update(readFileSync(join(path, name)))
        .digest('hex');
      if (digest.startsWith(name.split('.').at(-1) ?? '')) whole += 1;
      else broken.push({ file: join(basename(path), name), problem: 'damaged' });
    }
    for (const { hash } of Object.values(readFacts(path)?.sources ?? {})) {
      if (!names.includes(hash))
        broken.push({ file: join(basename(path), hash), problem: 'missing' });
    }
  }
  return { whole, broken };
}
