import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replaceFile } from '../../src/storage/replace-file.ts';

test('a file that is replaced several times at once has one of the texts, and nothing is left', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'replace-'));
  const path = join(folder, 'state.json');
  const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(10_000));
  await Promise.all(texts.map((text) => replaceFile(path, text, 'anybody')));
  expect(texts).toContain(await readFile(path, 'utf8'));
  expect(await readdir(folder)).toEqual(['state.json']);
});
