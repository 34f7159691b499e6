import type { ImagesContext } from '../assets-context.ts';
import type { FileReference } from '../formats/source.ts';
import { ContentDamaged, streamContent } from '../store/stream-content.ts';
import { SourceLost } from './source-bytes.ts';

/** One version of a file. */
interface FileVersion {
  readonly reference: FileReference;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly hash: string;
}

type Shared = Pick<ImagesContext, 'cache' | 'sources'>;

/**
 * Where one version of a file lies in the cache; it is downloaded again where it is gone.
 *
 * @throws `SourceLost`, `cache-unusable`
 */
export async function sourcePath(
  { cache, sources }: Shared,
  version: FileVersion,
): Promise<string> {
  const { reference, hash } = version;
  const cached = await cache.pathOf(version);
  if (cached) return cached;
  try {
    // In a build this may be the first time that the file is asked for.
    const { hash: found } = await sources.get(reference);
    if (found === hash && !(await cache.pathOf(version))) await sources.download(reference);
  } catch (cause) {
    throw new SourceLost('The file cannot be fetched.', { cause });
  }
  const path = await cache.pathOf(version);
  if (!path) throw new SourceLost('The file has changed.');
  return path;
}

/**
 * Hands the bytes of one version of a file on, piece by piece. Where the cached ones turn out to be
 * damaged, that is done again with new ones.
 *
 * @param write leaves nothing behind when reading fails
 * @throws `SourceLost`, `cache-unusable`, and what `write` throws
 */
export async function writeSource(
  shared: Shared,
  version: FileVersion,
  write: (content: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const once = async () => write(streamContent(await sourcePath(shared, version), version.hash));
  try {
    await once();
  } catch (thrown) {
    if (!(thrown instanceof ContentDamaged)) throw thrown;
    await shared.cache.drop(version);
    await once();
  }
}
