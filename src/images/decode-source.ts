import type { Sharp } from 'sharp';
import { cutPicture } from './cut-picture.ts';
import { scaledSize } from './fit-picture.ts';
import { type Credit, readCredit } from './read-credit.ts';
import type { Rendition, Size } from './rendition.ts';

/** Of one decoding or encoding, in seconds. */
export const longestWork = 300;

/** The longest side of the pixels that all renditions up to their size are made from. */
const sharedSide = 2560;

/** Pixels in sRGB, 8 bits a channel. */
export interface Pixels extends Size {
  readonly data: Buffer;
  readonly channels: 1 | 2 | 3 | 4;
}

/**
 * A source, ready for making renditions: the pixels that they show, or its bytes where each of them
 * is made from these, of frames, wide colours and drawings.
 */
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
  const { animated, format } = recipe;
  return [
    source.hash,
    ...[x, y, width, height, size.width, size.height],
    ...[animated, isWide(recipe), format === 'svg'],
  ].join(' ');
}

/** Whether colours may be wider than sRGB: not on a background, which is a colour of sRGB. */
function isWide({ gamut, background }: Rendition['recipe']): boolean {
  return gamut !== 'srgb' && background === undefined;
}

/**
 * The size that a source is decoded at for a rendition. It follows from the rendition alone, so that
 * the same rendition has the same bytes whatever else is made at the same time; and it is the same
 * for all that are no larger than it, so that they come from one decoding.
 */
export function decodedSize({ rectangle, width, height }: Rendition): Size {
  const scale = Math.min(1, sharedSide / Math.max(rectangle.width, rectangle.height));
  const shared = scaledSize(rectangle, scale);
  return width <= shared.width && height <= shared.height ? shared : { width, height };
}

/** @throws what sharp throws */
export async function decodeSource(
  bytes: Uint8Array,
  rendition: Rendition,
): Promise<DecodedSource> {
  const { corner, rectangle, recipe } = rendition;
  if (recipe.format === 'svg') return { bytes, credit: undefined };
  const { picture, metadata } = await cutPicture(bytes, { corner, rectangle });
  const credit = readCredit(metadata);
  if (recipe.animated || isWide(recipe)) return { bytes, credit };
  const pixels = await pixelsOf(
    picture.resize({ ...decodedSize(rendition), fit: 'fill' }).toColourspace('srgb'),
  );
  return { pixels, credit };
}

/** @throws what sharp throws */
export async function pixelsOf(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture
    .timeout({ seconds: longestWork })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { data, width, height, channels };
}

/**
 * Gives the memory of bytes back that nobody reads any more. As long as the collector has not found
 * out by itself, such large ones make it search all the more often.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  const isAlone = buffer.byteLength === byteLength;
  if (isAlone && buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
