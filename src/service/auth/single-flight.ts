/**
 * Runs `work` once for all callers that wait at the same time. `unwanted` fires when the last one
 * has given up. A caller that comes after that waits for the end, then starts again if `work`
 * failed. A caller whose own signal fires gets its reason.
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

/** Rejects early if the signal fires. The work goes on. */
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
