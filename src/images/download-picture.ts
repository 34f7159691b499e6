import { rm, writeFile } from 'node:fs/promises';
import { isMediaAssetError, mediaAssetError } from '../errors.ts';
import type { Download } from '../service/media-service.ts';
import type { PictureCache } from './cacache-picture-cache.ts';
import { probePicture } from './probe-picture.ts';
import { describeSource, type PictureReference, type Source } from './source.ts';

/**
 * Takes a download into the cache once it is known to be a whole picture. Until then it lies in a
 * file of its own, which is deleted either way.
 *
 * @throws what reading the body throws; `download-not-a-picture`, `picture-too-large`,
 * `cache-unusable`
 */
export async function downloadPicture(
  download: Extract<Download, { status: 'received' }>,
  {
    reference,
    cache,
    now,
  }: {
    reference: PictureReference;
    cache: PictureCache;
    /** Milliseconds since the epoch. */
    now: number;
  },
): Promise<Source> {
  let file: string | undefined;
  try {
    file = await cache.temporaryFile(reference.id);
    await writeBody(file, download.body);
    const picture = await probePicture(file, describeSource(reference));
    const { etag, lastModified } = download.validators;
    return await cache.add(reference, file, { ...picture, etag, lastModified, fetchedAt: now });
  } finally {
    // Where the body was read to its end, there is nothing left to cancel.
    await download.body.cancel().catch(() => undefined);
    if (file !== undefined) await rm(file, { force: true });
  }
}

/**
 * Writes the body of a download into its file.
 *
 * @throws what reading the body throws; `cache-unusable`
 */
export async function writeBody(file: string, body: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    await writeFile(file, body);
  } catch (thrown) {
    if (isMediaAssetError(thrown)) throw thrown;
    throw mediaAssetError('cache-unusable', { path: file }, { cause: thrown });
  }
}
