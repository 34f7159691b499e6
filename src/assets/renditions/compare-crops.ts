import sharp, { type Sharp } from 'sharp';
import { mediaAssetError } from '../../errors/errors.ts';
import type { DownloadRequest } from '../../service/requests.ts';
import type { Download, MediaService } from '../../service/types.ts';
import { largestImage } from '../formats/decoding-memory.ts';
import { displayedSize } from '../formats/probe-image.ts';
import type { Rectangle, Size } from '../formats/rendition.ts';
import { sniffBytes } from '../formats/sniff-bytes.ts';
import type { ToCustomFormat } from '../geometry/custom-format-parameters.ts';
import { cutImage } from './cut-image.ts';

/** How the service's crop compares with the same crop of the original that this machine cuts. */
export interface CropComparison {
  readonly agrees: boolean;
  /** Whether the image can tell the meanings apart. One of a single color can't. */
  readonly conclusive: boolean;
  /** The requested and the received part, for people. */
  readonly expected: string;
  readonly received: string;
  /**
   * How much more detail the crop has lost than a JPEG of quality 90 would lose, as a factor;
   * `undefined` if the loss can't be seen.
   */
  readonly loss?: number | undefined;
}

/**
 * From this factor on, a crop has lost more than an encoder at quality 90 explains. Measured on sharp
 * and soft photographs, as PNG and as JPEG of quality 60 to 90: quality 75 gives 1.3 to 2.0, 80 gives
 * 1.2 to 1.8, 85 gives 1.1 to 1.4, 90 gives 1.0, 95 gives 0.5 to 0.9; WebP of 90 gives 0.6 to 1.0.
 */
export const lossyFrom = 1.15;

/** The side of the compared images, in pixels. At this size, differences between encoders disappear. */
const grid = 48;

/** The shorter side of a crop in the scaled original, in pixels. */
const detail = 4 * grid;

/** The mean difference per channel, of 255, that other encoders and color profiles explain. */
const tolerance = 20;

/** The side of the part whose details are compared, and of a JPEG's blocks, in pixels. */
const patch = 256;
const block = 16;

/** Differences that no one sees, of 255: of details on average, and of a mean color. */
const unseen = { detail: 2, colour: 1.5 };

/** How much nearer one meaning has to be than another to be told apart. */
const margin = 3;

/** An off-center part of an image with another shape than the image, so that its meanings differ. */
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
  /** The service's crop. */
  readonly crop: Uint8Array;
  /** In pixels of the original as displayed. */
  readonly rectangle: Rectangle;
}

