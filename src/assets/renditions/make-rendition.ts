import type { Sharp } from 'sharp';
import { type Credit, formatCredit, readCredit } from '../formats/credit.ts';
import type { Recipe, Rendition } from '../formats/rendition.ts';
import { sharp } from '../formats/sharp.ts';
import { scaledSize } from '../geometry/fit-image.ts';
import type { Size } from '../geometry/rectangle.ts';
import { cutImage } from './cut-image.ts';

// A rendition is made in three steps: decode its source, resize the pixels, encode them. Renditions of
// an image share what the first two have made.

/** The limit for one decoding or encoding, in seconds. */
const longestWork = 300;

/** The longest side of the decoded pixels that all renditions up to this size share. */
const sharedSide = 1280;

/** A source that renditions are made from: its pixels, or its bytes if each rendition decodes them. */
export type DecodedSource = { readonly credit: Credit | undefined } & (
  | { readonly pixels: Pixels }
  | { readonly pixels?: undefined; readonly bytes: Uint8Array }
);

/** A decoded image with 8 bits per channel. */
interface Pixels extends Size {
  /** Raw. */
  readonly data: Buffer;
  readonly channels: 1 | 2 | 3 | 4;
}

/** Equal for renditions that share one decoding. */
export function decodingKey(rendition: Rendition): string {
  const { source, rectangle, recipe } = rendition;
  const { x, y, width, height } = rectangle;
  const size = decodedSize(rendition);
  return [
    source.hash,
    ...[x, y, width, height, size.width, size.height],
    ...[recipe.animated, isFromBytes(recipe)],
  ].join(' ');
}

export async function decodeSource(
  bytes: Uint8Array,
  rendition: Rendition,
): Promise<DecodedSource> {
  const { recipe } = rendition;
  if (recipe.format === 'svg') return { bytes, credit: undefined };
  const { image, metadata } = await cutFor(rendition, bytes);
  const credit = readCredit(metadata);
  if (isFromBytes(recipe)) return { bytes, credit };
  const scaled = resize(image, decodedSize(rendition)).toColourspace('srgb');
  return { pixels: await renderPixels(scaled), credit };
}

/** Returns the same source if it has this size, or no pixels. */
export async function resizeSource(source: DecodedSource, size: Size): Promise<DecodedSource> {
  const { pixels, credit } = source;
  if (!pixels || (pixels.width === size.width && pixels.height === size.height)) return source;
  return { pixels: await renderPixels(resize(openPixels(pixels), size)), credit };
}

/**
 * The bytes of a rendition, with creator and copyright as its only metadata, which a GIF doesn't have. An
 * SVG is left unchanged.
 *
 * @param source in the rendition's size, if it has pixels
 */
export async function makeRendition(source: DecodedSource, rendition: Rendition): Promise<Buffer> {
  const { recipe } = rendition;
  if (!source.pixels && recipe.format === 'svg') return Buffer.from(source.bytes);
  const image = source.pixels
    ? openPixels(source.pixels)
    : resize((await cutFor(rendition, source.bytes)).image, rendition);
  const output = encode(image.timeout({ seconds: longestWork }), recipe);
  if (!source.credit && !recipe.credit) return output.toBuffer();
  return output.withXmp(formatCredit(source.credit, recipe.credit)).toBuffer();
}

function cutFor({ corner, rectangle, recipe }: Rendition, bytes: Uint8Array) {
  return cutImage(bytes, { corner, rectangle, animated: recipe.animated });
}

/** Whether each rendition is made from the bytes: an SVG has no pixels, an animation has many. */
function isFromBytes({ format, animated }: Recipe): boolean {
  return format === 'svg' || animated;
}

/**
 * The size that a source is decoded at for a rendition: 1,280 pixels on the longer side, doubled until
 * the rendition fits, and at most the rectangle's size. It depends on the rendition alone, so a
 * rendition has the same bytes whatever else is made at the same time.
 */
function decodedSize({ rectangle, width, height }: Rendition): Size {
  const longest = Math.max(rectangle.width, rectangle.height);
  for (let side = sharedSide; side < longest; side *= 2) {
    const shared = scaledSize(rectangle, side / longest);
    if (width <= shared.width && height <= shared.height) return shared;
  }
  return { width: rectangle.width, height: rectangle.height };
}

async function renderPixels(image: Sharp): Promise<Pixels> {
  const { data, info } = await image
    .raw({ depth: 'uchar' })
    .timeout({ seconds: longestWork })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { data, width, height, channels };
}

function openPixels({ data, width, height, channels }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}

function resize(image: Sharp, { width, height }: Size): Sharp {
  return image.resize({ width, height, fit: 'fill' });
}

function encode(image: Sharp, { format, quality, effort, background }: Recipe): Sharp {
  const settings = { quality, effort };
  const filled = background === undefined ? image : image.flatten({ background });
  const converted = filled.toColourspace('srgb');
  if (format === 'svg') throw new Error('An SVG has no pixels.');
  if (format !== 'jpeg') return converted[format](settings);
  // A JPEG would show transparent parts in black.
  const opaque = converted.flatten({ background: background ?? '#ffffff' });
  return opaque.jpeg({ ...settings, progressive: true });
}
