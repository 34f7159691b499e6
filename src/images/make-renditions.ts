import sharp, { type Sharp } from 'sharp';
import { formatCredit } from './format-credit.ts';
import { largestPicture } from './probe-picture.ts';
import { readCredit } from './read-credit.ts';
import type { Recipe, Rendition, Size } from './rendition.ts';
import { loadSanitizer } from './sanitize-svg.ts';

/** Of one decoding or encoding, in seconds. */
const longestWork = 300;

/** What renditions share that are made from one decoding: source, rectangle, frames, colours. */
export function decodingKey({ source, rectangle, recipe }: Rendition): string {
  const { x, y, width, height } = rectangle;
  return [source.hash, x, y, width, height, recipe.animated, recipe.gamut].join(' ');
}

/**
 * The bytes of renditions that share a decoding, one after the other: upright, cut, scaled, and of
 * all metadata with creator and copyright only. The source is decoded once, at the largest of their
 * sizes. A drawing is sanitised, or taken as it is.
 *
 * @param bytes of their source
 * @throws what sharp throws; `svg-sanitizer-missing`, and what the sanitizer throws
 */
export async function* makeRenditions(
  bytes: Uint8Array,
  renditions: readonly [Rendition, ...Rendition[]],
): AsyncGenerator<{ rendition: Rendition; bytes: Buffer }> {
  const { recipe } = renditions[0];
  if (recipe.format === 'svg') {
    for (const rendition of renditions) {
      yield { rendition, bytes: await drawingOf(bytes, rendition.recipe) };
    }
    return;
  }
  const decoded =
    recipe.animated || recipe.gamut !== 'srgb' ? undefined : await decode(bytes, renditions);
  const credit = readCredit(await sharp(bytes).metadata());
  for (const rendition of renditions) {
    const picture = decoded
      ? resize(sharp(decoded.data, { raw: decoded.info }), rendition)
      : resize(cut(bytes, rendition), rendition);
    const output = encode(picture.timeout({ seconds: longestWork }), rendition.recipe);
    if (credit) output.withXmp(formatCredit(credit));
    yield { rendition, bytes: await output.toBuffer() };
  }
}

async function drawingOf(bytes: Uint8Array, { sanitizer }: Recipe): Promise<Buffer> {
  return sanitizer === undefined ? Buffer.from(bytes) : (await loadSanitizer()).sanitize(bytes);
}

/** The pixels of what all renditions show, at the size of the largest. */
async function decode(bytes: Uint8Array, renditions: readonly [Rendition, ...Rendition[]]) {
  const [{ rectangle }] = renditions;
  const scale = Math.max(
    ...renditions.map(({ width }) => width / rectangle.width),
    ...renditions.map(({ height }) => height / rectangle.height),
  );
  const size = {
    width: Math.max(...renditions.map(({ width }) => width), Math.round(rectangle.width * scale)),
    height: Math.max(
      ...renditions.map(({ height }) => height),
      Math.round(rectangle.height * scale),
    ),
  };
  return resize(cut(bytes, renditions[0]), size)
    .toColourspace('srgb')
    .timeout({ seconds: longestWork })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
}

/** The part of the source that a rendition shows, upright. */
function cut(bytes: Uint8Array, { corner, rectangle, recipe }: Rendition): Sharp {
  const { animated } = recipe;
  const picture = sharp(bytes, { failOn: 'error', limitInputPixels: largestPicture, animated });
  const { x, y, width, height } = rectangle;
  const upright = animated ? picture : picture.autoOrient();
  return upright.extract({ left: x - corner.x, top: y - corner.y, width, height });
}

function resize(picture: Sharp, { width, height }: Size): Sharp {
  return picture.resize({ width, height, fit: 'fill' });
}

function encode(picture: Sharp, { format, quality, gamut }: Recipe): Sharp {
  const settings = quality === undefined ? {} : { quality };
  const coloured = gamut === 'p3' ? picture.withIccProfile('p3') : picture.toColourspace('srgb');
  switch (format) {
    case 'webp':
      return coloured.webp(settings);
    case 'avif':
      return coloured.avif(settings);
    case 'jpeg':
      // What was transparent would come out black.
      return coloured.flatten({ background: '#ffffff' }).jpeg(settings);
    case 'png':
      return coloured.png(settings);
    case 'gif':
      return coloured.gif();
    case 'svg':
      throw new Error('A drawing is not made of pixels.');
  }
}
