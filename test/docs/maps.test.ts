import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A page for people who change the code, and where the paths in it begin. */
const maps: [page: string, ...from: string[]][] = [
  ['docs/background/architecture.md', '', 'src/'],
  ['test/support/README.md', '', 'test/support/'],
];

/** Code in backticks that names files or folders, perhaps with `*`. */
function pathsIn(text: string): string[] {
  const code = Array.from(text.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g), ([, one = '']) => one);
  return code.filter((one) => /^[\w.*-]+(?:\/[\w.*-]*)+$/.test(one));
}

async function isThere(path: string): Promise<boolean> {
  if (!path.includes('*')) return existsSync(`${root}${path}`);
  return (await fastGlob(path, { cwd: root })).length > 0;
}

test.each(maps)('%s names files that are there', async (page, ...from) => {
  const paths = pathsIn(await readFile(`${root}${page}`, 'utf8'));
  expect(paths.length).toBeGreaterThan(10);
  const missing: string[] = [];
  for (const path of paths) {
    const found = await Promise.all(from.map((start) => isThere(`${start}${path}`)));
    if (!found.includes(true)) missing.push(path);
  }
  expect(missing).toEqual([]);
});

test('a row of “Where to change things” names a file or a folder', async () => {
  const text = await readFile(`${root}docs/background/architecture.md`, 'utf8');
  const [, section = ''] = text.split(/^## Where to change things\n/m);
  const rows = section.split(/^## /m)[0]?.match(/^- .*/gm) ?? [];
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter((row) => pathsIn(row).length === 0)).toEqual([]);
});
