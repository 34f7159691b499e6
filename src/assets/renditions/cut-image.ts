import type { Metadata, Sharp } from 'sharp';
import { largestImage } from '../formats/decoding-memory.ts';
import type { Gamut } from '../formats/output-formats.ts';
import { displayedSize, isTurned } from '../formats/probe-image.ts';
import { applyReading, type Reading } from '../formats/reading.ts';
import type { Point, Rectangle } from '../formats/rendition.ts';
import { sharp } from '../formats/sharp.ts';

/**
 * Cuts a rectangle of the original out of a source, by default all of it. The result is upright.
 *
 * @param bytes of the source, or its path
 * @param wanted.corner the position of the source's first pixel in the original, unless that's 0, 0
 * @param wanted.gamut the output's colors. Display P3 applies only if the source has colors of its own
 * @returns `wide`: whether the colors are in Display P3
 */
export async function cutImage(
  bytes: Uint8Array | string,
  wanted: {
    reading?: Reading | null;
    corner?: Point;
    rectangle?: Rectangle;
    animated?: boolean;
    gamut?: Gamut;
  } = {},
): Promise<{ image: Sharp; metadata: Metadata; wide: boolean }> {
  const { corner = { x: 0, y: 0 }, animated = false, gamut = 'srgb' } = wanted;
  const settings = { failOn: 'error', limitInputPixels: largestImage, animated } as const;
  const input = typeof bytes === 'string' ? bytes : applyReading(bytes, wanted.reading);
  const metadata = await sharp(input, settings).metadata();
  const converts = intoGamut(metadata, gamut);
  const wide = converts && gamut !== 'srgb';
  const image = converts
    ? sharp(input, { ...settings, ignoreIcc: true }).withIccProfile(gamut, { attach: wide })
    : sharp(input, settings);
  const whole = displayedSize(metadata);
  const { x, y, width, height } = wanted.rectangle ?? { ...corner, ...whole };
  const part = { left: x - corner.x, top: y - corner.y, width, height };
  if (animated) return { image: image.extract(part), metadata, wide };
  if (isTurned(metadata)) image.autoOrient();
  // If the whole image is used, sharp can decode a JPEG at a smaller size.
  const isWhole = width === whole.width && height === whole.height;
  return { image: isWhole ? image : image.extract(part), metadata, wide };
}

/**
 * Whether colors must be converted from the image's profile to the output's in one step. By default,
 * sharp converts 8 bits to sRGB first, which loses wide colors, and 16 bits to Display P3, whose
 * numbers it then keeps.
 */
function intoGamut({ space, hasProfile }: Metadata, gamut: Gamut): boolean {
  return hasProfile && (space === 'rgb16' || (space === 'srgb' && gamut !== 'srgb'));
}
