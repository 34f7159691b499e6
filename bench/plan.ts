import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, scaled } from './bench.ts';
import { runProcess } from './run-process.ts';

export interface PlanOrder {
  /** An empty folder for the ledger. */
  readonly folder: string;
  readonly pages: number;
  readonly assetsPerPage: number;
  readonly seed: number;
}

const second = 'limit (1 s at full size)';
const megabytes = 'limit (400 MB at full size)';
const withinSecond = { unit: 'ms', against: [{ peer: second, goal: 1 }] } as const;

export const planBench: Bench = {
  name: 'plan',
  about:
    'Makes plans for 100,000 pages with 10 assets each, and writes and reads their ledger, in a new process. The file store compares, locks, writes, syncs and renames the ledger.',
  figures: [
    { name: 'plan, first', ...withinSecond },
    { name: 'plan, unchanged', ...withinSecond },
    { name: 'plan, every page renamed', ...withinSecond },
    { name: 'ledger write', ...withinSecond },
    { name: 'ledger written over', ...withinSecond },
    { name: 'ledger read', ...withinSecond },
    {
      name: 'peak memory of plan, write and read',
      unit: 'MB',
      against: [{ peer: megabytes, goal: 1 }],
    },
    { name: 'peak memory of plan and write', unit: 'MB', against: [{ peer: megabytes }] },
    {
      name: 'plan, write and read, above the manifest',
      unit: 'MB',
      against: [{ peer: megabytes }],
    },
    { name: 'the manifest alone', unit: 'MB', against: [{ peer: megabytes }] },
    { name: second, unit: 'ms' },
    { name: megabytes, unit: 'MB' },
  ],
  async open(size) {
    const order = { pages: scaled(100_000, size), assetsPerPage: 10, seed: size.seed };
    return {
      async round() {
        const folder = await mkdtemp(join(tmpdir(), 'bench-plan-'));
        try {
          const figures = await runProcess('plan-process.ts', { ...order, folder });
          return { ...figures, [second]: 1000 * size.scale, [megabytes]: 400 * size.scale };
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      },
      async close() {},
    };
  },
};
