import type { ImagesContext } from './images-context.ts';
import type { RenditionSource } from './rendition.ts';

/** The version that something was made from can no longer be had. `cause` says why, if known. */
export class SourceLost extends Error {
  override readonly name = 'SourceLost';
}

/**
 * The bytes of one version of a source. By hash: a newer version doesn't hide the one that is asked
 * for.
 *
 * @throws `SourceLost`, `cache-unusable`
 */
export async function sourceBytes(
  { cache, sources }: Pick<ImagesContext, 'cache' | 'sources'>,
  version: RenditionSource,
): Promise<Buffer> {
  const { reference, hash } = version;
  const cached = await cache.read(version);
  if (cached) return cached;
  try {
    // In a build this may be the first time that the source is asked for.
    const { hash: found } = await sources.get(reference);
    const bytes = found === hash ? await cache.read(version) : undefined;
    if (bytes) return bytes;
    if (found === hash) await sources.download(reference);
  } catch (cause) {
    throw new SourceLost('The source cannot be fetched.', { cause });
  }
  const bytes = await cache.read(version);
  if (!bytes) throw new SourceLost('The source has changed.');
  return bytes;
}
