import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A process that always ends with this one. */
export interface Child {
  readonly process: ChildProcess;
  /** Resolves at its end; 0 is success. A signal counts as 1. */
  readonly ended: Promise<number>;
  /** Asks it to end, waits at most 5 s, then kills it. */
  stop(): Promise<void>;
}

const patience = 5000;

/** Starts a JavaScript file with this Node, without a shell, so paths may contain spaces. */
export function startNode(file: string, args: readonly string[], options: SpawnOptions): Child {
  const child = spawn(process.execPath, [file, ...args], { windowsHide: true, ...options });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  }).finally(() => process.off('exit', kill));
  return {
    process: child,
    ended,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      const late = setTimeout(kill, patience);
      await exited;
      clearTimeout(late);
    },
  };
}
