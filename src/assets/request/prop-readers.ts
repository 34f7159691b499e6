import { type MediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import type { AssetSubject, Subject } from '../../errors/place.ts';
import type { WrongValue } from '../../errors/service-errors.ts';

/** The most entries in a list from a template. */
const longestList = 50;

/** The most characters of a text from a template. */
const longestText = 10_000;

export interface Asking extends AssetSubject {
  /** @default `prop-invalid`, which names the page and the place */
  readonly toError?: ((wrong: WrongValue) => MediaAssetError) | undefined;
}

export function subjectOf(
  asked: { readonly page?: unknown } & Pick<Subject, 'place' | 'caller'>,
): Subject {
  const { page, place, caller } = asked;
  return { page: page === undefined ? undefined : String(page), place, caller };
}

/** Readers of values from a template, which can be anything. All throw the error of `asking`. */
export function propReaders(asking: Asking) {
  const wrong = (name: string, value: unknown, expected: string, known?: readonly string[]) =>
    asking.toError?.({ name, value, expected }) ??
    mediaAssetError('prop-invalid', { ...asking, name, value, expected, known });
  return {
    wrong,
    optional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
      return value === undefined ? undefined : read(value);
    },
    text(name: string, value: unknown, longest = longestText): string {
      if (typeof value !== 'string') throw wrong(name, value, 'a string');
      if (value.length > longest) throw wrong(name, value, `at most ${longest} characters`);
      return value;
    },
    oneOf<T extends string>(name: string, value: unknown, known: readonly T[]): T {
      const found = known.find((one) => one === value);
      if (found === undefined) throw wrong(name, value, `one of ${known.join(', ')}`, known);
      return found;
    },
    wholeNumber(
      name: string,
      value: unknown,
      { least = 1, most, unit = '' }: { least?: number; most: number; unit?: string },
    ): number {
      if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most)
        return value;
      throw wrong(name, value, `a whole number${unit} from ${least} to ${most}`);
    },
    list<T>(name: string, value: unknown, read: (value: unknown) => T): T[] | undefined {
      if (value === undefined) return undefined;
      if (!Array.isArray(value) || value.length === 0 || value.length > longestList) {
        throw wrong(name, value, `a list of 1 to ${longestList} entries`);
      }
      // Holes in a list count as `undefined`.
      return Array.from(value, (entry: unknown) => read(entry));
    },
  };
}

export type Readers = ReturnType<typeof propReaders>;

/** A length without a unit, or in percent, at the end of an entry. */
const unreadable = /(?:^|\s)[+-]?(?!0$)[\d.]+%?$/;

/** Reads the attribute `sizes`. Browsers silently replace an invalid one by `100vw`. */
export function readSizes(value: unknown, read: Readers): string {
  const sizes = readBalanced('sizes', value, read);
  const entries = withoutParentheses(sizes).split(',');
  if (sizes.trim() === '' || entries.some((entry) => unreadable.test(entry.trim()))) {
    const expected = 'lengths with a unit other than %, such as "(min-width: 40em) 50vw, 100vw"';
    throw read.wrong('sizes', value, expected);
  }
  return sizes;
}

export function readBalanced(name: string, value: unknown, read: Readers): string {
  const text = read.text(name, value);
  if (/[()]/.test(withoutParentheses(text))) throw read.wrong(name, value, 'balanced parentheses');
  return text;
}

/** Removes balanced parentheses and their content, innermost first. */
function withoutParentheses(text: string): string {
  const shorter = text.replace(/\([^()]*\)/g, '');
  return shorter === text ? text : withoutParentheses(shorter);
}
