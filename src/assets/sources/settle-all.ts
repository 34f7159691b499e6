import pLimit from 'p-limit';

/** Of work that mostly waits. */
const atOnce = 32;

/**
 * Does work for each item, and ends when all of it has ended: nothing goes on behind a failure.
 *
 * @throws the first failure, in the order of the items
 */
export async function settleAll<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const limit = pLimit(atOnce);
  const settled = await Promise.allSettled(items.map((item) => limit(() => work(item))));
  const failure = settled.find(({ status }) => status === 'rejected');
  if (failure?.status === 'rejected') throw failure.reason;
}