export async function compareCrops({
  original,
  crop,
  rectangle,
}: CropPair): Promise<CropComparison> {
  const { x, y, width, height } = rectangle;
  const expected = `${width} × ${height} pixels`;
  const size = await sizeOf(crop);
  const received = `${size.width} × ${size.height} pixels`;
  if (size.width !== width || size.height !== height) {
    return { agrees: false, conclusive: true, expected, received };
  }
  const whole = await sizeOf(original);
  const meanings: readonly { name: string; part: Rectangle }[] = [
    { name: `${expected} of the crop`, part: rectangle },
    {
      name: `${expected} of everything below and to the right of its corner, scaled`,
      part: { x, y, width: whole.width - x, height: whole.height - y },
    },
    {
      name: `${expected} of the whole image, scaled`,
      part: { x: 0, y: 0, width: whole.width, height: whole.height },
    },
  ];
  const cropped = await cut(crop, { x: 0, y: 0, width, height });
  const shown = await plain(cropped.resize(grid, grid, { fit: 'fill' })).toBuffer();
  // Decoded once and at a small size, which takes a fraction of the time for a large JPEG.
  const scale = Math.min(1, detail / Math.min(width, height));
  const scaled = await scaleOriginal(original, { whole, scale });
  const [own, ...others] = await Promise.all(
    meanings.map(async ({ name, part }) => {
      return { name, difference: differenceOf(shown, await gridOf(scaled, part)) };
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

/** Compares the middle of a crop, in full size, with what an encoder makes of the original's. */
async function lossOf({ original, crop, rectangle }: CropPair): Promise<number | undefined> {
  const middle = (length: number) => {
    const side = Math.min(patch, length);
    return { start: Math.floor((length - side) / 2 / block) * block, side };
  };
  const across = middle(rectangle.width);
  const down = middle(rectangle.height);
  const size = { width: across.side, height: down.side };
  const { x, y } = rectangle;
  const place = { x: across.start, y: down.start, ...size };
  const shown = await plain(await cut(crop, place)).toBuffer();
  const inOriginal = { ...place, x: x + place.x, y: y + place.y };
  const own = await plain(await cut(original, inOriginal)).toBuffer();
  const encoded = await sharp(own, { raw: { ...size, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer();
  const usual = await plain(sharp(encoded)).toBuffer();
  const lost = detailDifference(own, shown);
  // Different colors come from another color conversion. They say nothing about the encoder.
  if (lost <= unseen.detail || colourDifference(own, shown) > unseen.colour) return undefined;
  return lost / Math.max(1, detailDifference(own, usual));
}

async function sizeOf(bytes: Uint8Array): Promise<Size> {
  const image = sharp(bytes, { failOn: 'error', limitInputPixels: largestImage });
  return displayedSize(await image.metadata());
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
  const image = await cut(original, { x: 0, y: 0, ...whole });
  const pixels = await plain(image.resize(width, height, { fit: 'fill' })).toBuffer();
  return { pixels, width, height, whole };
}

/** A part of an original, at least one pixel of the scaled one. */
function gridOf(
  { pixels, whole, ...scaled }: ScaledOriginal,
  { x, y, width, height }: Rectangle,
): Promise<Uint8Array> {
  const within = (start: number, length: number, from: number, to: number) => {
    const first = Math.min(to - 1, Math.round((start * to) / from));
    return { first, length: Math.max(1, Math.round(((start + length) * to) / from) - first) };
  };
  const across = within(x, width, whole.width, scaled.width);
  const down = within(y, height, whole.height, scaled.height);
  return sharp(pixels, { raw: { ...scaled, channels: 3 } })
    .extract({ left: across.first, top: down.first, width: across.length, height: down.length })
    .resize(grid, grid, { fit: 'fill' })
    .raw()
    .toBuffer();
}

async function cut(bytes: Uint8Array, rectangle: Rectangle): Promise<Sharp> {
  return (await cutImage(bytes, { corner: { x: 0, y: 0 }, rectangle })).image;
}

/** Raw sRGB with three channels, on white. */
function plain(image: Sharp): Sharp {
  return image.toColourspace('srgb').flatten({ background: 'white' }).raw();
}

function differenceOf(one: Uint8Array, other: Uint8Array): number {
  if (one.length !== other.length) return 255;
  return one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length;
}

/** The root mean square: a few large differences are more visible than many small ones. */
function detailDifference(one: Uint8Array, other: Uint8Array): number {
  const squares = one.reduce((sum, value, at) => sum + (value - (other[at] ?? 0)) ** 2, 0);
  return Math.sqrt(squares / one.length);
}

/** The largest difference between the channels' means. */
function colourDifference(one: Uint8Array, other: Uint8Array): number {
  const sums = [0, 0, 0];
  for (const [at, value] of one.entries()) {
    sums[at % 3] = (sums[at % 3] ?? 0) + value - (other[at] ?? 0);
  }
  return Math.max(...sums.map(Math.abs)) / (one.length / 3);
}

/** Compares an off-center crop from the service with the same crop of the original. */
export async function checkCrops({
  service,
  id,
  customFormat,
}: {
  service: MediaService;
  id: number;
  customFormat: ToCustomFormat;
}): Promise<CropComparison> {
  const original = await readImage(await service.files.original(id), id);
  return orNotAnImage(id, async () => {
    const image = displayedSize(await sharp(original).metadata());
    const rectangle = telltaleCrop(image);
    const parameters = customFormat(rectangle, image);
    const crop = await readImage(await service.files.customFormat(id, parameters), id);
    return compareCrops({ original, crop, rectangle });
  });
}

/** As displayed, in pixels. */
export async function originalSize(
  service: Pick<MediaService, 'files'>,
  id: number,
  request: Pick<DownloadRequest, 'signal'>,
): Promise<Size> {
  const original = await readImage(await service.files.original(id, request), id);
  return orNotAnImage(id, async () =>
    displayedSize(await sharp(original, { limitInputPixels: false }).metadata()),
  );
}

async function orNotAnImage<T>(id: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof Error) || 'code' in cause) throw cause;
    const received = 'a damaged or incomplete image';
    throw mediaAssetError('download-not-a-picture', { what: `asset ${id}`, received }, { cause });
  }
}

async function readImage(download: Download, id: number): Promise<Uint8Array> {
  if (download.status === 'unchanged') throw new Error('No condition was set.');
  const bytes = new Uint8Array(await new Response(download.body).arrayBuffer());
  const { kind, description } = sniffBytes(bytes);
  // Nothing else reaches a decoder.
  if (kind) return bytes;
  throw mediaAssetError('download-not-a-picture', { what: `asset ${id}`, received: description });
}
