import pLimit from 'p-limit';
import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { freeBytes } from '../formats/decoding-memory.ts';
import type { Rendition } from '../formats/rendition.ts';
import { type SourceAccess, SourceLost, withSourceBytes } from '../sources/source-bytes.ts';
import type { LiveRenditions } from './live-renditions.ts';
import {
  type DecodedSource,
  decodeSource,
  decodingKey,
  makeRendition,
  resizeSource,
} from './make-rendition.ts';

export interface NamedRendition {
  readonly key: string;
  readonly rendition: Rendition;
  readonly url: string;
}

/** A rendition whose bytes are asked for. */
interface Waiting extends PromiseWithResolvers<Buffer> {
  readonly rendition: Rendition;
}
type Together = [Waiting, ...Waiting[]];

/** Makes the bytes of catalogued renditions, each once, or takes them from the live site. */
export function createRenditionBytes(site: {
  access: SourceAccess;
  atOnce: number;
  takePixels?: (rendition: Rendition) => Promise<DecodedSource | undefined>;
  live?: LiveRenditions | undefined;
}) {
  const { access, atOnce, takePixels, live } = site;
  const { store } = access;
  const limit = pLimit(atOnce);
  const holding = pLimit(atOnce);
  /** Renditions that wait for one decoding of their source. */
  const waiting = new Map<string, Waiting[]>();
  const flights = new Map<string, Promise<Buffer>>();
  let begun: NamedRendition[] = [];
  /** The keys that this run has begun, because pages name the same renditions repeatedly. */
  const known = new Set<string>();
  const background = new Set<Promise<unknown>>();
  const made = new Set<string>();
  const reused = new Set<string>();

  function make(named: NamedRendition): Promise<Buffer> {
    let flight = flights.get(named.key);
    if (!flight) {
      flight = makeOnce(named).finally(() => flights.delete(named.key));
      flights.set(named.key, flight);
    }
    return flight;
  }

  async function makeOnce(named: NamedRendition): Promise<Buffer> {
    const { key, rendition } = named;
    try {
      const published = await live?.take(key);
      const bytes = published ?? (await fromSource(rendition));
      await store.addRendition(rendition.source.reference.id, key, bytes);
      if (!published) made.add(key);
      return bytes;
    } catch (thrown) {
      if (isMediaAssetError(thrown) || thrown instanceof SourceLost) throw thrown;
      const { id } = rendition.source.reference;
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      const details = { url: named.url, id, reason: message.split('\n')[0] ?? '' };
      throw mediaAssetError('rendition-failed', details, { cause: thrown });
    }
  }

  function fromSource(rendition: Rendition): Promise<Buffer> {
    const key = decodingKey(rendition);
    const one: Waiting = { rendition, ...Promise.withResolvers<Buffer>() };
    const others = waiting.get(key);
    if (others) {
      others.push(one);
      return one.promise;
    }
    const together: Together = [one];
    waiting.set(key, together);
    // Decode only as many sources as are in use: the pixels of each need 20 MB and more.
    holding(() => {
      waiting.delete(key);
      return makeTogether(together);
    }).catch((thrown) => {
      for (const { reject } of together) reject(thrown);
    });
    return one.promise;
  }

  /** Formats share the pixels of their size, and sizes share those of their source. */
  async function makeTogether(together: Together): Promise<void> {
    const [{ rendition }] = together;
    const decoded = await takePixels?.(rendition);
    if (decoded) return makeFrom(decoded, together);
    return withSourceBytes(access, rendition.source, async (bytes) => {
      const decoded = await limit(() => decodeSource(bytes, rendition));
      if (decoded.pixels) freeBytes(bytes);
      await makeFrom(decoded, together);
    });
  }

  async function makeFrom(decoded: DecodedSource, together: Together): Promise<void> {
    const sizes = Map.groupBy(together, ({ rendition: { width, height } }) => `${width} ${height}`);
    await Promise.all(
      Array.from(sizes.values(), async (same) => {
        const [{ rendition: size }] = same as Together;
        const sized = await limit(() => resizeSource(decoded, size));
        const made = same.map(({ rendition, resolve, reject }) =>
          limit(() => makeRendition(sized, rendition)).then(resolve, reject),
        );
        await Promise.all(made);
        if (sized !== decoded) freeBytes(sized.pixels?.data);
      }),
    );
    freeBytes(decoded.pixels?.data);
  }

  async function get(named: NamedRendition): Promise<Buffer> {
    const { key, rendition } = named;
    const flight = flights.get(key);
    const { id } = rendition.source.reference;
    const cached = flight ? undefined : await store.readRendition(id, key);
    if (!cached) return make(named);
    if (!made.has(key) && !live?.has(key)) reused.add(key);
    return cached;
  }

  async function makeMissing(): Promise<void> {
    const areaOf = ({ rendition: { width, height } }: NamedRendition) => width * height;
    // Largest first, so that no core waits long for the last one.
    const together = begun.sort((one, other) => areaOf(other) - areaOf(one));
    begun = [];
    const isMissing = ({ key, rendition }: NamedRendition) =>
      !store.hasRendition(rendition.source.reference.id, key);
    await Promise.allSettled(together.filter(isMissing).map(make));
  }

  return {
    /** Makes a rendition in the background, for `get`, which throws if this fails. */
    begin(named: NamedRendition): void {
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
    counts: () => ({ made: made.size, reused: reused.size, taken: live?.count() ?? 0 }),
    async settled(): Promise<void> {
      while (background.size > 0) await Promise.all(background);
    },
  };
}
