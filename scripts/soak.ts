/** Runs `HISTORY_RUNS` random histories of builds, with the seed `HISTORY_SEED`: `npm run soak`. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const runs = process.env.HISTORY_RUNS ?? '10000';
const seed = process.env.HISTORY_SEED ?? String(Math.floor(Math.random() * 2 ** 31));
const start = performance.now();

const tests = spawn(
  process.execPath,
  [
    vitest,
    'run',
    'test/usage/histories.test.ts',
    '--project=unit',
    '--testNamePattern=HISTORY_RUNS',
    '--disableConsoleIntercept=true',
  ],
  {
    cwd: root,
    env: {
      ...process.env,
      HISTORY_RUNS: runs,
      HISTORY_SEED: seed,
      HISTORY_PROGRESS: '1',
    },
    stdio: 'inherit',
  },
);
tests.on('exit', (code) => {
  const seconds = Math.round((performance.now() - start) / 1000);
  const time = `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const again = `HISTORY_SEED=${seed} HISTORY_RUNS=${runs} npm run soak`;
  console.info(
    code === 0
      ? `${Number(runs).toLocaleString('en')} histories in ${time}, seed ${seed}: the service's list was right after each.`
      : `Ended after ${time} with a failure. The same histories again: ${again}`,
  );
  process.exitCode = code ?? 1;
});
