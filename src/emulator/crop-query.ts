import { Refusal } from './refusal.ts';
import type { EmulatorSettings } from './settings.ts';

/** A size in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A rectangle in pixels. */
export interface CropRectangle extends Size {
  readonly left: number;
  readonly top: number;
}

/** What a `download/-1` call asks for. */
export interface CropQuery {
  readonly left: number;
  readonly top: number;
  /** Size of the rectangle; undefined for all that is right of and below its corner. */
  readonly size: Size | undefined;
  /** Size of the answer; undefined for that of the rectangle. */
  readonly output: Size | undefined;
}

/** Largest side of an answer, in pixels, and most pixels of it. */
const maxSide = 16_384;
const maxPixels = 100_000_000;

/**
 * The crop of a `download/-1` call. `x1` and `y1` are its corner. With the meaning `size`, `w` and
 * `h` are its size, and other parameters are ignored, as section 4 speaks of "others" without naming
 * them. With `corners`, `w` and `h` are the size of the answer; `x2` and `y2` are the corner across
 * (the first pixel outside), `sw` and `sh` the size: either says the same, both must agree.
 *
 * @throws Refusal 400 for a parameter that is missing, repeated or no whole number in range.
 */
export function parseCropQuery(
  query: URLSearchParams,
  meaning: EmulatorSettings['customFormat'],
): CropQuery {
  const left = wholeNumber(query, 'x1', 0);
  const top = wholeNumber(query, 'y1', 0);
  const named = { width: wholeNumber(query, 'w', 1), height: wholeNumber(query, 'h', 1) };
  if (meaning === 'size') return { left, top, size: named, output: undefined };
  if (Math.max(named.width, named.height) > maxSide || named.width * named.height > maxPixels)
    throw new Refusal(
      400,
      'crop-invalid',
      `An answer has at most ${maxPixels} pixels, and ${maxSide} on a side.`,
    );
  const width = extent({ query, start: left, end: 'x2', length: 'sw' });
  const height = extent({ query, start: top, end: 'y2', length: 'sh' });
  if ((width === undefined) !== (height === undefined))
    throw new Refusal(400, 'crop-invalid', 'x2 or sw, and y2 or sh, must be given together.');
  const size = width === undefined || height === undefined ? undefined : { width, height };
  return { left, top, size, output: named };
}

/**
 * The rectangle of a crop in its picture.
 *
 * @throws Refusal 400 for one that reaches outside; where it is clamped, for one that lies outside.
 */
export function placeCrop(
  { left, top, size }: CropQuery,
  picture: Size,
  outside: EmulatorSettings['cropOutside'],
): CropRectangle {
  const room = { width: picture.width - left, height: picture.height - top };
  const wanted = size ?? room;
  const inside = wanted.width <= room.width && wanted.height <= room.height;
  if (room.width > 0 && room.height > 0 && (inside || outside === 'clamped'))
    return {
      left,
      top,
      width: Math.min(wanted.width, room.width),
      height: Math.min(wanted.height, room.height),
    };
  throw new Refusal(
    400,
    'crop-outside',
    `The crop x1=${left} y1=${top} of ${size?.width ?? 0} × ${size?.height ?? 0} pixels reaches outside the picture of ${picture.width} × ${picture.height} pixels.`,
  );
}

/** The length of one side, said by its end, by itself, by both or by neither. */
function extent({
  query,
  start,
  end,
  length,
}: {
  query: URLSearchParams;
  start: number;
  end: string;
  length: string;
}): number | undefined {
  const byEnd = query.has(end) ? wholeNumber(query, end, start + 1) - start : undefined;
  const byLength = query.has(length) ? wholeNumber(query, length, 1) : undefined;
  if (byEnd !== undefined && byLength !== undefined && byEnd !== byLength)
    throw new Refusal(
      400,
      'crop-invalid',
      `${end} says ${byEnd} pixels, and ${length} ${byLength}.`,
    );
  return byEnd ?? byLength;
}

function wholeNumber(query: URLSearchParams, name: string, least: number): number {
  const values = query.getAll(name);
  const text = values[0] ?? '';
  if (values.length !== 1 || !/^(0|[1-9]\d{0,9})$/.test(text) || Number(text) < least)
    throw new Refusal(
      400,
      'crop-invalid',
      `${name} must be given once, as a whole number from ${least}; received ${values.length === 0 ? 'nothing' : values.join(', ').slice(0, 80)}.`,
    );
  return Number(text);
}
