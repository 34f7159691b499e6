import { expect, test } from 'vitest';
import type { Figure } from '../../bench/bench.ts';
import { resultsTable } from '../../bench/results-table.ts';
import { median, resultRows, runBench } from '../../bench/run-bench.ts';

test.each([
  [[3], 3],
  [[9, 1, 5], 5],
  [[4, 100, 1, 2], 3],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected);
});

const figures: readonly Figure[] = [
  { name: 'scan', unit: 'ms', against: [{ peer: 'rehype', goal: 0.04 }, { peer: 'reading' }] },
  { name: 'write', unit: 'ms', against: [{ peer: 'limit', goal: 1 }] },
  { name: 'rehype', unit: 'ms' },
  { name: 'reading', unit: 'ms' },
  { name: 'limit', unit: 'ms' },
  { name: 'sent', unit: 'requests' },
];
const values = new Map([
  ['scan', [210, 190, 200]],
  ['rehype', [9000, 8000, 10_000]],
  ['reading', [100, 100, 100]],
  ['write', [1200, 1100, 1500]],
  ['limit', [1000, 1000, 1000]],
  ['sent', [0, 0, 0]],
]);

test('a result is shown next to each of its peers, with the ratio of the medians and whether the goal is reached', () => {
  const table = resultsTable({ name: '', about: '', rows: resultRows(figures, values) });
  expect(table.replace(/ +/g, ' ').split('\n').slice(2)).toEqual([
    '| scan | 200 ms | 190–210 | rehype: 9000 ms | 0.02 | ≤ 0.04 | reached |',
    '| scan | 200 ms | 190–210 | reading: 100 ms | 2.00 | | |',
    '| write | 1200 ms | 1100–1500 | limit: 1000 ms | 1.20 | ≤ 1 | missed |',
    '| sent | 0 requests | 0–0 | | | | |',
  ]);
});

test.each([
  [-20, 100],
  [20, -100],
  [-20, -100],
])('times below 0 are too small to compare: %d and %d', (scan, rehype) => {
  const values = new Map([
    ['scan', [scan]],
    ['rehype', [rehype]],
  ]);
  const rows = resultRows(
    [
      { name: 'scan', unit: 'ms', against: [{ peer: 'rehype', goal: 1 }] },
      { name: 'rehype', unit: 'ms' },
    ],
    values,
  );
  expect(resultsTable({ name: '', about: '', rows })).toMatch(/≤ 1 +\| too small \|$/);
});

test('another build is measured in each round too, and shown next to its own peer', async () => {
  const order: string[] = [];
  const bench = {
    name: 'a',
    about: '',
    figures: [
      { name: 'build', unit: 'ms', against: [{ peer: 'Astro' }] },
      { name: 'Astro', unit: 'ms' },
    ] satisfies Figure[],
    open: async () => {
      const used = process.env.BENCH_PACKAGE ?? 'ours';
      return {
        round: async () => {
          order.push(`${used}, ${process.env.BENCH_PACKAGE ?? 'ours'}`);
          return { build: used === 'ours' ? 100 : 300, Astro: 200 };
        },
        close: async () => {},
      };
    },
  };
  const result = await runBench(bench, {
    rounds: 2,
    size: { scale: 1, seed: 1 },
    before: '../old',
  });
  expect(order).toEqual(['ours, ours', '../old, ../old', 'ours, ours', '../old, ../old']);
  const [head, , row] = resultsTable(result).replace(/ +/g, ' ').split('\n');
  expect(head).toMatch(/ratio \| goal \| \| before \| ratio before \|$/);
  expect(row).toBe('| build | 100 ms | 100–100 | Astro: 200 ms | 0.50 | | | 300 ms | 1.50 |');
});

test('inputs are closed even if a check fails', async () => {
  let closed = false;
  const bench = {
    name: 'a',
    about: '',
    figures: [],
    open: async () => ({
      round: () => Promise.reject(new Error('wrong answer')),
      close: async () => {
        closed = true;
      },
    }),
  };
  const run = runBench(bench, { rounds: 5, size: { scale: 1, seed: 1 } });
  await expect(run).rejects.toThrow('wrong answer');
  expect(closed).toBe(true);
});

test('a round without one of the results is an error', async () => {
  const bench = {
    name: 'a',
    about: '',
    figures,
    open: async () => ({ round: async () => ({ scan: 1 }), close: async () => {} }),
  };
  await expect(runBench(bench, { rounds: 1, size: { scale: 1, seed: 1 } })).rejects.toThrow(
    'The round has no figure “write”.',
  );
});
