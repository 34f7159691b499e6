import stringWidth from 'string-width';
import { sizeText } from '../../assets/files/file-label.ts';
import { oneLine } from '../../errors/wording.ts';
import type { Terminal } from './terminal.ts';

export interface Column<Row> {
  readonly title: string;
  /** A cell's text; `''` if unknown. */
  readonly value: (row: Row) => string;
  /** Right-aligned, for numbers. */
  readonly right?: boolean;
}

/** A table as lines, with a dim header. Empty columns are left out. */
export function tableLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { paint }: Pick<Terminal, 'paint'>,
): string[] {
  const shown = columns.filter(({ value }) => rows.some((row) => value(row) !== ''));
  const widths = shown.map(({ title, value }) =>
    rows.reduce((widest, row) => Math.max(widest, widthOf(value(row))), widthOf(title)),
  );
  const line = (textOf: (column: Column<Row>) => string) =>
    shown
      .map((column, index) => {
        const cell = oneLine(textOf(column));
        const space = ' '.repeat((widths[index] ?? 0) - stringWidth(cell));
        return column.right ? `${space}${cell}` : `${cell}${space}`;
      })
      .join('  ')
      .trimEnd();
  return [
    paint.dim(line(({ title }) => title)),
    ...rows.map((row) => line(({ value }) => value(row))),
  ];
}

function widthOf(text: string): number {
  return stringWidth(oneLine(text));
}

/** Bytes in units of 1000, in English. */
export const byteText = (bytes: number): string => sizeText(bytes, 'en');
