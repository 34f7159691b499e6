/**
 * Runs all tests, as `.ci/run` does: `node scripts/run-tests.ts`. `--results FILE` also writes Vitest's
 * results as JSON.
 */
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { type CliOptions, startVitest, type Vitest } from 'vitest/node';

/** A fault of the code fails more test files than a slow machine does. */
const mostAgain = 3;

/**
 * Runs tests. A few files that fail next to others run once more, one at a time: on a machine that stands
 * still for seconds, one of 8,000 tests can meet its time limit. What fails then fails the process.
 */
export async function runTests(files: readonly string[], options: CliOptions): Promise<void> {
  const failedBefore = process.exitCode;
  const failed = await runOnce(files, { ...options, run: true });
  if (failed.length === 0 || failed.length > mostAgain) return;
  const names = failed.map((path) => relative(process.cwd(), path)).join(', ');
  console.log(`\nAgain, alone: ${names}\n`);
  process.exitCode = 0;
  await runOnce(failed, { ...options, run: true, reporters: ['default'], fileParallelism: false });
  if (process.exitCode === 0) console.log(`\nPassed alone, and failed next to others: ${names}\n`);
  process.exitCode ||= failedBefore;
}

/** @returns the paths of the files that failed; none if something else went wrong */
async function runOnce(files: readonly string[], options: CliOptions): Promise<string[]> {
  const vitest: Vitest = await startVitest('test', [...files], options);
  const { state } = vitest;
  const failed = state.getUnhandledErrors().length > 0 ? [] : state.getFailedFilepaths();
  await vitest.close();
  return failed;
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { results: { type: 'string' } },
    allowPositionals: true,
  });
  const { results } = values;
  await runTests(positionals, {
    reporters: results ? ['default', ['json', { outputFile: results }]] : ['default'],
  });
}
