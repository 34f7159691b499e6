const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs what ends by itself when its signal is aborted, and aborts it at the first Ctrl-C (or end of
 * the terminal or job). The second one ends the process at once, as it does at any other time.
 * `interrupt` is the signal that came.
 */
export async function untilInterrupted<T>(
  run: (signal: AbortSignal) => Promise<T>,
  onInterrupt: () => void,
): Promise<{ result: T; interrupt: NodeJS.Signals | undefined }> {
  const ended = new AbortController();
  let interrupt: NodeJS.Signals | undefined;
  const letGo = () => {
    for (const name of signals) process.off(name, end);
  };
  const end = (name: NodeJS.Signals) => {
    letGo();
    interrupt = name;
    onInterrupt();
    ended.abort();
  };
  for (const name of signals) process.on(name, end);
  try {
    const result = await run(ended.signal);
    return { result, interrupt };
  } finally {
    letGo();
  }
}
