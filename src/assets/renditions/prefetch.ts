import pLimit from 'p-limit';
import { originalOf } from '../formats/source.ts';
import type { Sources } from '../sources/sources.ts';

/**
 * Starts downloads before a page requests them. A failure is thrown when a page requests the source. With
 * more than twice the service's concurrency, the requests of pages would wait behind these.
 */
export function createPrefetch(sources: Pick<Sources, 'get'>, requestsAtOnce: number) {
  const limit = pLimit(2 * requestsAtOnce);
  const work = new Set<Promise<unknown>>();
  let stopped = false;

  return {
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
