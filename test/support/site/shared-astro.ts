import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../process/compile-cache.ts';

/** One run of Astro's command line. */
export interface AstroRun {
  /** Path of Astro's program. */
  readonly program: string;
  readonly directory: string;
  readonly words: readonly string[];
  /** The run's whole environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const entry = fileURLToPath(new URL('./astro-worker.ts', import.meta.url));

/** Time limit of one run, in milliseconds. */
const timeLimit = 120_000;

let child: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/** How the run ended. */
export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs Astro's command line in a process that has run it before. This takes a quarter of the time,
 * because loading Astro and Vite is most of a small build. The process ends with a failed run that has
 * left work in progress.
 */
export function runSharedAstro(astroRun: AstroRun): Promise<Outcome> {
  const turn = last.then(() => takeTurn(astroRun));
  last = turn.catch(() => {});
  return turn;
}

async function takeTurn(astroRun: AstroRun): Promise<Outcome> {
  if (!child?.connected) child = start();
  const astro = child;
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
