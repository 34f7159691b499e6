import { win32 } from 'node:path';
import { expect, test } from 'vitest';
import { isSource } from '../../../src/authoring/source/is-source.ts';

test.each([
  ['C:\\site', 'C:\\site\\src\\a.md', true],
  ['C:\\site', 'D:\\src\\a.md', false],
  ['C:\\site', '\\\\server\\share\\a.md', false],
  ['C:\\site', 'C:\\other\\a.md', false],
  ['C:\\site', 'C:\\site\\.git\\a.md', false],
  ['C:\\site', 'C:\\site\\NODE_MODULES\\a.md', false],
])('in %s, %s is a source on Windows: %j', (folder, file, expected) => {
  expect(isSource(folder, file, win32)).toBe(expected);
});
