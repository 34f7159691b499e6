import sharp, { type Metadata, type Sharp } from 'sharp';
import { largestPicture } from '../formats/decoding-memory.ts';
import { displayedSize, isAnimation } from '../formats/probe-picture.ts';
import type { Gamut, Point, Rectangle } from '../formats/rendition.ts';

/**
 * The part of a source that a rectangle of the original shows, upright; animations as their frames
 * are.
 *
 * @param corner where the first pixel of the source lies in the original
 * @param gamut the colours that come out: in Display P3 only where the source says that it has others
 * than those of sRGB
 * @returns `wide`: whether they come out in Display P3
 * @throws what sharp throws
 */
export async function cutPicture(
  bytes: Uint8Array,
  {
    corner,
    rectangle,
    animated = false,
    gamut = 'srgb',
  }: { corner: Point; rectangle: Rectangle; animated?: boolean; gamut?: Gamut },
): Promise<{ picture: Sharp; metadata: Metadata; wide: boolean }> {
  const settings = { failOn: 'error', limitInputPixels: largestPicture, animated } as const;
  const metadata = await sharp(bytes, settings).metadata();
  const converts = intoGamut(metadata, gamut);
  const wide = converts && gamut !== 'srgb';
  const picture = converts
    ? sharp(bytes, { ...settings, ignoreIcc: true }).withIccProfile(gamut, {
        attach: wide,
      })
    : sharp(bytes, settings);
  const { x, y, width, height } = rectangle;
  const part = { left: x - corner.x, top: y - corner.y, width, height };
  if (animated) return { picture: picture.extract(part), metadata, wide };
  const whole = displayedSize(metadata);
  if (!isAnimation(metadata)) picture.autoOrient();
  // Without a part to cut out, a JPEG that is made small need not be decoded in full.
  const isWhole = width === whole.width && height === whole.height;
  return { picture: isWhole ? picture : picture.extract(part), metadata, wide };
}

/**
 * Whether a picture has to be taken from its own profile into the output's in one step. sharp by
 * itself takes 8 bits into sRGB first, which loses wider colours, and 16 bits into Display P3, whose
 * numbers it then leaves as they are.
 */
function intoGamut({ space, hasProfile }: Metadata, gamut: Gamut): boolean {
  return hasProfile && (space === 'rgb16' || (space === 'srgb' && gamut !== 'srgb'));
}
