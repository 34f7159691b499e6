import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Bench } from './bench.ts';
import { median } from './run-bench.ts';

const path = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const run = promisify(execFile);

const help = 'media-asset --help, above node -e 0';
const hook = 'config hook, next to Astro';
const hookAlone = 'config hook, in an empty process';
const bare = 'node -e 0';
const zod = "import('zod')";
const ofHelp = 'limit (100 ms)';
const ofHook = 'limit (50 ms)';

/** How often each command is measured in a round. */
const runs = 3;

export const startUpBench: Bench = {
  name: 'start-up',
  about:
    'Starts the built package in a new process: its command line with `--help`, and the integration from its import to the end of its first hook. Next to Astro, zod is already loaded.',
  figures: [
    { name: help, unit: 'ms', against: [{ peer: ofHelp, goal: 1 }, { peer: bare }] },
    { name: hook, unit: 'ms', against: [{ peer: ofHook, goal: 1 }] },
    { name: hookAlone, unit: 'ms', against: [{ peer: ofHook }, { peer: zod }] },
    { name: bare, unit: 'ms' },
    { name: zod, unit: 'ms' },
    { name: ofHelp, unit: 'ms' },
    { name: ofHook, unit: 'ms' },
  ],
  async open() {
    return {
      async round() {
        const times = await medians({
          empty: () => timed('-e', '0'),
          usage: () => timed(path('dist/cli/main.js'), '--help'),
          zod: () => timed('-e', zod),
          besideAstro: () => timeOfHook('astro'),
          alone: () => timeOfHook(),
        });
        return {
          [help]: times.usage - times.empty,
          [hook]: times.besideAstro,
          [hookAlone]: times.alone,
          [bare]: times.empty,
          [zod]: times.zod - times.empty,
          [ofHelp]: 100,
          [ofHook]: 50,
        };
      },
      async close() {},
    };
  },
};

/** Measures each in turn, several times. */
async function medians<Name extends string>(
  measures: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(measures) as Name[];
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let run = 0; run < runs; run += 1) {
    for (const [name, list] of times) list.push(await measures[name]());
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<
    Name,
    number
  >;
}

/** The time of a process from its start to its end. */
async function timed(...words: string[]): Promise<number> {
  const start = performance.now();
  await run(process.execPath, words, { cwd: path('.') });
  return performance.now() - start;
}

/** @param before a module that the process loads first */
async function timeOfHook(...before: string[]): Promise<number> {
  const words = [path('test/support/site/run-config-hook.ts'), path('dist/index.js'), ...before];
  const { stdout } = await run(process.execPath, words);
  return Number(stdout);
}
