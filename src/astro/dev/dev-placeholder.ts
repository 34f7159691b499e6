import { drawStandIn } from '../../assets/renditions/draw-placeholder.ts';
import { standInAsset } from '../../assets/renditions/placeholder-asset.ts';
import type { MediaAsset, MediaAssetRequest } from '../../assets/request/media-asset.ts';
import type { PictureDefaults } from '../../assets/request/parse-request.ts';
import type { MediaAssetError } from '../../errors/errors.ts';

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
