import type { Metadata } from 'sharp';
import { type Credit, readCredit } from '../formats/credit.ts';
import { type Frames, type Pixels, renderPixels } from '../formats/pixels.ts';
import type { Gamut, Recipe, Rendition, Size } from '../formats/rendition.ts';
import { scaledSize } from '../geometry/fit-image.ts';
import { cutImage } from './cut-image.ts';

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

/**
 * Equal for renditions that share one decoding: same source, rectangle, frames, colors and decoded
 * size.
 */
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

/** The output's colors: sRGB for a GIF, and with a background, whose color is in sRGB. */
export function gamutOf({ format, gamut, background }: Recipe): Gamut {
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

/** @throws errors of sharp */
export async function decodeSource(
  bytes: Uint8Array,
  rendition: Rendition,
): Promise<DecodedSource> {
  const { corner, rectangle, recipe } = rendition;
  if (recipe.format === 'svg') return { bytes, credit: undefined };
  const { animated } = recipe;
  const cut = { corner, rectangle, animated, gamut: gamutOf(recipe) };
  const { image, metadata, wide } = await cutImage(bytes, cut);
  const credit = readCredit(metadata);
  const size = decodedSize(rendition);
  const frames = animated ? framesOf(metadata, size) : undefined;
  if (isFromBytes(recipe) || (animated && (!frames || wide))) return { bytes, credit };
  const scaled = image.resize({ ...size, fit: 'fill' }).toColourspace('srgb');
  return { pixels: await renderPixels(scaled, { wide, frames }), credit };
}

/** `undefined` if encoders don't support the frames, or there are too many for memory. */
function framesOf(
  { pages = 1, delay, loop = 0 }: Metadata,
  { width, height }: Size,
): Frames | undefined {
  if (!delay || delay.some((time) => time > longestDelay)) return undefined;
  return width * height * pages > mostInFrames ? undefined : { count: pages, delay, loop };
}
