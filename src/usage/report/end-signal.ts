const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** For people who have pressed Ctrl-C once. */
export const endingText = 'Finishing the current requests. Press Ctrl-C again to stop at once.';

/**
 * A signal that is aborted by the first Ctrl-C, or when the terminal or job ends. The second Ctrl-C ends
 * the process at once. Call `letGo` when there's nothing left to end.
 *
 * @param onEnd gets the name of the received signal
 */
export function endSignal(onEnd?: (name: NodeJS.Signals) => void): {
  signal: AbortSignal;
  letGo: () => void;
} {
  const ended = new AbortController();
  const letGo = () => {
    for (const name of names) process.off(name, end);
  };
  const end = (name: NodeJS.Signals) => {
    // GNU `timeout` sends SIGTERM twice.
    process.off('SIGINT', end);
    if (!ended.signal.aborted) onEnd?.(name);
    ended.abort();
  };
  for (const name of names) process.on(name, end);
  return { signal: ended.signal, letGo };
}
