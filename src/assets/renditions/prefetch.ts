import pLimit from 'p-limit';
import { originalOf, sourceKey } from '../formats/source.ts';
import type { NamedInSource } from '../request/read-named-assets.ts';
import type { Sources } from '../sources/sources.ts';
import type { FindShown } from './find-shown.ts';

/**
 * Starts downloads before a page requests them. A failure is thrown when a page requests the source.
 *
 * @param options.requestsAtOnce the service's concurrency. Twice as many downloads run at once, so that
 * requests continue while other downloads are checked and stored. With more, the requests of pages
 * would wait behind prefetched ones
 */
export function createPrefetch({
  sources,
  findShown,
  requestsAtOnce,
}: {
  sources: Pick<Sources, 'get'>;
  findShown: FindShown;
  requestsAtOnce: number;
}) {
  const limit = pLimit(2 * requestsAtOnce);
  const begun = new Set<string>();
  const work = new Set<Promise<void>>();
  let stopped = false;

  function begin(key: string, fetch: () => Promise<unknown>): void {
    if (begun.has(key)) return;
    begun.add(key);
    const one = limit(async () => {
      if (!stopped) await fetch().catch(() => undefined);
    }).finally(() => work.delete(one));
    work.add(one);
  }

  return {
    /** Starts the downloads for source text: an original, and the crop that the text shows. */
    start(named: readonly NamedInSource[]): void {
      for (const { id, shows } of named) {
        const original = originalOf(id);
        if (typeof shows === 'string') {
          begin(sourceKey(original), () => sources.get(original));
        } else {
          const crop = { crop: shows, aspect: undefined, focus: { x: 0.5, y: 0.5 } };
          begin(`${id} ${Object.values(shows)}`, () => findShown({ id, page: '' }, crop));
        }
      }
    },
    /** Starts no more downloads. Resolves when none is pending. */
    async stop(): Promise<void> {
      stopped = true;
      await Promise.all(work);
    },
  };
}
