import type { Download } from '../../service/types.ts';
import { probePicture } from '../formats/probe-picture.ts';
import { describeSource, type PictureReference, type Source } from '../formats/source.ts';
import type { AssetStore } from '../store/asset-store.ts';

/** Throws for a download that must not get into the cache. `file` is its path. */
export type JudgePicture = (
  file: string,
  facts: Awaited<ReturnType<typeof probePicture>>,
) => Promise<void>;

/**
 * Takes a download into the cache once it is known to be a whole picture.
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
  const { body, validators } = download;
  try {
    return await cache.receive(reference, body, async (path) => {
      const picture = await probePicture(path, describeSource(reference));
      await judge?.(path, picture);
      return { ...picture, ...validators, fetchedAt: now };
    });
  } finally {
    // Where the body was read to its end, there is nothing left to cancel.
    await body.cancel().catch(() => undefined);
  }
}
