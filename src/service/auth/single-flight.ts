/**
 * Runs one piece of work for all callers that wait for it at once. `unwanted` fires when the last of
 * them has given up. Whoever comes then waits for its end, and starts it again if it failed. A
 * caller whose own signal fires gets its reason.
 */
export function singleFlight<T>(
  work: (unwanted: AbortSignal) => Promise<T>,
): (signal?: AbortSignal) => Promise<T> {
  let flight: { readonly end: Promise<T>; readonly unwanted: AbortController } | undefined;
  let waiting = 0;

  function start() {
    waiting = 0;
    const unwanted = new AbortController();
    const end = work(unwanted.signal).finally(() => {
      flight = undefined;
    });
    return { end, unwanted };
  }

  return async (signal) => {
    for (;;) {
      signal?.throwIfAborted();
      flight ??= start();
      const joined = flight;
      const isLate = joined.unwanted.signal.aborted;
      waiting += 1;
      try {
        return await untilAborted(joined.end, signal);
      } catch (thrown) {
        if (!isLate || signal?.aborted) throw thrown;
      } finally {
        if (flight === joined) {
          waiting -= 1;
          if (waiting === 0) joined.unwanted.abort();
        }
      }
    }
  };
}

/** The promise, or the signal's reason if that fires first; the work itself goes on. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abandon = () => reject(signal.reason);
  signal.addEventListener('abort', abandon, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}
