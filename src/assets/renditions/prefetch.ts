import pLimit from 'p-limit';
import { originalOf } from '../formats/source.ts';
import type { Sources } from '../sources/sources.ts';

/**
 * Starts downloads before a page requests them. A failure is thrown when a page requests the source.
 *
 * @param options.requestsAtOnce the service's concurrency. Twice as many downloads run at once, so that
 * requests continue while other downloads are checked and stored. With more, the requests of pages
 * would wait behind prefetched ones
 */
export function createPrefetch({
  sources,
  requestsAtOnce,
}: {
  sources: Pick<Sources, 'get'>;
  requestsAtOnce: number;
}) {
  const limit = pLimit(2 * requestsAtOnce);
  const work = new Set<Promise<unknown>>();
  let stopped = false;

  return {
    /** Starts the downloads of originals. */
    start(ids: readonly number[]): void {
      for (const id of new Set(ids)) {
        const one = limit(async () => {
          if (!stopped) await sources.get(originalOf(id)).catch(() => undefined);
        }).finally(() => work.delete(one));
        work.add(one);
      }
    },
    /** Starts no more downloads. Resolves when none is pending. */
    async stop(): Promise<void> {
      stopped = true;
      await Promise.all(work);
    },
  };
}
