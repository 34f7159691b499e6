import pLimit from 'p-limit';
import { originalOf, type SourceReference, sourceKey } from '../formats/source.ts';
import type { NamedInSource } from '../request/read-named-assets.ts';
import type { Sources } from '../sources/sources.ts';
import type { FindShown } from './find-shown.ts';

/**
 * Downloads that begin before a page asks for them. A failure comes up again when a page asks.
 *
 * @param options.requestsAtOnce as many as the service takes. Twice as many downloads are under way, so that
 * it is asked while others are judged and kept; no more, so that what a page waits for is not behind
 * a queue of what no page has asked for yet
 */
export function createPrefetch({
  baseUrl,
  sources,
  findShown,
  requestsAtOnce,
}: {
  baseUrl: string;
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
    start(references: readonly SourceReference[]): void {
      for (const reference of references) {
        begin(sourceKey(reference), () => sources.get(reference));
      }
    },
    /** The same for what source text names: an original, and the crop that it shows. */
    startNamed(named: readonly NamedInSource[]): void {
      for (const { id, shows } of named) {
        const original = originalOf(baseUrl, id);
        if (typeof shows === 'string') {
          begin(sourceKey(original), () => sources.get(original));
        } else {
          const crop = { crop: shows, aspect: undefined, focus: { x: 0.5, y: 0.5 } };
          begin(`${id} ${Object.values(shows)}`, () => findShown({ id, page: '' }, crop));
        }
      }
    },
    /** Begins no more downloads, and ends when none is under way. */
    async stop(): Promise<void> {
      stopped = true;
      await Promise.all(work);
    },
  };
}
