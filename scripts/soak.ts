/** Many random histories of builds: `npm run soak`. `HISTORY_RUNS` says how many, `HISTORY_SEED` which. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const tests = spawn(
  process.execPath,
  [vitest, 'run', '--project', 'unit', 'test/usage/histories.test.ts'],
  {
    cwd: root,
    env: { ...process.env, HISTORY_RUNS: process.env.HISTORY_RUNS ?? '10000' },
    stdio: 'inherit',
  },
);
tests.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
