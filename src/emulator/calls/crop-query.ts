import type { EmulatorSettings } from '../settings.ts';
import { badRequest } from './http-error.ts';

/** A size in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** A rectangle in pixels. */
export interface CropRectangle extends ImageSize {
  readonly left: number;
  readonly top: number;
}

export interface CropQuery {
  readonly left: number;
  readonly top: number;
  /** Size of the image that corner and size refer to; `undefined` for the image itself. */
  readonly of: ImageSize | undefined;
  /** Size of the rectangle; `undefined` for everything right of and below its corner. */
  readonly size: ImageSize | undefined;
  /** Output size; `undefined` for the rectangle's size. */
  readonly output: ImageSize | undefined;
}

/** Maximum side and pixel count of an answer. */
const maxSide = 16_384;
const maxPixels = 100_000_000;

/**
 * Reads the crop of a `download/-1` call. `x1` and `y1` are its corner.
 * - With `size`, `w` and `h` are its size. Other parameters are ignored, because section 4
 *   mentions "others" without naming them.
 * - With `corners`, `w` and `h` are the output size. `x2` and `y2` are the opposite corner (the
 *   first pixel outside). `sw` and `sh` are the size of the image that both corners refer to, such
 *   as a smaller one in an editor.
 *
 * @throws HttpError 400 for a missing, repeated or invalid parameter
 */
export function parseCropQuery(
  query: URLSearchParams,
  meaning: EmulatorSettings['customFormat'],
): CropQuery {
  const left = wholeNumber(query, 'x1', 0);
  const top = wholeNumber(query, 'y1', 0);
  const named = { width: wholeNumber(query, 'w', 1), height: wholeNumber(query, 'h', 1) };
  if (meaning === 'size') return { left, top, of: undefined, size: named, output: undefined };
  if (Math.max(named.width, named.height) > maxSide || named.width * named.height > maxPixels)
    throw badRequest(
      'crop-invalid',
      `The result is larger than ${maxPixels} pixels, or than ${maxSide} on a side.`,
    );
  const across = pair(query, ['x2', 'y2'], [left + 1, top + 1]);
  const size = across && { width: across[0] - left, height: across[1] - top };
  const of = pair(query, ['sw', 'sh'], [1, 1]);
  return { left, top, of: of && { width: of[0], height: of[1] }, size, output: named };
}

/** @throws HttpError 400 for a crop that reaches outside; if clamped, for one completely outside */
export function placeCrop(
  { left, top, size, ...query }: CropQuery,
  image: ImageSize,
  outside: EmulatorSettings['cropOutside'],
): CropRectangle {
  const of = query.of ?? image;
  const room = { width: of.width - left, height: of.height - top };
  const wanted = size ?? room;
  const inside = wanted.width <= room.width && wanted.height <= room.height;
  if (room.width > 0 && room.height > 0 && (inside || outside === 'clamped')) {
    const right = left + Math.min(wanted.width, room.width);
    const bottom = top + Math.min(wanted.height, room.height);
    const across = scaled(left, right, image.width / of.width);
    const down = scaled(top, bottom, image.height / of.height);
    return { left: across.start, top: down.start, width: across.length, height: down.length };
  }
  throw badRequest(
    'crop-outside',
    `The crop x1=${left} y1=${top}${size ? ` of ${size.width} × ${size.height} pixels` : ''} reaches outside the image of ${of.width} × ${of.height} pixels.`,
  );
}

/** Scales one side of a rectangle to the image's size. At least one pixel. */
function scaled(start: number, end: number, factor: number): { start: number; length: number } {
  const last = Math.max(1, Math.round(end * factor));
  const first = Math.min(Math.round(start * factor), last - 1);
  return { start: first, length: last - first };
}

function pair(
  query: URLSearchParams,
  names: readonly [string, string],
  least: readonly [number, number],
): [number, number] | undefined {
  if (!names.some((name) => query.has(name))) return undefined;
  if (!names.every((name) => query.has(name)))
    throw badRequest('crop-invalid', `${names.join(' and ')} must be given together.`);
  return [wholeNumber(query, names[0], least[0]), wholeNumber(query, names[1], least[1])];
}

function wholeNumber(query: URLSearchParams, name: string, least: number): number {
  const values = query.getAll(name);
  const text = values[0] ?? '';
  if (values.length !== 1 || !/^(0|[1-9]\d{0,9})$/.test(text) || Number(text) < least)
    throw badRequest(
      'crop-invalid',
      `${name} must be given once, as a whole number from ${least}; received ${values.length === 0 ? 'nothing' : values.join(', ').slice(0, 80)}.`,
    );
  return Number(text);
}
