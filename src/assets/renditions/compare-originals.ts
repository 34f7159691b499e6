import { sharp } from '../formats/sharp.ts';
import type { Rectangle } from '../geometry/rectangle.ts';
import { cutImage } from './cut-image.ts';

// bench/CHANGED-IMAGES.md has the error rates of these numbers.

/** Of a fingerprint, in pixels. */
const side = 36;

/** How alike the same image is at least, from -1 to 1. */
const alike = 0.965;

/** The variance of luminance that counts as flat, of 255 levels. */
const flat = 30;

/** Of a window that is compared by itself, and from one to the next, in pixels. */
const windowSide = 8;
const windowStep = 4;

/** How much of a side may be cut off or added, as a part of it, and how finely that's searched. */
const mostCut = 0.06;
const cutSteps = [0.025, 0.0125, 0.00625];

/** A small PNG of an original's luminance, for when its bytes are gone. At most 1,500 bytes. */
export async function takeFingerprint(original: Uint8Array): Promise<Buffer> {
  const { image } = await cutImage(original);
  const small = image.resize(side, side, { fit: 'fill' }).flatten({ background: 'white' });
  return small.toColourspace('b-w').png({ compressionLevel: 9 }).toBuffer();
}

type Square = readonly [left: number, top: number, side: number];

/** The left, upper, right and lower edge of the new image, in fractions of the old one. */
type Edges = readonly number[];

/**
 * Compares two versions of an original by their fingerprints. The same image can be encoded again,
 * scaled, corrected, without colors, and cut by 5 % on each side.
 *
 * @returns a function that tells whether a part, in fractions of the old image, shows the same in both
 */
export async function compareOriginals(
  ...fingerprints: [before: Uint8Array, now: Uint8Array]
): Promise<(part: Rectangle) => boolean> {
  const pixelsOf = (png: Uint8Array) => sharp(png).toColourspace('b-w').raw().toBuffer();
  const [before, now] = (await Promise.all(fingerprints.map(pixelsOf))) as [Buffer, Buffer];
  const aligned = warp(now, align(before, now));
  const whole = likeness(before, aligned);
  return ({ x, y, width, height }) => {
    const windows = startsIn(y, height).flatMap((top) =>
      startsIn(x, width).map((left) => likeness(before, aligned, [left, top, windowSide])),
    );
    const mean = windows.reduce((sum, one) => sum + one, 0) / windows.length;
    return Math.min(whole, mean) >= alike;
  };
}

/** Where windows begin. */
const startsIn = (start: number, length: number) =>
  Array.from({ length: Math.ceil((length * side) / windowStep) }, (_, at) =>
    Math.min(side - windowSide, Math.floor(start * side) + at * windowStep),
  );

/** Finds which part of the old image the new one shows: moves its edges as long as that helps. */
function align(before: Uint8Array, now: Uint8Array): Edges {
  let best: Edges = [0, 0, 1, 1];
  let most = likeness(before, warp(now, best));
  for (const step of cutSteps) {
    for (let known = -1; known < most; ) {
      known = most;
      for (const move of moves) {
        const edges = best.map((edge, at) => edge + step * (move[at] ?? 0));
        if (edges.some((edge) => Math.abs(edge - Math.round(edge)) > mostCut)) continue;
        const rated = likeness(before, warp(now, edges));
        if (rated > most) [best, most] = [edges, rated];
      }
    }
  }
  return best;
}

/** All directions of four edges. */
const moves = Array.from({ length: 3 ** 4 }, (_, number) =>
  [1, 3, 9, 27].map((place) => (Math.floor(number / place) % 3) - 1),
);

/** The luminance of the new image at the pixels of the old one. NaN outside. */
function warp(now: Uint8Array, [left = 0, top = 0, right = 1, bottom = 1]: Edges): Float64Array {
  const within = (at: number) => Math.min(side - 1, Math.max(0, at));
  const lightAt = (x: number, y: number) => now[within(y) * side + within(x)] ?? 0;
  return Float64Array.from(now, (_, at) => {
    const x = ((((at % side) + 0.5) / side - left) / (right - left)) * side - 0.5;
    const y = (((Math.floor(at / side) + 0.5) / side - top) / (bottom - top)) * side - 0.5;
    if (Math.min(x, y) < -0.5 || Math.max(x, y) > side - 0.5) return Number.NaN;
    const [column, row] = [Math.floor(x), Math.floor(y)];
    const between = (one: number, other: number) => one + (other - one) * (x - column);
    const upper = between(lightAt(column, row), lightAt(column + 1, row));
    const lower = between(lightAt(column, row + 1), lightAt(column + 1, row + 1));
    return upper + (lower - upper) * (y - row);
  });
}

/** The correlation of luminance in a square, from -1 to 1. Two flat ones are alike. */
function likeness(
  before: Uint8Array,
  aligned: Float64Array,
  [left, top, size]: Square = [0, 0, side],
) {
  const inside = Array.from({ length: size ** 2 }, (_, at) => {
    return (top + Math.floor(at / size)) * side + left + (at % size);
  }).filter((at) => !Number.isNaN(aligned[at]));
  const mean = (of: (at: number) => number) =>
    inside.reduce((sum, at) => sum + of(at), 0) / Math.max(1, inside.length);
  const [middle, other] = [mean((at) => before[at] ?? 0), mean((at) => aligned[at] ?? 0)];
  const one = (at: number) => (before[at] ?? 0) - middle;
  const another = (at: number) => (aligned[at] ?? 0) - other;
  const spread = mean((at) => one(at) ** 2) * mean((at) => another(at) ** 2);
  return (mean((at) => one(at) * another(at)) + flat) / (Math.sqrt(spread) + flat);
}
