import type { Sharp } from 'sharp';
import { formatCredit } from '../formats/credit.ts';
import { embedXmpInGif } from '../formats/embed-xmp.ts';
import { type Frames, longestWork, openPixels, renderPixels } from '../formats/pixels.ts';
import type { Recipe, Rendition, Size } from '../formats/rendition.ts';
import { cutImage } from './cut-image.ts';
import { type DecodedSource, gamutOf } from './decode-source.ts';

/** Whether a decoded source already has the size of a rendition. */
export function hasSizeOf({ pixels }: DecodedSource, { width, height }: Size): boolean {
  return !pixels || (pixels.width === width && pixels.height === height);
}

/** Resizes a decoded source to the size of a rendition. @throws errors of sharp */
export async function resizeSource(source: DecodedSource, size: Size): Promise<DecodedSource> {
  const { pixels, credit } = source;
  if (!pixels || hasSizeOf(source, size)) return source;
  return { pixels: await renderPixels(resize(openPixels(pixels), size), pixels), credit };
}

/**
 * The bytes of a rendition: upright, cut, scaled, with creator and copyright as its only metadata. An
 * SVG is left unchanged.
 *
 * @param source in the rendition's size, if it has pixels
 * @throws errors of sharp
 */
export async function makeRendition(source: DecodedSource, rendition: Rendition): Promise<Buffer> {
  const { corner, rectangle, recipe } = rendition;
  const { format, animated } = recipe;
  if (!source.pixels && format === 'svg') return Buffer.from(source.bytes);
  const cut = { corner, rectangle, animated, gamut: gamutOf(recipe) };
  const image = source.pixels
    ? openPixels(source.pixels)
    : resize((await cutImage(source.bytes, cut)).image, rendition);
  const frames = source.pixels?.frames;
  const output = encode(image.timeout({ seconds: longestWork }), { recipe, frames });
  if (!source.credit && !recipe.credit) return output.toBuffer();
  const xmp = formatCredit(source.credit, recipe.credit);
  if (format === 'gif') return embedXmpInGif(await output.toBuffer(), xmp);
  return output.withXmp(xmp).toBuffer();
}

function resize(image: Sharp, { width, height }: Size): Sharp {
  return image.resize({ width, height, fit: 'fill' });
}

function encode(
  image: Sharp,
  {
    recipe: { format, quality, effort, background },
    frames,
  }: { recipe: Recipe; frames: Frames | undefined },
): Sharp {
  const settings = {
    ...(quality !== undefined && { quality }),
    ...(effort !== undefined && { effort }),
  };
  const filled = background === undefined ? image : image.flatten({ background });
  const times = frames && { delay: frames.delay, loop: frames.loop };
  const converted = filled.toColourspace('srgb');
  switch (format) {
    case 'webp':
      return converted.webp({ ...settings, ...times });
    case 'avif':
      return converted.avif(settings);
    case 'jpeg':
      // A JPEG would show transparent parts in black.
      return converted
        .flatten({ background: background ?? '#ffffff' })
        .jpeg({ ...settings, progressive: true });
    case 'png':
      return converted.png(settings);
    case 'gif':
      return converted.gif(settings);
    case 'svg':
      throw new Error('An SVG has no pixels.');
  }
}
