import { oneLine } from '../../errors/wording.ts';
import type { Terminal } from './terminal.ts';

export interface Column<Row> {
  readonly title: string;
  /** A cell's text; `''` if unknown. */
  readonly value: (row: Row) => string;
  /** Right-aligned, for numbers. */
  readonly right?: boolean;
  /** Can be shortened on a narrow terminal. */
  readonly cut?: boolean;
}

/** A table with fixed widths, so that more rows can follow. */
export interface Table<Row> {
  readonly header: string;
  line(row: Row): string;
}

const gap = 2;
const minWidth = 8;

/**
 * Makes a table as wide as its first rows, but shortens columns to fit a terminal of `width`
 * columns. Leaves out empty columns.
 */
export function createTable<Row>(
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
        // Without a terminal, text isn't cut, so later rows may be wider than their column.
        const cell = width === undefined || !column.cut ? text : cutTo(text, room);
        const space = ' '.repeat(Math.max(0, room - displayWidth(cell)));
        return column.right ? `${space}${cell}` : `${cell}${space}`;
      })
      .join(' '.repeat(gap))
      .trimEnd();
  return { header: line(({ title }) => title), line: (row) => line(({ value }) => value(row)) };
}

/** A whole table as lines, with a dim header. */
export function tableLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { paint, width }: Pick<Terminal, 'paint' | 'width'>,
): string[] {
  const { header, line } = createTable(columns, rows, width);
  return [paint.dim(header), ...rows.map(line)];
}

/** Shrinks the widest column that can be cut until all fit. */
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
        cut && (widths[index] ?? 0) > (widths[found] ?? minWidth) ? index : found,
      -1,
    );
    if (widest < 0) return;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** East Asian wide and full-width characters, and emoji: two columns each. */
const wide =
  /^(?:\p{Emoji_Presentation}|.\uFE0F|[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{1B000}-\u{1B2FF}\u{20000}-\u{3FFFD}])/u;
const invisible = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u;

/** Number of terminal columns that a text takes. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) columns += widthOf(segment);
  return columns;
}

/** Shortens a text to a number of columns, with `…` at the end. */
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

/** Formats bytes in units of 1000. */
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
