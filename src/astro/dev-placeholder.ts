import type { MediaAssetError } from '../errors.ts';
import { drawStandIn } from '../images/draw-stand-in.ts';
import type { MediaAsset, MediaAssetRequest } from '../images/media-asset.ts';
import type { PictureDefaults } from '../images/parse-request.ts';
import { standInAsset } from '../images/stand-in-asset.ts';

/**
 * The labelled placeholder that the dev server shows instead of an asset that can't be loaded.
 *
 * @throws what is wrong with the request itself, as `getMediaAsset` does
 */
export type DevPlaceholder = (
  request: MediaAssetRequest,
  error: MediaAssetError,
) => Promise<MediaAsset>;

export function devPlaceholder(site: {
  defaults: PictureDefaults;
  originalUrl: (id: number) => string;
}): DevPlaceholder {
  return async (request, error) => {
    const asset = await standInAsset(request, site);
    const svg = drawStandIn(asset, asset.id, error);
    const src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
    return { ...asset, src, url: src };
  };
}
