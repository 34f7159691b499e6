import type { Child } from './child.ts';

/** What a script has started, or found running: that has nothing to stop. */
export type Kept = Pick<Child, 'ended' | 'stop'>;

const interrupts = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;

/** Keeps what a script has started, to stop it in the end. After Ctrl-C it never `ended`. */
export type Keep = <T extends Kept>(child: T) => T;

/**
 * Runs a script to its exit code, and stops what it has started, last first: when it is done, when
 * it fails, and on Ctrl-C at any time.
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
    // Ctrl-C reaches the children too: their end is no news for the script then.
    const ended = child.ended.then((code) => (isInterrupted ? new Promise<never>(() => {}) : code));
    return { ...child, ended };
  };
  const outcome = await Promise.race([script(keep).catch(fail), interrupted]);
  for (const child of children.reverse()) await child.stop();
  // The script itself may still be at work, and must start nothing more.
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
