/// <reference path="./virtual.d.ts" />

import {
  getMediaAsset as renderAsset,
  getMediaCredit as renderCredit,
  getMediaFile as renderFile,
} from 'virtual:astro-media-asset';
import type {
  MediaAssetRequest,
  MediaCreditRequest,
  MediaFileRequest,
  RenderedAsset,
  RenderedCredit,
  RenderedFile,
} from 'astro-media-asset';

export { default as MediaAsset } from './MediaAsset.astro';
export { default as MediaCredit } from './MediaCredit.astro';
export { default as MediaCredits } from './MediaCredits.astro';
export { default as MediaFile } from './MediaFile.astro';
export { default as MediaVideo } from './MediaVideo.astro';

/**
 * Returns the data of a `<MediaAsset>`: URLs, size and renditions, for CSS backgrounds, Open Graph,
 * JSON-LD and framework components.
 *
 * @param request `alt` is required unless the site has the option `record`. `page` names the page in
 * messages.
 * @throws an error with a code and a hint if the request is invalid or the asset can't be loaded
 */
export async function getMediaAsset(request: MediaAssetRequest): Promise<RenderedAsset> {
  return renderAsset({ ...request });
}

/**
 * Returns what an asset's record says about its makers: credit, creators, copyright and license. Needs
 * the option `record`, or `sourceLabels` for the label alone.
 *
 * @param request `page` names the page in messages.
 * @throws an error with a code and a hint if the record can't be read
 */
export async function getMediaCredit(request: MediaCreditRequest): Promise<RenderedCredit> {
  return renderCredit({ ...request });
}

/**
 * Returns the data of a `<MediaFile>`: URL, type and size, for feeds, JSON-LD and framework
 * components.
 *
 * @param request `page` names the page in messages.
 * @throws an error with a code and a hint if the request is invalid or the file can't be published
 */
export async function getMediaFile(request: MediaFileRequest): Promise<RenderedFile> {
  return renderFile({ ...request });
}
