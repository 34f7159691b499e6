import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../process/compile-cache.ts';

/** Stands for `media-asset`. */
export const ownProgram = 'media-asset';

/** One run of Astro's command line, or of ours. */
export interface AstroRun {
  /** Path of Astro's program, or `ownProgram`. */
  readonly program: string;
  readonly directory: string;
  readonly words: readonly string[];
  /** The run's whole environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const entry = fileURLToPath(new URL('./astro-worker.ts', import.meta.url));

/** Time limit of one run, in milliseconds. */
const timeLimit = 240_000;

/** How the run ended. */
export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface SharedProcess {
  child?: ChildProcess;
  last: Promise<unknown>;
}

/** Our commands have one of their own, where Astro only evaluates configs. */
const processes = { astro: shared(), own: shared() };

function shared(): SharedProcess {
  return { last: Promise.resolve() };
}

/**
 * Runs Astro's command line, or ours, in a process that has run it before. This takes a quarter of the
 * time, because loading Astro and Vite is most of a small build. The process ends with a failed run that
 * has left work in progress.
 */
export function runSharedAstro(astroRun: AstroRun): Promise<Outcome> {
  const shared = astroRun.program === ownProgram ? processes.own : processes.astro;
  const turn = shared.last.then(() => takeTurn(shared, astroRun));
  shared.last = turn.catch(() => {});
  return turn;
}

async function takeTurn(shared: SharedProcess, astroRun: AstroRun): Promise<Outcome> {
  if (!shared.child?.connected) shared.child = start();
  const astro = shared.child;
  // Between two runs, the child must not keep a test process alive.
  astro.ref();
  astro.channel?.ref();
  const timer = setTimeout(() => astro.kill('SIGKILL'), timeLimit);
  const over = new AbortController();
  const ended = once(astro, 'exit', { signal: over.signal });
  try {
    astro.send(astroRun);
    const { canRunAgain, ...outcome }: Outcome & { canRunAgain: boolean } = await Promise.race([
      once(astro, 'message', { signal: over.signal }).then(([message]) => message),
      ended.then(([code, signal]) => {
        throw new Error(`Astro's process has ended: ${code ?? signal}.`);
      }),
    ]);
    if (!canRunAgain) await ended;
    return outcome;
  } finally {
    clearTimeout(timer);
    over.abort();
    astro.unref();
    astro.channel?.unref();
  }
}

function start(): ChildProcess {
  const { PATH, HOME } = process.env;
  return spawn(process.execPath, [entry], {
    env: { PATH, HOME, ...compileCache, NO_COLOR: '1' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}
