import type { propReaders } from './prop-readers.ts';

type Readers = ReturnType<typeof propReaders>;

/** The end of an entry that has no unit, or one that `sizes` does not know. */
const unreadable = /(?:^|\s)[+-]?(?!0$)[\d.]+%?$/;

/**
 * Reads the attribute `sizes`. Browsers take one that they cannot read for `100vw`, and say nothing.
 *
 * @param longest in characters
 * @throws `prop-invalid`
 */
export function readSizes(
  value: unknown,
  { read, longest }: { read: Readers; longest: number },
): string {
  const sizes = readBalanced('sizes', value, { read, longest });
  const entries = withoutParentheses(sizes).split(',');
  if (sizes.trim() === '' || entries.some((entry) => unreadable.test(entry.trim()))) {
    const expected = 'lengths with a unit and without %, as in "(min-width: 40em) 50vw, 100vw"';
    throw read.wrong('sizes', value, expected);
  }
  return sizes;
}

/** Reads a text of CSS that has as many `)` as `(`. @throws `prop-invalid` */
export function readBalanced(
  name: string,
  value: unknown,
  { read, longest }: { read: Readers; longest: number },
): string {
  const text = read.text(name, value, longest);
  if (/[()]/.test(withoutParentheses(text))) {
    throw read.wrong(name, value, 'a `)` for each `(`, and none besides');
  }
  return text;
}

/** What stands in pairs of parentheses goes, from within. */
function withoutParentheses(text: string): string {
  const shorter = text.replace(/\([^()]*\)/g, '');
  return shorter === text ? text : withoutParentheses(shorter);
}
