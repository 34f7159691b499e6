/** Measures, prints the tables and, at full size, writes RESULTS.md. See `npm run bench -- --help`. */
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { benches } from './benches.ts';
import { machine } from './machine.ts';
import { replaceSections } from './replace-sections.ts';
import { resultsTable } from './results-table.ts';
import { type BenchResult, runBench } from './run-bench.ts';

const results = new URL('RESULTS.md', import.meta.url);

const command = new Command('npm run bench --')
  .description(
    'Measures the package next to peers and limits. A full run writes its tables to bench/RESULTS.md.',
  )
  .option('--scale <factor>', 'size of the inputs (1 is the full size)', above(0))
  .option('--quick', 'a thirtieth of the size, one round: about three minutes')
  .addOption(
    new Option('--only <name...>', 'only these subjects').choices(benches.map(({ name }) => name)),
  )
  .option(
    '--rounds <number>',
    'how often everything is measured (default: 5, with --quick 1)',
    above(0),
  )
  .option(
    '--before <folder>',
    'in sites, also measure another build, such as that of an older commit',
  )
  .option('--seed <number>', 'seed of the inputs', above(0), 1)
  // Like `media-asset`: 2 for wrong usage, 1 for a wrong result.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse();
const options = command.opts<{
  scale?: number;
  quick?: true;
  only?: string[];
  rounds?: number;
  before?: string;
  seed: number;
}>();
const { seed, only, scale = options.quick ? 0.03 : 1, rounds = options.quick ? 1 : 5 } = options;

const before = options.before && resolve(options.before);
const head = `Scale ${scale}, medians of ${rounds} ${rounds === 1 ? 'round' : 'rounds'}, seed ${seed}. ${machine()}.`;
console.log(head);
const sections = new Map<string, string>();
const isWanted = ({ name, isQuick = true }: (typeof benches)[number]) =>
  only ? only.includes(name) : isQuick || !options.quick;
for (const bench of benches.filter(isWanted)) {
  const text = section(await runBench(bench, { rounds, size: { scale, seed }, before }));
  console.log(`\n${text}`);
  sections.set(bench.name, text);
}
if (scale === 1 && rounds >= 5 && !before) {
  const names = benches.map(({ name }) => name);
  await writeFile(results, replaceSections(await readFile(results, 'utf8'), sections, names));
}

function section(result: BenchResult): string {
  return `## ${result.name}\n\n${result.about}\n\n${head}\n\n${resultsTable(result)}`;
}

function above(limit: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (value > limit) return value;
    throw new InvalidArgumentError(`Expected a number above ${limit}.`);
  };
}
