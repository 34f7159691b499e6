import type { Sharp } from 'sharp';
import { mediaAssetError } from '../../errors/errors.ts';
import type { Download, MediaService } from '../../service/types.ts';
import { largestImage, longestDecoding } from '../formats/decoding-memory.ts';
import { displayedSize } from '../formats/probe-image.ts';
import { sharp } from '../formats/sharp.ts';
import { sniffBytes } from '../formats/sniff-bytes.ts';
import type { ToCustomFormat } from '../geometry/custom-format-parameters.ts';
import { fractionsToPixels, pixelsToFractions, scaledSize } from '../geometry/fit-image.ts';
import type { Rectangle, Size } from '../geometry/rectangle.ts';
import { cutImage } from './cut-image.ts';

/** The side of the compared images, in pixels. At this size, differences between encoders disappear. */
const grid = 48;

/** The shorter side of a crop in the scaled original, in pixels. */
const detail = 2 * grid;

/** The mean difference per channel, of 255, that other encoders and color profiles explain. */
const tolerance = 20;

/** How much nearer one meaning has to be than another to be told apart. */
const margin = 3;

async function sizeOf(image: Uint8Array): Promise<Size> {
  return displayedSize(await sharp(image, { limitInputPixels: largestImage }).metadata());
}

export function sizeText({ width, height }: Size): string {
  return `${width} × ${height} pixels`;
}

/**
 * A crop at a small size, as `compareLook` takes it.
 *
 * @param crop its bytes, or its path
 * @throws if any part of it can't be decoded
 */
export async function lookAt(crop: Uint8Array | string): Promise<Uint8Array> {
  const { image } = await cutImage(crop);
  const small = image.resize(grid, grid, { fit: 'fill' }).timeout({ seconds: longestDecoding });
  return plain(small).toBuffer();
}

/** Compares a crop with what the original shows there, and where others mean something else. */
export async function compareLook(
  { size, look }: { size: Size; look: Uint8Array },
  { small, rectangle }: { small: SmallOriginal; rectangle: Rectangle },
) {
  if (size.width !== rectangle.width || size.height !== rectangle.height)
    return { agrees: false, conclusive: true, received: sizeText(size) };
  const { x, y } = rectangle;
  const { width, height } = small.whole;
  const meanings: readonly Rectangle[] = [
    rectangle,
    // Everything below and to the right of its corner, or the whole image, scaled.
    { x, y, width: width - x, height: height - y },
    { x: 0, y: 0, width, height },
  ];
  const [own = 0, ...others] = await Promise.all(
    meanings.map(async (part) => differenceOf(look, await gridOf(small, part))),
  );
  const nearest = Math.min(...others);
  return {
    agrees: own <= Math.min(tolerance, nearest + margin),
    /** Whether the image can tell the meanings apart. One of a single color can't. */
    conclusive: Math.abs(own - nearest) > margin,
    /** For people. */
    received: 'something else',
  };
}

/** The pixels of an original, at a small size and without an alpha channel. */
export interface SmallOriginal extends Size {
  readonly pixels: Buffer;
  /** The original's own size, as displayed. */
  readonly whole: Size;
}

/**
 * The size at which crops of this rectangle are compared with an original: half of the original's, or a
 * quarter and so on, which takes a fraction of the time for a JPEG and fits many crops.
 */
export function smallSize(whole: Size, rectangle: Size): Size {
  const needed = detail / Math.min(rectangle.width, rectangle.height);
  const scale = 2 ** Math.min(0, Math.ceil(Math.log2(needed)));
  return scaledSize(whole, scale);
}

export async function shrinkOriginal(
  original: Uint8Array,
  { whole, rectangle }: { whole: Size; rectangle: Rectangle },
): Promise<SmallOriginal> {
  const size = smallSize(whole, rectangle);
  const { image } = await cutImage(original);
  const pixels = await plain(image.resize({ ...size, fit: 'fill' })).toBuffer();
  return { pixels, ...size, whole };
}

/** A part of an original, at least one pixel of the scaled one. */
function gridOf(
  { pixels, whole, ...scaled }: SmallOriginal,
  rectangle: Rectangle,
): Promise<Uint8Array> {
  const part = fractionsToPixels(pixelsToFractions(rectangle, whole), scaled);
  return sharp(pixels, { raw: { ...scaled, channels: 3 } })
    .extract({ left: part.x, top: part.y, width: part.width, height: part.height })
    .resize(grid, grid, { fit: 'fill' })
    .raw()
    .toBuffer();
}

/** Raw sRGB with three channels, on white. */
function plain(image: Sharp): Sharp {
  return image.toColourspace('srgb').flatten({ background: 'white' }).raw();
}

function differenceOf(one: Uint8Array, other: Uint8Array): number {
  if (one.length !== other.length) return 255;
  return one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length;
}

/**
 * Downloads an original, to compare it with the service's crops of it: `compare` requests an off-center
 * crop, in the given custom format. `located`: see `Download`.
 */
export async function openCropCheck(service: Pick<MediaService, 'files'>, id: number) {
  const download = await service.files.original(id);
  const original = await readImage(download, id);
  const image = await orNotAnImage(id, () => sizeOf(original));
  const rectangle = telltaleCrop(image);
  return {
    located: download.status === 'received' && download.located,
    async compare(customFormat: ToCustomFormat) {
      const parameters = customFormat(rectangle, image);
      const crop = await readImage(await service.files.customFormat(id, parameters), id);
      return orNotAnImage(id, async () => {
        const small = await shrinkOriginal(original, { whole: image, rectangle });
        const drawn = { size: await sizeOf(crop), look: await lookAt(crop) };
        return compareLook(drawn, { small, rectangle });
      });
    },
  };
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

/** An off-center part of an image with another shape than the image, so that its meanings differ. */
function telltaleCrop({ width, height }: Size): Rectangle {
  return {
    x: Math.floor(width / 5),
    y: Math.floor(height / 7),
    width: Math.max(1, Math.floor(width / 2)),
    height: Math.max(1, Math.floor(height / 3)),
  };
}
