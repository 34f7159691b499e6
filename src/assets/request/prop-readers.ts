import { type MediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import type { AssetSubject } from '../../errors/place.ts';
import type { WrongValue } from '../../errors/service-errors.ts';

/** The most entries in a list from a template. */
const longestList = 50;

/** The most characters of a text from a template. */
const longestText = 10_000;

/**
 * Readers of values from a template, which can be anything.
 *
 * @param toError makes the error that they throw. @default `prop-invalid`
 */
export function propReaders(
  subject: AssetSubject,
  toError?: (wrong: WrongValue) => MediaAssetError,
) {
  const wrong = (name: string, value: unknown, expected: string, known?: readonly string[]) =>
    toError?.({ name, value, expected }) ??
    mediaAssetError('prop-invalid', { ...subject, name, value, expected, known });
  return {
    wrong,
    wrongCrop: (problem: string, value: unknown) =>
      mediaAssetError('crop-invalid', { ...subject, problem, value }),
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
    list<T>(name: string, value: unknown, read: (value: unknown) => T): T[] {
      if (!Array.isArray(value) || value.length === 0 || value.length > longestList) {
        throw wrong(name, value, `a list of 1 to ${longestList} entries`);
      }
      // Holes in a list count as `undefined`.
      return Array.from(value, (entry: unknown) => read(entry));
    },
  };
}

export type Readers = ReturnType<typeof propReaders>;

/** An entry that ends with a length without a unit, or in percent. */
const unreadable = /(?:^|[\s,])[+-]?(?!0\s*(?:,|$))[\d.]+%?\s*(?:,|$)/;

/** Reads the attribute `sizes`. Browsers silently replace an invalid one by `100vw`. */
export function readSizes(value: unknown, name: string, read: Readers): string {
  const sizes = read.text(name, value);
  // What is in parentheses is a condition or a calculation.
  const plain = sizes.replace(/\([^()]*\)/g, '');
  if (plain.trim() !== '' && !unreadable.test(plain)) return sizes;
  const expected = 'lengths with a unit other than %, such as "(min-width: 40em) 50vw, 100vw"';
  throw read.wrong(name, value, expected);
}
