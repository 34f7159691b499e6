import sharp, { type Sharp } from 'sharp';
import { cutPicture } from './cut-picture.ts';
import { type DecodedSource, longestWork, type Pixels, pixelsOf } from './decode-source.ts';
import { formatCredit } from './format-credit.ts';
import type { Recipe, Rendition, Size } from './rendition.ts';
import { loadSanitizer } from './sanitize-svg.ts';

/** A decoded source in the size of a rendition. @throws what sharp throws */
export async function resizeSource(
  source: DecodedSource,
  { width, height }: Size,
): Promise<DecodedSource> {
  const { pixels } = source;
  if (!pixels || (pixels.width === width && pixels.height === height)) return source;
  return { ...source, pixels: await pixelsOf(resize(pictureOf(pixels), { width, height })) };
}

/**
 * The bytes of a rendition: upright, cut, scaled, and of all metadata with creator and copyright
 * only. A drawing is sanitised, or taken as it is.
 *
 * @param source in the rendition's size, where it has pixels
 * @throws what sharp throws; `svg-sanitizer-missing`, and what the sanitizer throws
 */
export async function makeRendition(
  { bytes, pixels, credit }: DecodedSource,
  rendition: Rendition,
): Promise<Buffer> {
  const { corner, rectangle, recipe } = rendition;
  const { format, animated, sanitizer } = recipe;
  if (format === 'svg') {
    return sanitizer === undefined ? Buffer.from(bytes) : (await loadSanitizer()).sanitize(bytes);
  }
  const picture = pixels
    ? pictureOf(pixels)
    : resize((await cutPicture(bytes, { corner, rectangle, animated })).picture, rendition);
  const output = encode(picture.timeout({ seconds: longestWork }), recipe);
  if (credit) output.withXmp(formatCredit(credit));
  return output.toBuffer();
}

function pictureOf({ data, width, height, channels }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}

function resize(picture: Sharp, { width, height }: Size): Sharp {
  return picture.resize({ width, height, fit: 'fill' });
}

function encode(picture: Sharp, { format, quality, gamut, background }: Recipe): Sharp {
  const settings = quality === undefined ? {} : { quality };
  const filled = background === undefined ? picture : picture.flatten({ background });
  const coloured = gamut === 'p3' ? filled.withIccProfile('p3') : filled.toColourspace('srgb');
  switch (format) {
    case 'webp':
      return coloured.webp(settings);
    case 'avif':
      return coloured.avif(settings);
    case 'jpeg':
      // What was transparent would come out black.
      return coloured.flatten({ background: background ?? '#ffffff' }).jpeg(settings);
    case 'png':
      return coloured.png(settings);
    case 'gif':
      return coloured.gif();
    case 'svg':
      throw new Error('A drawing is not made of pixels.');
  }
}
