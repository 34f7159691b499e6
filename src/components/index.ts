export { getMediaAsset } from './get-media-asset.ts';
export { default as MediaAsset } from './MediaAsset.astro';
