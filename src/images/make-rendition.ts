import sharp, { type Sharp } from 'sharp';
import { largestPicture } from './probe-picture.ts';
import type { Recipe, Rendition } from './rendition.ts';

/** Of one rendition, in seconds. */
const longestWork = 300;

/**
 * The bytes of a rendition: upright, cut, scaled, in sRGB, without any metadata.
 *
 * @param bytes of its source
 * @throws what sharp throws
 */
export async function makeRendition(bytes: Uint8Array, rendition: Rendition): Promise<Buffer> {
  const { source, rectangle, width, height, recipe } = rendition;
  let picture = sharp(bytes, { failOn: 'error', limitInputPixels: largestPicture })
    .timeout({ seconds: longestWork })
    .autoOrient();
  // A custom format is its rectangle already.
  if (source.reference.kind === 'original') {
    const { x, y } = rectangle;
    picture = picture.extract({
      left: x,
      top: y,
      width: rectangle.width,
      height: rectangle.height,
    });
  }
  return encode(
    picture.resize({ width, height, fit: recipe.fit }).toColourspace('srgb'),
    recipe,
  ).toBuffer();
}

function encode(picture: Sharp, { format, quality }: Recipe): Sharp {
  const settings = quality === undefined ? {} : { quality };
  switch (format) {
    case 'webp':
      return picture.webp(settings);
    case 'avif':
      return picture.avif(settings);
    case 'jpeg':
      // What was transparent would come out black.
      return picture.flatten({ background: '#ffffff' }).jpeg(settings);
    case 'png':
      return picture.png(settings);
  }
}
