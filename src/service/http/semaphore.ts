import pLimit from 'p-limit';

/** Waits for one of a bounded number of permits. The function that it returns releases it. */
export type Acquire = (signal?: AbortSignal) => Promise<() => void>;

/** Permits are given in the order asked for. A caller that aborts while it waits gets none. */
export function createSemaphore(permits: number): Acquire {
  const limit = pLimit(permits);
  return (signal) =>
    new Promise((resolve, reject) => {
      const abandon = () => reject(signal?.reason);
      if (signal?.aborted) return abandon();
      signal?.addEventListener('abort', abandon, { once: true });
      void limit(
        () =>
          new Promise<void>((release) => {
            signal?.removeEventListener('abort', abandon);
            if (signal?.aborted) release();
            else resolve(release);
          }),
      );
    });
}
