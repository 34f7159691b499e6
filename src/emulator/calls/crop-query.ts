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

/**
 * Reads the crop of a `download/-1` call: its corner `x1` and `y1`, its size `w` and `h`. Other
 * parameters are ignored, because section 4 mentions "others" without naming them.
 */
export function parseCropQuery(query: URLSearchParams): CropRectangle {
  return {
    left: wholeNumber(query, 'x1', 0),
    top: wholeNumber(query, 'y1', 0),
    width: wholeNumber(query, 'w', 1),
    height: wholeNumber(query, 'h', 1),
  };
}

export function requireInside(crop: CropRectangle, image: ImageSize): CropRectangle {
  const { left, top, width, height } = crop;
  if (left + width <= image.width && top + height <= image.height) return crop;
  throw badRequest(
    'crop-outside',
    `The crop x1=${left} y1=${top} of ${width} × ${height} pixels reaches outside the image of ${image.width} × ${image.height} pixels.`,
  );
}

export function wholeNumber(query: URLSearchParams, name: string, least: number): number {
  const values = query.getAll(name);
  const text = values[0] ?? '';
  if (values.length !== 1 || !/^(0|[1-9]\d{0,9})$/.test(text) || Number(text) < least)
    throw badRequest(
      'crop-invalid',
      `${name} must be given once, as a whole number from ${least}; received ${values.length === 0 ? 'nothing' : values.join(', ').slice(0, 80)}.`,
    );
  return Number(text);
}
