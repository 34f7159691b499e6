import pLimit from 'p-limit';

/**
 * Runs work for each item, and starts no more after a failure. Settles when all work has ended. Throws
 * the first failure, in the order of the items.
 *
 * @param onProgress called with the number of items whose work is done
 */
export async function settleAll<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  onProgress?: (done: number, total: number) => void,
): Promise<void> {
  let done = 0;
  let hasFailed = false;
  const one = async (item: T) => {
    if (hasFailed) return;
    await work(item).catch((thrown: unknown) => {
      hasFailed = true;
      throw thrown;
    });
    done += 1;
    onProgress?.(done, items.length);
  };
  // The work mostly waits.
  const limit = pLimit(32);
  const settled = await Promise.allSettled(items.map((item) => limit(one, item)));
  const failure = settled.find(({ status }) => status === 'rejected');
  if (failure?.status === 'rejected') throw failure.reason;
}
