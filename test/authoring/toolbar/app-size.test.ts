import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const entry = fileURLToPath(
  new URL('../../../dist/authoring/toolbar/app/entry.js', import.meta.url),
);

const loadedAtOnce = /\b(?:from|import)\s*['"](\.[^'"]+)['"]/g;
const loadedEver = /\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g;

test.each([
  ['52 kB', loadedEver, 52_000, 10_000],
  ['1 kB until the app is opened', loadedAtOnce, 1000, 100],
])('the script of the toolbar has at most %s', async (_, imports, most, least) => {
  const files = new Set([entry]);
  // In bytes, as a server sends them: each file compressed by itself.
  let size = 0;
  for (const file of files) {
    const code = await readFile(file, 'utf8');
    for (const [, name = ''] of code.matchAll(imports)) files.add(resolve(dirname(file), name));
    size += gzipSync(code).length;
  }
  expect(size).toBeLessThanOrEqual(most);
  expect(size).toBeGreaterThan(least);
});
