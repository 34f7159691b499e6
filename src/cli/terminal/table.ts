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

const gap = 2;
const minWidth = 8;

/**
 * A table as lines, with a dim header. On a narrow terminal, columns are shortened. Empty columns are
 * left out.
 */
export function tableLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { paint, width }: Pick<Terminal, 'paint' | 'width'>,
): string[] {
  const shown = columns.filter(({ value }) => rows.some((row) => value(row) !== ''));
  const widths = shown.map(({ title, value }) =>
    rows.reduce((widest, row) => Math.max(widest, widthOf(value(row))), widthOf(title)),
  );
  narrow(shown, widths, width);
  const line = (textOf: (column: Column<Row>) => string) =>
    shown
      .map((column, index) => {
        const room = widths[index] ?? 0;
        const cell = cutTo(oneLine(textOf(column)), room);
        const space = ' '.repeat(room - stringWidth(cell));
        return column.right ? `${space}${cell}` : `${cell}${space}`;
      })
      .join(' '.repeat(gap))
      .trimEnd();
  return [
    paint.dim(line(({ title }) => title)),
    ...rows.map((row) => line(({ value }) => value(row))),
  ];
}

function widthOf(text: string): number {
  return stringWidth(oneLine(text));
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
