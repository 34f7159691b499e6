import sharp, { type Sharp } from 'sharp';
import { largestPicture } from '../formats/decoding-memory.ts';
import { displayedSize } from '../formats/probe-picture.ts';
import type { Rectangle, Size } from '../formats/rendition.ts';
import { cutPicture } from './cut-picture.ts';

/** What a crop by the service shows, next to the same crop of the original by this machine. */
export interface CropComparison {
  readonly agrees: boolean;
  /** Whether the picture tells the meanings apart: one of a single colour does not. */
  readonly conclusive: boolean;
  /** What was asked for, and what came, for people. */
  readonly expected: string;
  readonly received: string;
  /**
   * How much more it differs in detail from the original than a JPEG of quality 90 would, as a
   * factor; `undefined` if that can't be seen.
   */
  readonly loss?: number | undefined;
}

/**
 * From here on a crop has lost more than an encoder at quality 90 explains. Measured on photographs,
 * sharp and soft ones, as PNG and as JPEG of quality 60 to 90: quality 75 comes to 1.3 to 2.0, 80 to
 * 1.2 to 1.8, 85 to 1.1 to 1.4, 90 to 1.0, 95 to 0.5 to 0.9; WebP of 90 to 0.6 to 1.0.
 */
export const lossyFrom = 1.15;

/** Sides of what is compared, in pixels: encoders differ in details, and these are gone then. */
const grid = 48;

/** The shorter side that a crop has in the scaled original, in pixels. */
const detail = 4 * grid;

/** The mean difference of a channel, of 255, that other encoders and colour profiles explain. */
const tolerance = 20;

/** Sides of the part whose details are compared, and of a JPEG's blocks, in pixels. */
const patch = 256;
const block = 16;

/** The differences that nobody sees, of 255: of details on average, and of a mean colour. */
const unseen = { detail: 2, colour: 1.5 };

/** By how much one meaning must be nearer than another to be told apart. */
const margin = 3;

/** An off-centre part of a picture, of another shape than the picture: its meanings differ. */
export function telltaleCrop({ width, height }: Size): Rectangle {
  return {
    x: Math.floor(width / 5),
    y: Math.floor(height / 7),
    width: Math.max(1, Math.floor(width / 2)),
    height: Math.max(1, Math.floor(height / 3)),
  };
}

interface CropPair {
  readonly original: Uint8Array;
  /** As the service has cut it. */
  readonly crop: Uint8Array;
  /** In pixels of the original as displayed. */
  readonly rectangle: Rectangle;
}

/**
 * Compares a crop of the service with the same crop of the original, by size and by pixels.
 *
 * @throws what sharp throws for what is no whole picture
 */
export async function compareCrops({
  original,
  crop,
  rectangle,
}: CropPair): Promise<CropComparison> {
  const { x, y, width, height } = rectangle;
  const expected = `${width} × ${height} pixels`;
  const size = displayedSize(await open(crop).metadata());
  const received = `${size.width} × ${size.height} pixels`;
  if (size.width !== width || size.height !== height) {
    return { agrees: false, conclusive: true, expected, received };
  }
  const whole = displayedSize(await open(original).metadata());
  const meanings: readonly { name: string; part: Rectangle }[] = [
    { name: `${expected} of the crop`, part: rectangle },
    {
      name: `${expected} of all that is right of and below the corner, scaled`,
      part: { x, y, width: whole.width - x, height: whole.height - y },
    },
    {
      name: `${expected} of the whole picture, scaled`,
      part: { x: 0, y: 0, width: whole.width, height: whole.height },
    },
  ];
  const shown = await gridOf(crop, { x: 0, y: 0, width, height });
  // Decoded once, and small: a large JPEG takes a fraction of the time then.
  const scale = Math.min(1, detail / Math.min(width, height));
  const scaled = await scaleOriginal(original, { whole, scale });
  const [own, ...others] = await Promise.all(
    meanings.map(async ({ name, part }) => {
      const pixels = await gridOf(scaled.pixels, scalePart(part, scaled), scaled);
      return { name, difference: differenceOf(shown, pixels) };
    }),
  );
  const [nearest] = others.sort((one, other) => one.difference - other.difference);
  if (own === undefined || nearest === undefined) throw new Error('There is nothing to compare.');
  const agrees = own.difference <= tolerance && own.difference <= nearest.difference + margin;
  const isOther = !agrees && nearest.difference <= tolerance;
  return {
    agrees,
    conclusive: Math.abs(own.difference - nearest.difference) > margin,
    expected: own.name,
    received: agrees ? own.name : isOther ? nearest.name : `${expected} of something else`,
    loss: agrees ? await lossOf({ original, crop, rectangle }) : undefined,
  };
}

