/// <reference path="./virtual.d.ts" />

import { getMediaFile as render } from 'virtual:astro-media-asset';
import type { MediaFileRequest, RenderedFile } from 'astro-media-asset';

/**
 * What `<MediaFile>` links, as data: address, type and size, for feeds, JSON-LD and framework
 * components.
 *
 * @param request `page` names the place in messages.
 * @throws an error with a code and a hint where the request is wrong or the file cannot be published
 */
export async function getMediaFile(
  request: Omit<MediaFileRequest, 'page'> & { page?: string },
): Promise<RenderedFile> {
  const { page = 'getMediaFile()', ...asked } = { ...request };
  return render({ ...asked, page });
}
