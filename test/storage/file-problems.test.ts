import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ignoreMissing, outputProblem, writeProblem } from '../../src/storage/file-problems.ts';
import { temporaryFolder } from '../support/process/temporary-folder.ts';

const failure = (code: string) => Object.assign(new Error(`${code}: no`), { code });

test.each<[unknown, string]>([
  [failure('ENOENT'), "its folder doesn't exist"],
  [failure('ENOSPC'), 'the disk is full'],
  [failure('EIO'), 'EIO: no'],
  [new Error('no code'), 'no code'],
  ['no error', 'no error'],
])('why a file could not be written: %o', (thrown, problem) => {
  expect(writeProblem(thrown)).toBe(problem);
});

test('a result can go to a new file, or replace one, and nothing else', async () => {
  const folder = await temporaryFolder('output');
  await mkdir(join(folder, 'folder'));
  await writeFile(join(folder, 'file'), '');
  const names = ['new', 'file', 'folder', 'missing/new', 'file/new'];
  const problems = await Promise.all(names.map((name) => outputProblem(join(folder, name))));
  expect(problems).toEqual([
    ...[undefined, undefined, "it's a folder"],
    ...["its folder doesn't exist", "its folder doesn't exist"],
  ]);
});

test('only a missing file is ignored', () => {
  expect(ignoreMissing(failure('ENOENT'))).toBeUndefined();
  expect(() => ignoreMissing(failure('EACCES'))).toThrow('EACCES');
});
