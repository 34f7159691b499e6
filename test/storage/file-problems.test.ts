import { expect, test } from 'vitest';
import { ignoreMissing, writeProblem } from '../../src/storage/file-problems.ts';

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

test('only a missing file is ignored', () => {
  expect(ignoreMissing(failure('ENOENT'))).toBeUndefined();
  expect(() => ignoreMissing(failure('EACCES'))).toThrow('EACCES');
});
