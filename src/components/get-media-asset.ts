/// <reference path="./virtual.d.ts" />

import { getMediaAsset as render } from 'virtual:astro-media-asset';
import type { MediaAssetRequest, RenderedAsset } from 'astro-media-asset';

/**
 * What `<MediaAsset>` shows, as data: addresses, size and renditions, for CSS backgrounds, Open
 * Graph, JSON-LD and framework components.
 *
 * @param request `alt` is needed here too: it names the file. `page` names the place in messages.
 * @throws an error with a code and a hint where the request is wrong or the asset cannot be had
 */
export async function getMediaAsset(
  request: Omit<MediaAssetRequest, 'page'> & { page?: string },
): Promise<RenderedAsset> {
  const { page = 'getMediaAsset()', ...asked } = { ...request };
  return render({ ...asked, page });
}
