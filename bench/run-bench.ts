import type { Bench, Comparison, Figure, Size } from './bench.ts';

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
}

/** Measures one subject in several rounds. */
export async function runBench(
  { name, about, figures, open }: Bench,
  { rounds, size }: { rounds: number; size: Size },
): Promise<BenchResult> {
  const bench = await open(size);
  const values = new Map<string, number[]>(figures.map((figure) => [figure.name, []]));
  try {
    for (let round = 0; round < rounds; round += 1) {
      const measured = await bench.round();
      for (const [figure, list] of values) list.push(measuredValue(measured, figure));
    }
  } finally {
    await bench.close();
  }
  return { name, about, rows: resultRows(figures, values) };
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
