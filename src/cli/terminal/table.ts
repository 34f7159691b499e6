import { oneLine } from '../../errors/wording.ts';

export interface Column<Row> {
  readonly title: string;
  /** The text of a cell; `''` where nothing is known. */
  readonly value: (row: Row) => string;
  /** For numbers. */
  readonly right?: boolean;
  /** May be cut where the terminal is narrow. */
  readonly cut?: boolean;
}

/** A table whose widths are set, so that more rows can follow. */
export interface Table<Row> {
  readonly header: string;
  line(row: Row): string;
}

const gap = 2;
const narrowest = 8;

/**
 * A table as wide as its first rows need, and no wider than a terminal of `width` columns as far as
 * its columns may be cut. Columns without any text are left out.
 */
export function layTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number | undefined,
): Table<Row> {
  const shown = columns.filter(({ value }) => rows.some((row) => value(row) !== ''));
  const widths = shown.map(({ title, value }) =>
    Math.max(...[title, ...rows.map(value)].map((text) => displayWidth(oneLine(text)))),
  );
  narrow(shown, widths, width);
  const line = (textOf: (column: Column<Row>) => string) =>
    shown
      .map((column, index) => {
        const room = widths[index] ?? 0;
        const text = oneLine(textOf(column));
        // Without a terminal nothing is lost; later rows may then stand out of their column.
        const cell = width === undefined || !column.cut ? text : cutTo(text, room);
        const space = ' '.repeat(Math.max(0, room - displayWidth(cell)));
        return column.right ? `${space}${cell}` : `${cell}${space}`;
      })
      .join(' '.repeat(gap))
      .trimEnd();
  return { header: line(({ title }) => title), line: (row) => line(({ value }) => value(row)) };
}

/** Takes from the widest column that may be cut until all fit. */
function narrow(
  columns: readonly Pick<Column<never>, 'cut'>[],
  widths: number[],
  width: number | undefined,
): void {
  if (width === undefined) return;
  const all = () => widths.reduce((sum, one) => sum + one, 0) + gap * (widths.length - 1);
  while (all() > width) {
    const widest = columns.reduce(
      (found, { cut }, index) =>
        cut && (widths[index] ?? 0) > (widths[found] ?? narrowest) ? index : found,
      -1,
    );
    if (widest < 0) return;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** East Asian wide and full-width characters, and pictures: two columns each. */
const wide =
  /^(?:\p{Emoji_Presentation}|.\uFE0F|[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{1B000}-\u{1B2FF}\u{20000}-\u{3FFFD}])/u;
const invisible = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u;

/** Columns that a text takes in a terminal. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) columns += widthOf(segment);
  return columns;
}

/** A text in at most so many columns, with `…` where some of it is left out. */
export function cutTo(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  if (columns < 1) return '';
  let kept = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += widthOf(segment);
    if (used > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

function widthOf(grapheme: string): number {
  if (invisible.test(grapheme)) return 0;
  return wide.test(grapheme) ? 2 : 1;
}

/** A number of bytes as people read it: in units of 1000. */
export function byteText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
