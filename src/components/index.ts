export { getMediaAsset } from './get-media-asset.ts';
export { getMediaFile } from './get-media-file.ts';
export { default as MediaAsset } from './MediaAsset.astro';
export { default as MediaFile } from './MediaFile.astro';
export { default as MediaVideo } from './MediaVideo.astro';
