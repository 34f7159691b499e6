import type { Metadata, Sharp } from 'sharp';
import { type Credit, embedXmpInGif, formatCredit, readCredit } from '../formats/credit.ts';
import type { Gamut, Recipe, Rendition, Size } from '../formats/rendition.ts';
import { sharp } from '../formats/sharp.ts';
import { scaledSize } from '../geometry/fit-image.ts';
import { cutImage } from './cut-image.ts';

// A rendition is made in three steps: decode its source, resize the pixels, encode them. Renditions
// share what the first two have made.

/** The limit for one decoding or encoding, in seconds. */
const longestWork = 300;

/** The longest side of the decoded pixels that all renditions up to this size share. */
const sharedSide = 2560;

/** The most pixels of an animation's frames together that are kept in memory. */
const mostInFrames = (2 * sharedSide) ** 2;

/** The longest frame delay that encoders support, in ms. */
const longestDelay = 65_535;

/** A source that renditions are made from: its pixels, or its bytes if each rendition decodes them. */
export type DecodedSource = { readonly credit: Credit | undefined } & (
  | { readonly pixels: Pixels }
  | { readonly pixels?: undefined; readonly bytes: Uint8Array }
);

/** A decoded image with 8 bits per channel. Its size is that of one frame. */
interface Pixels extends Size, PixelsKind {
  /** Raw, frame below frame. Wide colors are an uncompressed TIFF, which contains their profile. */
  readonly data: Buffer;
  readonly channels: 1 | 2 | 3 | 4;
}

interface PixelsKind {
  /** Whether the colors are in Display P3. */
  readonly wide: boolean;
  /** `undefined` unless the image is animated. */
  readonly frames: Frames | undefined;
}

interface Frames {
  readonly count: number;
  /** How long each frame is shown, in ms. */
  readonly delay: number[];
  /** How often the animation plays; 0 for endlessly. */
  readonly loop: number;
}

/** Equal for renditions that share one decoding. */
export function decodingKey(rendition: Rendition): string {
  const { source, rectangle, recipe } = rendition;
  const { x, y, width, height } = rectangle;
  const size = decodedSize(rendition);
  return [
    source.hash,
    ...[x, y, width, height, size.width, size.height],
    ...[recipe.animated, gamutOf(recipe), isFromBytes(recipe)],
  ].join(' ');
}

export async function decodeSource(
  bytes: Uint8Array,
  rendition: Rendition,
): Promise<DecodedSource> {
  const { recipe } = rendition;
  if (recipe.format === 'svg') return { bytes, credit: undefined };
  const { image, metadata, wide } = await cutFor(rendition, bytes);
  const credit = readCredit(metadata);
  const size = decodedSize(rendition);
  const frames = recipe.animated ? framesOf(metadata, size) : undefined;
  if (isFromBytes(recipe) || (recipe.animated && (!frames || wide))) return { bytes, credit };
  const scaled = resize(image, size).toColourspace('srgb');
  return { pixels: await renderPixels(scaled, { wide, frames }), credit };
}

export function hasSizeOf({ pixels }: DecodedSource, { width, height }: Size): boolean {
  return !pixels || (pixels.width === width && pixels.height === height);
}

export async function resizeSource(source: DecodedSource, size: Size): Promise<DecodedSource> {
  const { pixels, credit } = source;
  if (!pixels || hasSizeOf(source, size)) return source;
  return { pixels: await renderPixels(resize(openPixels(pixels), size), pixels), credit };
}

/**
 * The bytes of a rendition, with creator and copyright as its only metadata. An SVG is left unchanged.
 *
 * @param source in the rendition's size, if it has pixels
 */
export async function makeRendition(source: DecodedSource, rendition: Rendition): Promise<Buffer> {
  const { recipe } = rendition;
  if (!source.pixels && recipe.format === 'svg') return Buffer.from(source.bytes);
  const image = source.pixels
    ? openPixels(source.pixels)
    : resize((await cutFor(rendition, source.bytes)).image, rendition);
  const frames = source.pixels?.frames;
  const output = encode(image.timeout({ seconds: longestWork }), { recipe, frames });
  if (!source.credit && !recipe.credit) return output.toBuffer();
  const xmp = formatCredit(source.credit, recipe.credit);
  if (recipe.format === 'gif') return embedXmpInGif(await output.toBuffer(), xmp);
  return output.withXmp(xmp).toBuffer();
}

/**
 * Frees the memory of bytes that are no longer needed. Until the garbage collector notices by itself,
 * buffers of this size make it run more often.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  const isAlone = buffer.byteLength === byteLength;
  if (isAlone && buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}

function cutFor({ corner, rectangle, recipe }: Rendition, bytes: Uint8Array) {
  const { animated } = recipe;
  return cutImage(bytes, { corner, rectangle, animated, gamut: gamutOf(recipe) });
}

/** The output's colors: sRGB for a GIF, and with a background, whose color is in sRGB. */
function gamutOf({ format, gamut, background }: Recipe): Gamut {
  return format === 'gif' || background !== undefined ? 'srgb' : gamut;
}

/** Whether each rendition needs the bytes. An SVG has no pixels; an animated GIF keeps its palettes. */
function isFromBytes({ format, animated }: Recipe): boolean {
  return format === 'svg' || (format === 'gif' && animated);
}

/**
 * The size that a source is decoded at for a rendition: 2,560 pixels on the longer side, doubled until
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

/** `undefined` if encoders don't support the frames, or there are too many for memory. */
function framesOf(
  { pages = 1, delay, loop = 0 }: Metadata,
  { width, height }: Size,
): Frames | undefined {
  if (!delay || delay.some((time) => time > longestDelay)) return undefined;
  return width * height * pages > mostInFrames ? undefined : { count: pages, delay, loop };
}

async function renderPixels(image: Sharp, { wide, frames }: PixelsKind): Promise<Pixels> {
  const output = wide ? image.tiff({ compression: 'none' }) : image.raw({ depth: 'uchar' });
  const { data, info } = await output
    .timeout({ seconds: longestWork })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { data, width, height: height / (frames?.count ?? 1), channels, wide, frames };
}

function openPixels({ data, width, height, channels, wide, frames }: Pixels): Sharp {
  if (wide) return sharp(data).keepIccProfile();
  if (!frames) return sharp(data, { raw: { width, height, channels } });
  const raw = { width, height: height * frames.count, channels, pageHeight: height };
  return sharp(data, { raw, animated: true });
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
  const settings = { quality, effort };
  const filled = background === undefined ? image : image.flatten({ background });
  const converted = filled.toColourspace('srgb');
  switch (format) {
    case 'webp':
      return converted.webp({ ...settings, delay: frames?.delay, loop: frames?.loop });
    case 'jpeg':
      // A JPEG would show transparent parts in black.
      return converted
        .flatten({ background: background ?? '#ffffff' })
        .jpeg({ ...settings, progressive: true });
    case 'avif':
    case 'png':
    case 'gif':
      return converted[format](settings);
    case 'svg':
      throw new Error('An SVG has no pixels.');
  }
}
