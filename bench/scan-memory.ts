import { type Bench, scaled } from './bench.ts';
import { removePages, writePages } from './page-folder.ts';
import { runProcess } from './run-process.ts';

const limit = 'limit (250 MB at any size)';

export const scanMemoryBench: Bench = {
  name: 'scan-memory',
  about: 'Scans 100,000 marked pages of 20 kB in a new process.',
  figures: [
    {
      name: 'peak memory above an idle process',
      unit: 'MB',
      against: [{ peer: limit, goal: 1 }],
    },
    { name: limit, unit: 'MB' },
    { name: 'scan', unit: 'ms' },
  ],
  async open(size) {
    const folder = await writePages(scaled(100_000, size), { seed: size.seed, marked: true });
    return {
      async round() {
        const { milliseconds, megabytes } = await runProcess('scan-process.ts', {
          way: 'ours',
          folder,
        });
        return {
          'peak memory above an idle process': megabytes ?? Number.NaN,
          scan: milliseconds ?? Number.NaN,
          [limit]: 250,
        };
      },
      close: () => removePages([folder]),
    };
  },
};
