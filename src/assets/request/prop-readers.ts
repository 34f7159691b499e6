import { type MediaAssetError, mediaAssetError } from '../../errors/errors.ts';

/** The most entries that a list from a template may have. */
const longestList = 50;

/** Readers of values from a template, which may be anything. All throw `prop-invalid`. */
export function propReaders(place: { readonly id: number; readonly page: string }) {
  const wrong = (name: string, value: unknown, expected: string): MediaAssetError =>
    mediaAssetError('prop-invalid', { ...place, name, value, expected });
  return {
    wrong,
    optional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
      return value === undefined ? undefined : read(value);
    },
    text(name: string, value: unknown, longest: number): string {
      if (typeof value !== 'string') throw wrong(name, value, 'a text');
      if (value.length > longest) throw wrong(name, value, `at most ${longest} characters`);
      return value;
    },
    oneOf<T extends string>(name: string, value: unknown, known: readonly T[]): T {
      const found = known.find((one) => one === value);
      if (found === undefined) throw wrong(name, value, `one of ${known.join(', ')}`);
      return found;
    },
    wholeNumber(
      name: string,
      value: unknown,
      { least = 1, most, unit = '' }: { least?: number; most: number; unit?: string },
    ): number {
      if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) {
        return value;
      }
      throw wrong(name, value, `a whole number${unit} from ${least} to ${most}`);
    },
    list<T>(name: string, value: unknown, read: (value: unknown) => T): T[] | undefined {
      if (value === undefined) return undefined;
      if (!Array.isArray(value) || value.length === 0 || value.length > longestList) {
        throw wrong(name, value, `a list of 1 to ${longestList} entries`);
      }
      // A list with holes is read as one of `undefined`.
      return Array.from(value, (entry: unknown) => read(entry));
    },
  };
}

/** Whether a value from a template is an asset id. */
export function isAssetId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}
