import type { PageAssets } from '../assets/page-assets.ts';
import type { Asking } from '../assets/request/asking.ts';
import type { MediaAssetRequest } from '../assets/request/media-asset.ts';
import type { MediaFileRequest } from '../assets/request/media-file.ts';
import type { DescribeForToolbar } from '../authoring/toolbar/shown-asset.ts';
import { inAuthorsWords } from '../errors/author-words.ts';
import type { MediaAssetError } from '../errors/errors.ts';

/** What the dev server does with the assets of a page or a text. */
export interface DevHandling {
  readonly describe: DescribeForToolbar | undefined;
  /** The error of an asset that's missing. Throws any error that must stop the rendering. */
  survived(thrown: unknown, asking: Asking): Promise<MediaAssetError>;
  note(error: MediaAssetError, asking: Asking): void | Promise<void>;
}

/** The assets of the dev server: a missing image is a labelled placeholder. */
export function imagesInDev(images: PageAssets, handling: DevHandling) {
  const { describe, survived, note } = handling;
  return {
    ...images,
    async getMediaAsset(request: MediaAssetRequest, asking: Asking) {
      let failure: MediaAssetError | undefined;
      const asset = await images.getMediaAsset(request, asking).catch(async (thrown) => {
        const error = await survived(thrown, asking);
        failure = inAuthorsWords(error);
        await note(error, asking);
        // An author writes the text with the toolbar, and sees the image meanwhile.
        return failure.code === 'alt-missing'
          ? images.getMediaAsset({ ...request, alt: '' }, asking)
          : images.missingImage(request, asking, failure);
      });
      return { ...asset, toolbar: await describe?.({ request, asking, asset, failure }) };
    },
    async getMediaFile(request: MediaFileRequest, asking: Asking) {
      const file = await images.getMediaFile(request, asking);
      return file && { ...file, toolbar: await describe?.({ asking, file }) };
    },
  };
}
