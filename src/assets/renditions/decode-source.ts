import type { Metadata } from 'sharp';
import { type Credit, readCredit } from '../formats/credit.ts';
import { type Frames, type Pixels, renderPixels } from '../formats/pixels.ts';
import type { Gamut, Recipe, Rendition, Size } from '../formats/rendition.ts';
import { scaledSize } from '../geometry/fit-picture.ts';
import { cutPicture } from './cut-picture.ts';

/** The longest side of the pixels that all renditions up to their size are made from. */
const sharedSide = 2560;

/** The most pixels that the frames of an animation may have together to be held in memory. */
const mostInFrames = (2 * sharedSide) ** 2;

/** The longest time of a frame that can be given to an encoder, in ms. */
const longestDelay = 65_535;

/** A source, ready for making renditions: its pixels, or the bytes that each is made from. */
export type DecodedSource = { readonly credit: Credit | undefined } & (
  | { readonly pixels: Pixels }
  | { readonly pixels?: undefined; readonly bytes: Uint8Array }
);

/**
 * What renditions share that are made from one decoding: source, rectangle, frames, colours, and the
 * size of its pixels.
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

/** The colours that come out: those of sRGB in a GIF, and on a background, which is given in them. */
export function gamutOf({ format, gamut, background }: Recipe): Gamut {
  return format === 'gif' || background !== undefined ? 'srgb' : gamut;
}

/** Whether pixels would not do: a drawing has none, and an animated GIF keeps the source's palettes. */
function isFromBytes({ format, animated }: Recipe): boolean {
  return format === 'svg' || (format === 'gif' && animated);
}

/**
 * The size that a source is decoded at for a rendition: 2,560 pixels on the longer side, or as often
 * twice that as it needs, and never more than the rectangle has. It follows from the rendition
 * alone, so that the same rendition has the same bytes whatever else is made at the same time.
 */
function decodedSize({ rectangle, width, height }: Rendition): Size {
  const longest = Math.max(rectangle.width, rectangle.height);
  for (let side = sharedSide; side < longest; side *= 2) {
    const shared = scaledSize(rectangle, side / longest);
    if (width <= shared.width && height <= shared.height) return shared;
  }
  return { width: rectangle.width, height: rectangle.height };
}

/** @throws what sharp throws */
export async function decodeSource(
  bytes: Uint8Array,
  rendition: Rendition,
): Promise<DecodedSource> {
  const { corner, rectangle, recipe } = rendition;
  if (recipe.format === 'svg') return { bytes, credit: undefined };
  const { animated } = recipe;
  const cut = { corner, rectangle, animated, gamut: gamutOf(recipe) };
  const { picture, metadata, wide } = await cutPicture(bytes, cut);
  const credit = readCredit(metadata);
  const size = decodedSize(rendition);
  const frames = animated ? framesOf(metadata, size) : undefined;
  if (isFromBytes(recipe) || (animated && (!frames || wide))) return { bytes, credit };
  const scaled = picture.resize({ ...size, fit: 'fill' }).toColourspace('srgb');
  return { pixels: await renderPixels(scaled, { wide, frames }), credit };
}

/** `undefined` where they cannot be handed on, or are too many to be held. */
function framesOf(
  { pages = 1, delay, loop = 0 }: Metadata,
  { width, height }: Size,
): Frames | undefined {
  if (!delay || delay.some((time) => time > longestDelay)) return undefined;
  return width * height * pages > mostInFrames ? undefined : { count: pages, delay, loop };
}
