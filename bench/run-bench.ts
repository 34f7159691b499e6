import type { Bench, Comparison, Figure, OpenBench, Size } from './bench.ts';

/** The measurements of one subject. */
export interface BenchResult {
  readonly name: string;
  readonly about: string;
  readonly rows: readonly ResultRow[];
}

/** A figure and its comparison: medians over the rounds. */
export interface ResultRow {
  readonly figure: string;
  readonly unit: Figure['unit'];
  readonly median: number;
  readonly least: number;
  readonly most: number;
  /** Missing for a figure that's only shown. */
  readonly comparison:
    | (Comparison & { readonly median: number; readonly ratio: number })
    | undefined;
  /** What the other build took, next to its own peer. Missing without another build. */
  readonly before?: { readonly median: number; readonly ratio: number | undefined };
}

/**
 * Measures one subject in several rounds.
 *
 * @param run.before the folder of another build of the package, which is measured in each round too
 */
export async function runBench(
  bench: Bench,
  run: { rounds: number; size: Size; before?: string | undefined },
): Promise<BenchResult> {
  const { name, about, figures } = bench;
  const open: Measured[] = [];
  try {
    for (const folder of run.before === undefined ? [undefined] : [undefined, run.before]) {
      const values = new Map<string, number[]>(figures.map((figure) => [figure.name, []]));
      open.push({ folder, values, bench: await withPackage(folder, () => bench.open(run.size)) });
    }
    for (let round = 0; round < run.rounds; round += 1) {
      for (const side of open) {
        const measured = await withPackage(side.folder, () => side.bench.round());
        for (const [figure, list] of side.values) {
          // Another build may lack what a figure needs.
          const other = side.folder === undefined ? undefined : (measured[figure] ?? Number.NaN);
          list.push(other ?? measuredValue(measured, figure));
        }
      }
    }
  } finally {
    for (const side of open) await side.bench.close();
  }
  const [rows = [], earlier] = open.map(({ values }) => resultRows(figures, values));
  return { name, about, rows: rows.map((row, at) => withBefore(row, earlier?.[at])) };
}

/** One build of the package in a subject, and its values by figure. */
interface Measured {
  readonly folder: string | undefined;
  readonly bench: OpenBench;
  readonly values: ReadonlyMap<string, number[]>;
}

/** Sites that are made while `work` runs use the build in a folder. */
async function withPackage<T>(folder: string | undefined, work: () => Promise<T>): Promise<T> {
  if (folder !== undefined) process.env.BENCH_PACKAGE = folder;
  try {
    return await work();
  } finally {
    delete process.env.BENCH_PACKAGE;
  }
}

function withBefore(row: ResultRow, earlier: ResultRow | undefined): ResultRow {
  if (!earlier) return row;
  return { ...row, before: { median: earlier.median, ratio: earlier.comparison?.ratio } };
}

/** Figures with their peers. A peer or a limit without comparisons has no row. */
export function resultRows(
  figures: readonly Figure[],
  values: ReadonlyMap<string, readonly number[]>,
): ResultRow[] {
  const valuesOf = (name: string): readonly number[] => values.get(name) ?? [];
  const peers = new Set(figures.flatMap(({ against = [] }) => against.map(({ peer }) => peer)));
  return figures
    .filter(({ name, against }) => against || !peers.has(name))
    .flatMap(({ name, unit, against = [undefined] }) => {
      const all = valuesOf(name);
      const row = { figure: name, unit, median: median(all) };
      return against.map((one) => ({
        ...row,
        least: Math.min(...all),
        most: Math.max(...all),
        comparison: one && compared(row.median, one, median(valuesOf(one.peer))),
      }));
    });
}

function compared(value: number, comparison: Comparison, peer: number) {
  return { ...comparison, median: peer, ratio: value / peer };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

function measuredValue(measured: Readonly<Record<string, number>>, figure: string): number {
  const value = measured[figure];
  if (value === undefined || !Number.isFinite(value)) {
    throw new Error(`The round has no figure “${figure}”.`);
  }
  return value;
}
