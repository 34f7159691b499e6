import type { Child } from './child.ts';

/** A process that a script has started. One that was already running has no `stop`. */
export type Kept = Pick<Child, 'ended' | 'stop'>;

const interrupts = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;

/** Registers a started process, to stop it at the end. After Ctrl-C, it never resolves `ended`. */
export type Keep = <T extends Kept>(child: T) => T;

/**
 * Runs a script to its exit code. Stops the processes that it has started, last first: when it's
 * done, when it fails, and on Ctrl-C at any time.
 */
export async function runScript(script: (keep: Keep) => Promise<number>): Promise<void> {
  const children: Kept[] = [];
  let isInterrupted = false;
  const interrupted = new Promise<'interrupted'>((resolve) => {
    const interrupt = () => {
      isInterrupted = true;
      resolve('interrupted');
    };
    for (const signal of interrupts) process.on(signal, interrupt);
  });
  const keep: Keep = (child) => {
    children.push(child);
    // Ctrl-C also ends the children, so the script mustn't react to their end.
    const ended = child.ended.then((code) => (isInterrupted ? new Promise<never>(() => {}) : code));
    return { ...child, ended };
  };
  const outcome = await Promise.race([script(keep).catch(fail), interrupted]);
  for (const child of children.reverse()) await child.stop();
  // The script may still be running, and must not start another process.
  if (outcome === 'interrupted') {
    console.log('Stopped.');
    process.exit(130);
  }
  process.exitCode = outcome;
}

function fail(error: unknown): number {
  console.error(error instanceof Error ? error.message : error);
  return 1;
}
