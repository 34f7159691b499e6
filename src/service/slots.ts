import pLimit from 'p-limit';

/** Takes one of a bounded number of slots; the answer gives it back (once, however often called). */
export type AcquireSlot = (signal?: AbortSignal) => Promise<() => void>;

/** Slots in the order asked for. A caller that aborts while it waits gets none. */
export function createSlots(concurrency: number): AcquireSlot {
  const limit = pLimit(concurrency);
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
