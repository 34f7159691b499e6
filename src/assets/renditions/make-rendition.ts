import type { Sharp } from 'sharp';
import { type Credit, formatCredit, readCredit } from '../formats/credit.ts';
import { decodeSmall, type Prove } from '../formats/probe-image.ts';
import type { Recipe, Rendition, Size } from '../formats/rendition.ts';
import { sharp } from '../formats/sharp.ts';
import { scaledSize } from '../geometry/fit-image.ts';
import { cutImage } from './cut-image.ts';

// A rendition is made in three steps: decode its source, resize the pixels, encode them. Renditions of
// an image share what the first two have made.

/** The limit for one decoding or encoding, in seconds. */
const longestWork = 300;

/** The longest side of the decoded pixels that all renditions up to this size share. */
const sharedSide = 1280;

/** How many bytes of pixels wait for their renditions: those of a dozen photographs. */
const keptBytes = 40e6;

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

/** The pixels that the proofs of downloads read, for the small renditions that follow. */
export function createProvenPixels(room = keptBytes) {
  const kept = new Map<string, { decoded: Promise<DecodedSource>; size: number }>();
  let left = room;
  function take(key: string): Promise<DecodedSource> | undefined {
    const { decoded, size = 0 } = kept.get(key) ?? {};
    kept.delete(key);
    left += size;
    return decoded;
  }
  /** If there's room, keeps what it reads. */
  const prove: Prove = (hash) => (image, proof) => {
    const { bytes, width, height, animated, transparent, failOn } = proof;
    const rendition: Rendition = {
      ...{ source: { reference: { kind: 'original', id: 1 }, hash } },
      ...{ corner: { x: 0, y: 0 }, rectangle: { x: 0, y: 0, width, height } },
      ...{ width: 1, height: 1, recipe: { format: 'webp', animated } },
    };
    const key = decodingKey(rendition);
    const shared = decodedSize(rendition);
    const size = shared.width * shared.height * (transparent ? 4 : 3);
    if (animated || failOn !== 'error' || size > left || kept.has(key))
      return decodeSmall(image, proof);
    const decoded = decodeSource(bytes, rendition);
    kept.set(key, { decoded, size });
    left -= size;
    decoded.catch(() => void take(key));
    return decoded;
  };
  return {
    prove,
    /** The pixels that a rendition is made from. They're given away once. */
    takePixels: (rendition: Rendition) => take(decodingKey(rendition)),
  };
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
