import { pixelsOf } from '../geometry/crop-request.ts';
import { fitPicture } from '../geometry/fit-picture.ts';
import { resolveCrop } from '../geometry/resolve-crop.ts';
import type { MediaAsset, MediaAssetRequest } from '../request/media-asset.ts';
import { type PictureDefaults, parseRequest, placingOf } from '../request/parse-request.ts';

/** The size that an original is taken to have where nobody can look. */
const assumed = { width: 1600, height: 1200 };

/**
 * What a page is given in the place of an asset that cannot be had: one address, in the layout size
 * that the picture would have.
 *
 * @throws what is wrong with the request itself: `asset-id-invalid`, `alt-missing`, `crop-invalid`,
 * `prop-invalid`
 */
export async function standInAsset(
  request: MediaAssetRequest,
  { defaults, originalUrl }: { defaults: PictureDefaults; originalUrl: (id: number) => string },
): Promise<Omit<MediaAsset, 'src' | 'url'>> {
  const { id, alt, page, picture } = parseRequest(request, defaults);
  const pixels = picture.crop.crop?.unit === 'fraction' ? undefined : picture.crop.crop;
  const original = pixels
    ? { width: pixels.x + pixels.width, height: pixels.y + pixels.height }
    : assumed;
  const rectangle =
    pixelsOf(picture.crop) ??
    (await resolveCrop({ id, page, crop: picture.crop }, original, async (area) => ({
      x: area.x + area.width / 2,
      y: area.y + area.height / 2,
    })));
  return {
    id,
    alt,
    srcset: undefined,
    sizes: undefined,
    ...fitPicture({ ...picture, rectangle }).layout,
    ...placingOf(picture),
    sources: [],
    placeholder: undefined,
    placeholderStyle: undefined,
    customFormatUrl: undefined,
    originalUrl: originalUrl(id),
    renditions: [],
  };
}
