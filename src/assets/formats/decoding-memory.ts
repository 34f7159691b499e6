import type { Metadata } from 'sharp';

/** The most pixels of an image: sharp's own limit, 16383 × 16383. */
export const largestImage = 16_383 ** 2;

/** The limit for one decoding, in seconds. */
export const longestDecoding = 120;

/** This process's memory for decoding, in bytes: the largest RGB image, or 60 images of 4 MP. */
const budget = 3 * largestImage;

const waiting: { bytes: number; start: () => void }[] = [];
let held = 0;

/**
 * Runs work when the memory that it needs fits the budget, both in bytes. Work starts in the order of the
 * calls. Work that exceeds the budget by itself runs alone.
 */
export async function whileDecoding<T>(bytes: number, work: () => Promise<T>): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.push({ bytes, start: resolve });
  startNext();
  await promise;
  try {
    return await work();
  } finally {
    held -= bytes;
    startNext();
  }
}

function startNext(): void {
  for (let next = waiting[0]; next; next = waiting[0]) {
    if (held > 0 && held + next.bytes > budget) return;
    waiting.shift();
    held += next.bytes;
    next.start();
  }
}

/** The most pixels that an image may have. An interlaced PNG needs memory for all of them at once. */
export function mostPixels(metadata: Metadata): number {
  if (metadata.format !== 'png' || !metadata.isProgressive) return largestImage;
  const bytesPerPixel = decodedBytes({ ...metadata, width: 1, height: 1 });
  return Math.min(largestImage, Math.floor(budget / bytesPerPixel));
}

/**
 * The most memory that decoding an image can need, in bytes. Interlaced PNGs, progressive JPEGs, WebP
 * and AVIF need all of it. Many other images are decoded row by row and need less.
 */
export function decodedBytes({ width, height, channels, depth, ...facts }: Metadata): number {
  // A progressive JPEG is kept as 16-bit coefficients.
  const isWide = depth === 'ushort' || (facts.isProgressive && facts.format === 'jpeg');
  return width * height * channels * (isWide ? 2 : 1);
}

/**
 * Frees the memory of bytes that are no longer needed. Until the garbage collector notices by itself,
 * buffers of this size make it run more often.
 */
export function freeBytes(bytes: Uint8Array | undefined): void {
  const { buffer, byteLength } = bytes ?? {};
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  if (isAlone && !buffer.detached) buffer.transfer(0);
}
