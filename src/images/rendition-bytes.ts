import { isMediaAssetError, mediaAssetError } from '../errors.ts';
import type { PictureCache } from './cacache-picture-cache.ts';
import { decodingKey, makeRenditions } from './make-renditions.ts';
import type { Rendition } from './rendition.ts';
import { SourceLost, sourceBytes } from './source-bytes.ts';
import type { Sources } from './sources.ts';

/** Makes the bytes of catalogued renditions, each once, those of one decoding together. */
export interface RenditionBytes {
  /** Makes a rendition in the background, for `get`. A failure comes up again there. */
  begin(named: NamedRendition): void;
  /** @throws `rendition-failed`, `cache-unusable`; `SourceLost` where its source can't be had */
  get(named: NamedRendition): Promise<Buffer>;
  counts(): { readonly made: number; readonly reused: number };
  /** Ends when nothing goes on in the background. */
  settled(): Promise<void>;
}

export interface NamedRendition {
  readonly key: string;
  readonly rendition: Rendition;
  /** Names the rendition in messages. */
  readonly url: string;
}

/** A rendition that waits for its decoding. */
interface Waiting extends NamedRendition {
  readonly resolve: (bytes: Buffer) => void;
  readonly reject: (thrown: unknown) => void;
}

export function createRenditionBytes({
  cache,
  sources,
  limit,
}: {
  cache: PictureCache;
  sources: Sources;
  /** Runs work when there is room for it. */
  limit: <T>(work: () => Promise<T>) => Promise<T>;
}): RenditionBytes {
  const flights = new Map<string, Promise<Buffer>>();
  const waiting = new Map<string, Waiting[]>();
  let begun: NamedRendition[] = [];
  /** Begun in this run: pages name the same renditions again and again. */
  const known = new Set<string>();
  const background = new Set<Promise<unknown>>();
  const made = new Set<string>();
  const reused = new Set<string>();

  /** One flight for each rendition; what asks for one decoding before it begins shares it. */
  function make(named: NamedRendition): Promise<Buffer> {
    let flight = flights.get(named.key);
    if (!flight) {
      flight = new Promise<Buffer>((resolve, reject) => {
        wait({ ...named, resolve, reject });
      }).finally(() => flights.delete(named.key));
      flights.set(named.key, flight);
    }
    return flight;
  }

  function wait(one: Waiting): void {
    const group = decodingKey(one.rendition);
    const others = waiting.get(group);
    if (others) {
      others.push(one);
      return;
    }
    waiting.set(group, [one]);
    void limit(async () => {
      const all = waiting.get(group) ?? [];
      waiting.delete(group);
      await makeAll(all);
    });
  }

  async function makeAll(all: readonly Waiting[]): Promise<void> {
    const [first] = all;
    if (!first) return;
    const { id, service } = first.rendition.source.reference;
    let current = first;
    try {
      const bytes = await sourceBytes({ cache, sources }, first.rendition.source);
      const renditions = all.map(({ rendition }) => rendition);
      let index = 0;
      for await (const { bytes: result } of makeRenditions(bytes, atLeastOne(renditions))) {
        const { key, resolve } = current;
        await cache.addRendition(key, result);
        made.add(key);
        // It may have been withdrawn in the meantime.
        if (sources.refusal(id)) await cache.purge(service, id);
        resolve(result);
        index += 1;
        current = all[index] ?? current;
      }
    } catch (thrown) {
      for (const one of all) one.reject(toFailure(thrown, one));
    }
  }

  async function get(named: NamedRendition): Promise<Buffer> {
    const { key } = named;
    const flight = flights.get(key);
    const cached = flight ? undefined : await cache.readRendition(key);
    if (!cached) return make(named);
    if (!made.has(key)) reused.add(key);
    return cached;
  }

  /** What a component has asked for in one go: together it is decoded once, in one size. */
  async function makeMissing(): Promise<void> {
    const together = begun;
    begun = [];
    const cached = await Promise.all(together.map(({ key }) => cache.hasRendition(key)));
    await Promise.allSettled(together.filter((_, index) => !cached[index]).map(make));
  }

  return {
    begin(named) {
      if (known.has(named.key)) return;
      known.add(named.key);
      begun.push(named);
      if (begun.length > 1) return;
      const work = Promise.resolve()
        .then(makeMissing)
        .catch(() => undefined);
      background.add(work);
      void work.finally(() => background.delete(work));
    },
    get,
    counts: () => ({ made: made.size, reused: reused.size }),
    async settled() {
      while (background.size > 0) await Promise.all(background);
    },
  };
}

function atLeastOne<T>(list: readonly T[]): [T, ...T[]] {
  const [first, ...others] = list;
  if (first === undefined) throw new Error('There is nothing to make.');
  return [first, ...others];
}

function toFailure(thrown: unknown, { rendition, url }: NamedRendition): unknown {
  if (isMediaAssetError(thrown) || thrown instanceof SourceLost) return thrown;
  const { id } = rendition.source.reference;
  const reason = thrown instanceof Error ? (thrown.message.split('\n')[0] ?? '') : String(thrown);
  return mediaAssetError('rendition-failed', { url, id, reason }, { cause: thrown });
}
