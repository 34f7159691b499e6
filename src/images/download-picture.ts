import type { Download } from '../service/media-service.ts';
import { removeFile } from '../storage/outlast-hold.ts';
import type { AssetStore } from './asset-store.ts';
import { probePicture } from './probe-picture.ts';
import { describeSource, type PictureReference, type Source } from './source.ts';
import { writeBody } from './write-body.ts';

/** Throws for a download that must not get into the cache. `file` is its path. */
export type JudgePicture = (
  file: string,
  facts: Awaited<ReturnType<typeof probePicture>>,
) => Promise<void>;

/**
 * Takes a download into the cache once it is known to be a whole picture. Until then it lies in a
 * file of its own, which is deleted either way.
 *
 * @throws what reading the body and `judge` throw; `download-not-a-picture`, `picture-too-large`,
 * `cache-unusable`
 */
export async function downloadPicture(
  download: Extract<Download, { status: 'received' }>,
  {
    reference,
    cache,
    now,
    judge,
  }: {
    reference: PictureReference;
    cache: AssetStore;
    /** Milliseconds since the epoch. */
    now: number;
    judge?: JudgePicture | undefined;
  },
): Promise<Source> {
  let path: string | undefined;
  try {
    path = await cache.temporaryFile(reference.id);
    const file = await writeBody(path, download.body);
    const picture = await probePicture(path, describeSource(reference));
    await judge?.(path, picture);
    const { etag, lastModified } = download.validators;
    return await cache.add(reference, file, { ...picture, etag, lastModified, fetchedAt: now });
  } finally {
    // Where the body was read to its end, there is nothing left to cancel.
    await download.body.cancel().catch(() => undefined);
    // One that stays is removed by a later build.
    if (path !== undefined) await removeFile(path).catch(() => undefined);
  }
}
