/**
 * Runs Astro's command line, and commands of ours that evaluate an Astro config, one run after another.
 * The child of `shared-astro.ts`.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import { terminalTo } from '../process/run-command.ts';
import { type AstroRun, ownProgram } from './shared-astro.ts';

/** The output of one run so far. A run ends when Astro wants to exit. */
interface RunOutput {
  readonly output: { stdout: string; stderr: string };
  ended: boolean;
  end(exitCode: number): void;
}

const turns = new AsyncLocalStorage<RunOutput>();
let current: RunOutput | undefined;

const exit = process.exit.bind(process);
process.on('disconnect', () => exit(0));

// After an error, Astro exits twice: by its promise and by its timer. Only the first is the run's.
process.exit = ((code?: number) => {
  (turns.getStore() ?? current)?.end(Number(code ?? 0));
}) as typeof process.exit;

for (const name of ['stdout', 'stderr'] as const) {
  process[name].write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    const turn = turns.getStore() ?? current;
    if (turn && !turn.ended) turn.output[name] += Buffer.from(chunk as string).toString();
    const done = rest.at(-1);
    if (typeof done === 'function') process.nextTick(done);
    return true;
  }) as typeof process.stdout.write;
}

process.on('message', ({ program, directory, words, environment }: AstroRun) => {
  const output = { stdout: '', stderr: '' };
  const turn: RunOutput = {
    output,
    ended: false,
    end(exitCode) {
      if (turn.ended) return;
      turn.ended = true;
      void isQuiet(program === ownProgram ? 0 : exitCode).then((canRunAgain) =>
        process.send?.({ exitCode, ...output, canRunAgain }, () => canRunAgain || exit(exitCode)),
      );
    },
  };
  current = turn;
  process.chdir(directory);
  process.argv = [process.execPath, program, ...words];
  for (const name of Object.keys(process.env)) delete process.env[name];
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined) process.env[name] = value;
  }
  turns.run(turn, async () => {
    try {
      if (program === ownProgram) return turn.end(await runOwn(words, output));
      const { cli } = await import(await commandLine(program));
      await cli(process.argv);
      turn.end(0);
    } catch (error) {
      console.error(error);
      turn.end(1);
    }
  });
});

/**
 * Whether a run has left no work in progress. Work that a failed build leaves ends with its process,
 * as for a user.
 */
async function isQuiet(exitCode: number): Promise<boolean> {
  if (exitCode === 0) return true;
  // Astro exits again after 400 ms, and stores content 500 ms after its last change.
  for (let quiet = 0, checks = 0; checks < 60; checks += 1) {
    await setTimeout(25);
    const kinds = process.getActiveResourcesInfo().filter((kind) => kind !== 'PipeWrap');
    // One check may fall between two steps of some work.
    quiet = kinds.length === 0 ? quiet + 1 : 0;
    if (quiet === 2) return true;
  }
  return false;
}

/** Runs a command of ours as the process does that it starts for the config of a site. */
async function runOwn(words: readonly string[], output: RunOutput['output']): Promise<number> {
  // As in a build.
  process.env.NODE_ENV ||= 'production';
  const directory = process.cwd();
  const context = { directory, environment: process.env, isSiteProcess: true };
  return runCommandLine(words, terminalTo(output, context));
}

/** The module that Astro's program runs: its package's `dist/cli`, in every major. */
async function commandLine(program: string): Promise<string> {
  const file = await realpath(program);
  const folder = file.endsWith('astro.mjs') ? dirname(dirname(file)) : dirname(file);
  return pathToFileURL(join(folder, 'dist/cli/index.js')).href;
}
