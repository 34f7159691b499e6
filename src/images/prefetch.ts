import pLimit from 'p-limit';
import { parametersOfAnyPicture } from './custom-format-parameters.ts';
import type { ImagesContext } from './images-context.ts';
import type { NamedInSource } from './named-in-source.ts';
import { type CachedSource, type Source, type SourceReference, sourceKey } from './source.ts';

/** Downloads that begin before a page asks for them. */
export interface Prefetch {
  /** A failure comes up again where a page asks. */
  start(references: readonly SourceReference[]): void;
  /** Begins no more downloads, and ends when none is under way. */
  stop(): Promise<void>;
}

/**
 * @param requestsAtOnce as many as the service takes. Twice as many downloads are under way, so that
 * it is asked while others are judged and kept; no more, so that what a page waits for is not behind
 * a queue of what no page has asked for yet
 */
export function createPrefetch(
  { sources, cropTrust }: Pick<ImagesContext, 'sources' | 'cropTrust'>,
  requestsAtOnce: number,
): Prefetch {
  const limit = pLimit(2 * requestsAtOnce);
  const begun = new Set<string>();
  const work = new Set<Promise<void>>();
  let stopped = false;

  async function fetchOne(reference: SourceReference): Promise<void> {
    if (stopped) return;
    try {
      const source = await sources.get(reference);
      if (isCrop(source) && !stopped) await cropTrust.prepare(source);
    } catch {
      // It comes up again where a page asks.
    }
  }

  return {
    start(references) {
      for (const reference of references) {
        const key = sourceKey(reference);
        if (begun.has(key)) continue;
        begun.add(key);
        const one = limit(() => fetchOne(reference)).finally(() => work.delete(one));
        work.add(one);
      }
    },
    async stop() {
      stopped = true;
      await Promise.all(work);
    },
  };
}

function isCrop(source: CachedSource): source is Source {
  return source.reference.kind === 'custom-format';
}

/**
 * The source that something named will be made from, or that has to come before that one;
 * `undefined` where only its page knows.
 */
export function referenceOf(
  { service, options, customFormat }: Pick<ImagesContext, 'service' | 'options' | 'customFormat'>,
  { id, shows }: NamedInSource,
): SourceReference | undefined {
  const { baseUrl } = service;
  const original: SourceReference = { kind: 'original', service: baseUrl, id };
  if (shows === 'whole' || options.crops === 'local') return original;
  if (shows === 'unknown') return undefined;
  const parameters = parametersOfAnyPicture(customFormat, shows);
  return parameters ? { kind: 'custom-format', service: baseUrl, id, parameters } : original;
}
