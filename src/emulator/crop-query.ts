import { Refusal } from './refusal.ts';

/** A rectangle in pixels of the picture as displayed. */
export interface CropRectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * The crop of a `download/-1` call: `x1` and `y1` are its corner, `w` and `h` its size. Other
 * parameters are ignored, as section 4 speaks of "others" without naming them.
 *
 * @throws Refusal 400 for a parameter that is missing, repeated or no whole number in range.
 */
export function parseCropQuery(query: URLSearchParams): CropRectangle {
  return {
    left: wholeNumber(query, 'x1', 0),
    top: wholeNumber(query, 'y1', 0),
    width: wholeNumber(query, 'w', 1),
    height: wholeNumber(query, 'h', 1),
  };
}

/**
 * Checks that a crop lies inside its picture.
 *
 * @throws Refusal 400.
 */
export function requireInside(crop: CropRectangle, picture: { width: number; height: number }) {
  if (crop.left + crop.width <= picture.width && crop.top + crop.height <= picture.height) return;
  throw new Refusal(
    400,
    'crop-outside',
    `The crop x1=${crop.left} y1=${crop.top} w=${crop.width} h=${crop.height} reaches outside the picture of ${picture.width} × ${picture.height} pixels.`,
  );
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
