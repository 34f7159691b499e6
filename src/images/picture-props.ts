import type { ArtDirection, MediaAssetRequest } from './media-asset.ts';

/** What an entry of `sources` can say. A property of `ArtDirection` that is not here is an error of `tsc`. */
export const sourceProps: Record<keyof ArtDirection, true> = {
  media: true,
  crop: true,
  aspect: true,
  focus: true,
  width: true,
  height: true,
  fit: true,
  position: true,
  densities: true,
  widths: true,
  sizes: true,
  layout: true,
};

const { media: _, ...partProps } = sourceProps;

/** The props of a picture. A property of `MediaAssetRequest` that is not here is an error of `tsc`. */
export const pictureProps: Record<Exclude<keyof MediaAssetRequest, 'id' | 'page'>, true> = {
  ...partProps,
  alt: true,
  format: true,
  formats: true,
  quality: true,
  background: true,
  gamut: true,
  placeholder: true,
  sources: true,
};
