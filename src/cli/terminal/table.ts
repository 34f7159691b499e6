import stringWidth from 'string-width';
import { sizeText } from '../../assets/formats/file-label.ts';
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
    Math.max(...[title, ...rows.map(value)].map((text) => stringWidth(oneLine(text)))),
  );
  narrow(shown, widths, width);
  const line = (textOf: (column: Column<Row>) => string) =>
    shown
      .map((column, index) => {
        const room = widths[index] ?? 0;
        const text = oneLine(textOf(column));
        // Without a terminal, text isn't cut, so later rows may be wider than their column.
        const cell = width === undefined || !column.cut ? text : cutTo(text, room);
        const space = ' '.repeat(Math.max(0, room - stringWidth(cell)));
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

/** Shortens a text to a number of columns, with `…` at the end. */
export function cutTo(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  if (columns < 1) return '';
  let kept = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += stringWidth(segment);
    if (used > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Bytes in units of 1000, in English. */
export const byteText = (bytes: number): string => sizeText(bytes, 'en');