/** Looks at the middle of a crop, in full size. It's compared with what an encoder makes of the same. */
async function lossOf({ original, crop, rectangle }: CropPair): Promise<number | undefined> {
  const middle = (length: number) => {
    const side = Math.min(patch, length);
    return { start: Math.floor((length - side) / 2 / block) * block, side };
  };
  const across = middle(rectangle.width);
  const down = middle(rectangle.height);
  const size = { width: across.side, height: down.side };
  const { x, y } = rectangle;
  const shown = await pixelsIn(crop, { x: across.start, y: down.start, ...size });
  const place = { x: x + across.start, y: y + down.start, ...size };
  const own = await pixelsIn(original, place);
  const encoded = await sharp(own, { raw: { ...size, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer();
  const usual = await plain(sharp(encoded)).toBuffer();
  const lost = detailDifference(own, shown);
  // Other colours come from another conversion, and say nothing of the encoder.
  if (lost <= unseen.detail || colourDifference(own, shown) > unseen.colour) return undefined;
  return lost / Math.max(1, detailDifference(own, usual));
}

function open(bytes: Uint8Array) {
  return sharp(bytes, { failOn: 'error', limitInputPixels: largestPicture });
}

/** The pixels of an original, at a small size and without an alpha channel. */
interface ScaledOriginal extends Size {
  readonly pixels: Buffer;
  readonly whole: Size;
}

async function scaleOriginal(
  original: Uint8Array,
  { whole, scale }: { whole: Size; scale: number },
): Promise<ScaledOriginal> {
  const width = Math.max(1, Math.round(whole.width * scale));
  const height = Math.max(1, Math.round(whole.height * scale));
  const rectangle = { x: 0, y: 0, ...whole };
  const { picture } = await cutPicture(original, { corner: { x: 0, y: 0 }, rectangle });
  const pixels = await plain(picture.resize(width, height, { fit: 'fill' })).toBuffer();
  return { pixels, width, height, whole };
}

/** A part of an original in pixels of the scaled one, at least one pixel. */
function scalePart(
  { x, y, width, height }: Rectangle,
  { whole, ...scaled }: ScaledOriginal,
): Rectangle {
  const within = (start: number, length: number, from: number, to: number) => {
    const first = Math.min(to - 1, Math.round((start * to) / from));
    return { first, length: Math.max(1, Math.round(((start + length) * to) / from) - first) };
  };
  const across = within(x, width, whole.width, scaled.width);
  const down = within(y, height, whole.height, scaled.height);
  return { x: across.first, y: down.first, width: across.length, height: down.length };
}

/** @param raw of bytes that are pixels */
async function gridOf(bytes: Uint8Array, part: Rectangle, raw?: Size): Promise<Uint8Array> {
  if (raw) {
    const { x, y, width, height } = part;
    return sharp(bytes, { raw: { width: raw.width, height: raw.height, channels: 3 } })
      .extract({ left: x, top: y, width, height })
      .resize(grid, grid, { fit: 'fill' })
      .raw()
      .toBuffer();
  }
  const { picture } = await cutPicture(bytes, { corner: { x: 0, y: 0 }, rectangle: part });
  return plain(picture.resize(grid, grid, { fit: 'fill' })).toBuffer();
}

async function pixelsIn(bytes: Uint8Array, part: Rectangle): Promise<Uint8Array> {
  const { picture } = await cutPicture(bytes, { corner: { x: 0, y: 0 }, rectangle: part });
  return plain(picture).toBuffer();
}

/** Three channels of sRGB, on white. */
function plain(picture: Sharp): Sharp {
  return picture.toColourspace('srgb').flatten({ background: 'white' }).raw();
}

function differenceOf(one: Uint8Array, other: Uint8Array): number {
  if (one.length !== other.length) return 255;
  return one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length;
}

/** The root of the mean square: a few large differences are seen more than many small ones. */
function detailDifference(one: Uint8Array, other: Uint8Array): number {
  const squares = one.reduce((sum, value, at) => sum + (value - (other[at] ?? 0)) ** 2, 0);
  return Math.sqrt(squares / one.length);
}

/** The largest difference of a channel's mean. */
function colourDifference(one: Uint8Array, other: Uint8Array): number {
  const sums = [0, 0, 0];
  for (const [at, value] of one.entries()) {
    sums[at % 3] = (sums[at % 3] ?? 0) + value - (other[at] ?? 0);
  }
  return Math.max(...sums.map(Math.abs)) / (one.length / 3);
}
