import { Help } from 'commander';
import textWidth from 'string-width';
import { countOf, oneLine } from '../../errors/wording.ts';
import type { Terminal } from './terminal.ts';

/** How texts are printed. */
export type TextStyle = Pick<Terminal, 'paint' | 'width'>;

export interface Column<Row> {
  readonly title: string;
  /** A cell's text; `''` if unknown. */
  readonly value: (row: Row) => string;
  /** Right-aligned, for numbers. */
  readonly right?: boolean;
}

/** A text for each row, below a dim header. Empty columns are left out, wide ones wrap. */
export function tableRows<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { paint, width = Number.POSITIVE_INFINITY }: TextStyle,
): string[] {
  const shown = columns.filter(({ value }) => rows.some((row) => value(row) !== ''));
  const cells = [
    shown.map(({ title }) => title),
    ...rows.map((row) => shown.map(({ value }) => oneLine(value(row)))),
  ];
  const widest = (partsOf: (cell: string) => readonly string[]) =>
    shown.map((_, at) =>
      cells.reduce(
        (most, row) => Math.max(most, ...partsOf(row[at] ?? '').map((part) => textWidth(part))),
        0,
      ),
    );
  const widths = widest((cell) => [cell]);
  // A word stays whole, because it can be a path or a URL to open.
  const least = widest((cell) => cell.split(' '));
  const excess = () => widths.reduce((sum, one) => sum + one + 2, -2) - width;
  while (excess() > 0) {
    const slack = widths.map((one, at) => (one > (least[at] ?? 0) ? one : 0));
    const at = slack.indexOf(Math.max(...slack));
    if (slack[at] === 0) break;
    widths[at] = (widths[at] ?? 0) - 1;
  }
  const [header = '', ...others] = cells.map((row) => {
    const wrapped = row.map((cell, at) => wrapping.boxWrap(cell, widths[at] ?? 0).split('\n'));
    const height = Math.max(0, ...wrapped.map(({ length }) => length));
    const lines = Array.from({ length: height }, (_, line) => {
      const parts = wrapped.map((parts, at) => {
        const part = parts[line] ?? '';
        const space = ' '.repeat(Math.max(0, (widths[at] ?? 0) - textWidth(part)));
        return shown[at]?.right ? space + part : part + space;
      });
      return parts.join('  ').trimEnd();
    });
    return lines.join('\n');
  });
  return [paint.dim(header), ...others];
}

/** Commander wraps its help at words too. */
const wrapping = Object.assign(new Help(), { minWidthToWrap: 0, displayWidth: textWidth });

/** A table with the number of its rows, or `empty` without any. */
export function listText<Row>(
  list: { columns: readonly Column<Row>[]; rows: readonly Row[]; noun: string; empty: string },
  style: TextStyle,
): string {
  const { columns, rows, noun, empty } = list;
  if (rows.length === 0) return empty;
  return [...tableRows(columns, rows, style), `${countOf(rows.length, noun)}.`].join('\n');
}
