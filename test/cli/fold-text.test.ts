import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldText } from '../../src/cli/fold-text.ts';

describe('a text for a terminal', () => {
  test.each([
    ['stays as it is without one', 'one two three', undefined, undefined, 'one two three'],
    ['is broken between words', 'one two three', 9, undefined, 'one two\nthree'],
    ['keeps its indent', '  one two', 7, undefined, '  one\n  two'],
    ['takes another indent', 'one two', 5, '    ', 'one\n    two'],
    [
      'keeps a long word whole',
      'see https://a.example/ now',
      8,
      '',
      'see\nhttps://a.example/\nnow',
    ],
    ['keeps its lines', 'one\ntwo', 20, undefined, 'one\ntwo'],
    ['counts no colours', '\u001b[31mone\u001b[39m two', 7, '', '\u001b[31mone\u001b[39m two'],
    ['counts wide characters as two', '港 の 夜', 5, '', '港 の\n夜'],
  ])('%s', (_, text, width, indent, expected) => {
    const options = indent === undefined ? { width } : { width, indent };
    expect(foldText(text, options)).toBe(expected);
  });

  test('loses no word, and is as wide as the terminal at most', () => {
    const words = fc.array(fc.stringMatching(/^[a-z.]{1,12}$/), { minLength: 1 });
    fc.assert(
      fc.property(words, fc.integer({ min: 12, max: 80 }), (given, width) => {
        const lines = foldText(given.join(' '), { width, indent: '' }).split('\n');
        expect(lines.join(' ')).toBe(given.join(' '));
        for (const line of lines) {
          expect(stripVTControlCharacters(line).length).toBeLessThanOrEqual(width);
        }
      }),
    );
  });
});
