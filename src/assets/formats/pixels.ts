import sharp, { type Sharp } from 'sharp';
import type { Size } from './rendition.ts';

/** Of one decoding or encoding, in seconds. */
export const longestWork = 300;

/** A decoded picture, 8 bits a channel; its size, or that of each of its frames. */
export interface Pixels extends Size, PixelsKind {
  /** Raw, frame below frame; wide colours as a TIFF without compression, which has a profile. */
  readonly data: Buffer;
  readonly channels: 1 | 2 | 3 | 4;
}

interface PixelsKind {
  /** Whether the colours are those of Display P3. */
  readonly wide: boolean;
  /** Of an animation. */
  readonly frames: Frames | undefined;
}

export interface Frames {
  readonly count: number;
  /** For how long each is shown, in ms. */
  readonly delay: number[];
  /** How often all are shown; 0: again and again. */
  readonly loop: number;
}

/** @throws what sharp throws */
export async function renderPixels(picture: Sharp, { wide, frames }: PixelsKind): Promise<Pixels> {
  const output = wide ? picture.tiff({ compression: 'none' }) : picture.raw({ depth: 'uchar' });
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
 * Gives the memory of bytes back that nobody reads any more. As long as the collector has not found
 * out by itself, such large ones make it search all the more often.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  const isAlone = buffer.byteLength === byteLength;
  if (isAlone && buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
