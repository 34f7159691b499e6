import sharp, { type Metadata } from 'sharp';

// libvips keeps recent operations open. Its limit for them doesn't count what their decoders hold,
// which for a progressive JPEG is all of its coefficients.
sharp.cache(false);

/** The most pixels that a picture may have: sharp's own limit, 16383 × 16383. */
export const largestPicture = 16_383 ** 2;

/** Runs work while the memory that it takes, in bytes, fits a budget. */
export type MemoryBudget = <T>(bytes: number, work: () => Promise<T>) => Promise<T>;

/** Work starts in the order of the calls. Work that exceeds the budget by itself runs alone. */
export function createMemoryBudget(budget: number): MemoryBudget {
  const waiting: { bytes: number; start: () => void }[] = [];
  let held = 0;

  function startNext(): void {
    for (let next = waiting[0]; next; next = waiting[0]) {
      if (held > 0 && held + next.bytes > budget) return;
      waiting.shift();
      held += next.bytes;
      next.start();
    }
  }

  return async (bytes, work) => {
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
  };
}

/** The memory of this process for decoding: room for the largest RGB image, or for 60 of 4 MP. */
export const whileDecoding = createMemoryBudget(3 * largestPicture);

/**
 * The memory that decoding an image takes, in bytes. Many images are decoded row by row and take
 * less. Interlaced PNGs, progressive JPEGs, WebP and AVIF need all of it.
 */
export function decodedBytes({ width, height, channels, depth, ...facts }: Metadata): number {
  // A progressive JPEG is held as coefficients of 16 bits.
  const isWide = depth === 'ushort' || (facts.isProgressive && facts.format === 'jpeg');
  return width * height * channels * (isWide ? 2 : 1);
}
