import sharp, { type Metadata, type Sharp } from 'sharp';
import { largestPicture } from './probe-picture.ts';
import type { Point, Rectangle } from './rendition.ts';

/**
 * The part of a source that a rectangle of the original shows, upright; animations as their frames
 * are.
 *
 * @param corner where the first pixel of the source lies in the original
 * @throws what sharp throws
 */
export async function cutPicture(
  bytes: Uint8Array,
  {
    corner,
    rectangle,
    animated = false,
  }: { corner: Point; rectangle: Rectangle; animated?: boolean },
): Promise<{ picture: Sharp; metadata: Metadata }> {
  const picture = sharp(bytes, { failOn: 'error', limitInputPixels: largestPicture, animated });
  const metadata = await picture.metadata();
  const { x, y, width, height } = rectangle;
  const part = { left: x - corner.x, top: y - corner.y, width, height };
  if (animated) return { picture: picture.extract(part), metadata };
  const { autoOrient: whole } = metadata;
  picture.autoOrient();
  // Without a part to cut out, a JPEG that is made small need not be decoded in full.
  const isWhole = width === whole.width && height === whole.height;
  return { picture: isWhole ? picture : picture.extract(part), metadata };
}
