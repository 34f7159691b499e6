import { isMediaAssetError, mediaAssetError } from '../errors.ts';
import type { PictureCache } from './cacache-picture-cache.ts';
import type { CataloguedRendition } from './catalogue-data.ts';
import type { Sources } from './create-sources.ts';
import { makeRendition } from './make-rendition.ts';

/** Makes the bytes of catalogued renditions, each once. */
export interface RenditionBytes {
  /**
   * @param url names the rendition in messages
   * @throws `rendition-failed`, `cache-unusable`; `SourceLost` where its source can't be had
   */
  get(key: string, rendition: CataloguedRendition, url: string): Promise<Buffer>;
  counts(): { readonly made: number; readonly reused: number };
}

/** The version that a rendition was made from can no longer be had. `cause` says why, if known. */
export class SourceLost extends Error {
  override readonly name = 'SourceLost';
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
  const made = new Set<string>();
  const reused = new Set<string>();

  async function find(key: string, rendition: CataloguedRendition, url: string): Promise<Buffer> {
    const cached = await cache.readRendition(key);
    if (cached) {
      if (!made.has(key)) reused.add(key);
      return cached;
    }
    const bytes = await make(await sourceBytes(rendition), rendition, url);
    await cache.addRendition(key, bytes);
    made.add(key);
    const { id, service } = rendition.source.reference;
    // It may have been withdrawn in the meantime.
    if (sources.refusal(id)) await cache.purge(service, id);
    return bytes;
  }

  /** By hash: a newer version of the source doesn't hide the one that is asked for. */
  async function sourceBytes({ source: { reference, hash } }: CataloguedRendition) {
    const cached = await cache.read(hash);
    if (cached) return cached;
    try {
      // In a build this may be the first time that the source is asked for.
      const { hash: found } = await sources.get(reference);
      const bytes = found === hash ? await cache.read(hash) : undefined;
      if (bytes) return bytes;
      if (found === hash) await sources.download(reference);
    } catch (cause) {
      throw new SourceLost('The source cannot be fetched.', { cause });
    }
    const bytes = await cache.read(hash);
    if (!bytes) throw new SourceLost('The source has changed.');
    return bytes;
  }

  return {
    async get(key, rendition, url) {
      let flight = flights.get(key);
      if (!flight) {
        flight = limit(() => find(key, rendition, url)).finally(() => flights.delete(key));
        flights.set(key, flight);
      }
      return flight;
    },
    counts: () => ({ made: made.size, reused: reused.size }),
  };
}

async function make(bytes: Uint8Array, rendition: CataloguedRendition, url: string) {
  try {
    return await makeRendition(bytes, rendition);
  } catch (cause) {
    if (isMediaAssetError(cause)) throw cause;
    const { id } = rendition.source.reference;
    const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
    throw mediaAssetError('rendition-failed', { url, id, reason }, { cause });
  }
}
