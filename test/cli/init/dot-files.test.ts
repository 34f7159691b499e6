import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ignoreFiles, setVariables } from '../../../src/cli/init/dot-files.ts';

describe('an .env file', () => {
  test.each([
    ['is started', '', 'A=1\n'],
    ['keeps its other lines and comments', '# ours\nB=2\n', '# ours\nB=2\nA=1\n'],
    ['has a changed value at its place', 'A=0 # old\nB=2\n', 'A=1\nB=2\n'],
    ['has the last of several values changed', 'A=0\nA=2\n', 'A=0\nA=1\n'],
    ['stays the same if it has the value', "export A='1'\n", "export A='1'\n"],
    ['keeps line ends of Windows', 'B=2\r\n', 'B=2\r\nA=1\r\n'],
    ['gets a missing line end', 'B=2', 'B=2\nA=1\n'],
  ])('%s', (_, before, after) => {
    expect(setVariables(before, { A: '1' })).toBe(after);
  });

  test('gives back any password that a line can hold', () => {
    const value = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter(
        (text) => !/[\r\n]/.test(text) && !["'", '"', '`'].every((one) => text.includes(one)),
      );
    fc.assert(
      fc.property(value, fc.constantFrom('', 'A=old\n', 'B="x"\nA=old\nC=#\n'), (text, before) => {
        const after = parseEnv(setVariables(before, { A: text }));
        expect(after).toEqual({ ...parseEnv(before), A: text });
      }),
      {
        examples: [
          ['a#b $c', ''],
          ['\\n', ''],
          [' ', ''],
          ["it's \\t", ''],
        ],
      },
    );
  });

  test('is left as it is if a value of several lines has the variable in it', () => {
    expect(() => setVariables('KEY="x\nA=0\n"\n', { A: '1' })).toThrow(/several lines/);
  });

  test.each(['a\nB=2', ` '"\`#`])('is an error for a value that it can’t hold: %j', (value) => {
    expect(() => setVariables('', { A: value })).toThrow(/^A has a line break or/);
  });
});

test.each([
  ['is started', '', '.env\n.media-asset/\n'],
  ['gets what is missing', 'dist/\n.env', 'dist/\n.env\n.media-asset/\n'],
  ['knows other spellings', '/.env\r\n.media-asset\r\n', '/.env\r\n.media-asset\r\n'],
  ['keeps line ends of Windows', 'dist/\r\n', 'dist/\r\n.env\r\n.media-asset/\r\n'],
])('a .gitignore %s', (_, before, after) => {
  expect(ignoreFiles(before, ['.env', '.media-asset/'])).toBe(after);
});
