import type { Metadata, Sharp } from 'sharp';
import { largestImage } from '../formats/decoding-memory.ts';
import { displayedSize, isTurned } from '../formats/probe-image.ts';
import { withAvifBrand } from '../formats/reading.ts';
import type { Recipe, Rendition } from '../formats/rendition.ts';
import { sharp } from '../formats/sharp.ts';

/**
 * Cuts a rectangle of the original out of a source, by default all of it. The result is upright.
 *
 * @param bytes of the source, or its path
 * @param wanted.corner the position of the source's first pixel in the original, unless that's 0, 0
 */
export async function cutImage(
  bytes: Uint8Array | string,
  wanted: Partial<Pick<Rendition, 'corner' | 'rectangle'> & Pick<Recipe, 'animated'>> = {},
): Promise<{ image: Sharp; metadata: Metadata }> {
  const { corner = { x: 0, y: 0 }, animated = false } = wanted;
  const settings = { failOn: 'error', limitInputPixels: largestImage, animated } as const;
  const input = typeof bytes === 'string' ? bytes : withAvifBrand(bytes);
  const metadata = await sharp(input, settings).metadata();
  // By default, sharp converts 16 bits with a profile to Display P3, whose numbers it then keeps.
  const image =
    metadata.hasProfile && metadata.space === 'rgb16'
      ? sharp(input, { ...settings, ignoreIcc: true }).withIccProfile('srgb', { attach: false })
      : sharp(input, settings);
  const whole = displayedSize(metadata);
  const { x, y, width, height } = wanted.rectangle ?? { ...corner, ...whole };
  const part = { left: x - corner.x, top: y - corner.y, width, height };
  if (animated) return { image: image.extract(part), metadata };
  if (isTurned(metadata)) image.autoOrient();
  // If the whole image is used, sharp can decode a JPEG at a smaller size.
  const isWhole = width === whole.width && height === whole.height;
  return { image: isWhole ? image : image.extract(part), metadata };
}
