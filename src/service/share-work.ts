/**
 * One piece of work for however many callers wait for it at once. `unwanted` of a piece fires once
 * the last of its callers has given up; who comes then waits for its end, and begins anew where it
 * has failed. A caller whose own signal fires gets its reason.
 */
export function shareWork<T>(
  work: (unwanted: AbortSignal) => Promise<T>,
): (signal?: AbortSignal) => Promise<T> {
  let underWay: { readonly end: Promise<T>; readonly given: AbortController } | undefined;
  let waiting = 0;

  function begin() {
    waiting = 0;
    const given = new AbortController();
    const end = work(given.signal).finally(() => {
      underWay = undefined;
    });
    return { end, given };
  }

  return async (signal) => {
    for (;;) {
      signal?.throwIfAborted();
      underWay ??= begin();
      const piece = underWay;
      const isLate = piece.given.signal.aborted;
      waiting += 1;
      try {
        return await untilAborted(piece.end, signal);
      } catch (thrown) {
        if (!isLate || signal?.aborted) throw thrown;
      } finally {
        if (underWay === piece) {
          waiting -= 1;
          if (waiting === 0) piece.given.abort();
        }
      }
    }
  };
}

/** The promise, or the signal's reason where that fires first; the work itself goes on. */
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
