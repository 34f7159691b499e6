import sharp, { type Sharp } from 'sharp';
import type { Size } from './rendition.ts';

/** The limit for one decoding or encoding, in seconds. */
export const longestWork = 300;

/** A decoded image with 8 bits per channel. Its size is that of one frame. */
export interface Pixels extends Size, PixelsKind {
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

export interface Frames {
  readonly count: number;
  /** How long each frame is shown, in ms. */
  readonly delay: number[];
  /** How often the animation plays; 0 for endlessly. */
  readonly loop: number;
}

export async function renderPixels(image: Sharp, { wide, frames }: PixelsKind): Promise<Pixels> {
  const output = wide ? image.tiff({ compression: 'none' }) : image.raw({ depth: 'uchar' });
  const { data, info } = await output
    .timeout({ seconds: longestWork })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { data, width, height: height / (frames?.count ?? 1), channels, wide, frames };
}

export function openPixels({ data, width, height, channels, wide, frames }: Pixels): Sharp {
  if (wide) return sharp(data).keepIccProfile();
  if (!frames) return sharp(data, { raw: { width, height, channels } });
  const raw = { width, height: height * frames.count, channels, pageHeight: height };
  return sharp(data, { raw, animated: true });
}

/**
 * Frees the memory of bytes that are no longer needed. Until the garbage collector notices by itself,
 * buffers of this size make it run more often.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  const isAlone = buffer.byteLength === byteLength;
  if (isAlone && buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
