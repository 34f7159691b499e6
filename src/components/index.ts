/// <reference path="./virtual.d.ts" />

import { ask, imageAttributes } from 'virtual:astro-media-asset';
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
 * JSON-LD and framework components, and the `attributes` of its `<img>`.
 *
 * @param request `alt` is required unless the site has the option `record`. `page` is the path of
 * the page, such as `Astro.url.pathname`.
 * @throws an error with a code and a hint if the request is invalid or the asset can't be loaded
 */
export async function getMediaAsset(request: MediaAssetRequest): Promise<RenderedAsset> {
  const asset = await ask.asset({ ...request });
  if (!asset.available) return asset;
  const { attributes, sources } = imageAttributes(asset, { alt: asset.alt, attributes: {} });
  // An island's data names what it gets, also without a value.
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return { ...asset, sources, attributes: Object.fromEntries(given) };
}

/**
 * Returns what an asset's record says about its makers: credit, creators, copyright and license. Needs
 * the option `record`, or `sourceLabels` for the label alone.
 *
 * @param request `page` is the path of the page, such as `Astro.url.pathname`.
 * @throws an error with a code and a hint if the record can't be read
 */
export async function getMediaCredit(request: MediaCreditRequest): Promise<RenderedCredit> {
  return ask.credit({ ...request });
}

/**
 * Returns the data of a `<MediaFile>`: URL, type and size, for feeds, JSON-LD and framework
 * components.
 *
 * @param request `page` is the path of the page, such as `Astro.url.pathname`.
 * @throws an error with a code and a hint if the request is invalid or the file can't be published
 */
export async function getMediaFile(request: MediaFileRequest): Promise<RenderedFile> {
  return ask.file({ ...request });
}
