import type { BenchResult, ResultRow } from './run-bench.ts';

const headings = ['figure', 'median', 'least–most', 'compared with', 'ratio', 'goal', ''];

/** The result of one subject as a Markdown table that's also readable as plain text. */
export function resultsTable({ rows }: BenchResult): string {
  const others = rows.some(({ before }) => before) ? ['before', 'ratio before'] : [];
  const cells = [
    [...headings, ...others],
    ...rows.map((row) => [...toCells(row), ...beforeCells(row)]),
  ];
  const widths = [...headings, ...others].map((_, column) =>
    Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  const [head, ...body] = cells.map(line);
  return [head, rule, ...body].join('\n');
}

function toCells({ figure, unit, median, least, most, comparison }: ResultRow): string[] {
  const start = [figure, `${short(median)} ${unit}`, `${short(least)}–${short(most)}`];
  if (!comparison) return [...start, '', '', '', ''];
  const { peer, ratio, goal } = comparison;
  return [
    ...start,
    `${peer}: ${short(comparison.median)} ${unit}`,
    short(ratio),
    goal === undefined ? '' : `≤ ${Number(goal.toFixed(3))}`,
    goal === undefined ? '' : verdict(median, comparison),
  ];
}

function beforeCells({ unit, before }: ResultRow): string[] {
  if (!before) return [];
  const { median, ratio } = before;
  return [`${short(median)} ${unit}`, ratio === undefined ? '' : short(ratio)];
}

/** The difference of two times is below 0 if both are too small to tell apart. */
function verdict(median: number, peer: { median: number; ratio: number; goal?: number }): string {
  if (median < 0 || peer.median < 0) return 'too small';
  return peer.ratio <= (peer.goal ?? 0) ? 'reached' : 'missed';
}

/** At least three digits, without false precision. */
function short(value: number): string {
  if (Number.isNaN(value)) return 'unknown';
  const digits = value === 0 || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(digits);
}
