import type { Point, Rectangle } from '../formats/rendition.ts';

/** A rectangle in pixels of the original as displayed (after EXIF orientation). */
interface PixelCrop extends Rectangle {
  readonly unit?: 'pixel' | undefined;
}

/** A rectangle in fractions (0 to 1) of the original as displayed. */
interface FractionCrop extends Rectangle {
  readonly unit: 'fraction';
}

export type Crop = PixelCrop | FractionCrop;

/** What a shape is cut around: a point in fractions of what it is cut from, or what draws the eye. */
export type Focus = Point | 'attention';

/** Which part of a picture is shown. */
export interface CropRequest {
  readonly crop: Crop | undefined;
  /** Width divided by height: the largest part of the crop, or of the picture, with that shape. */
  readonly aspect: number | undefined;
  readonly focus: Focus;
}

/** Whether the rectangle is known without the picture. */
export function pixelsOf({ crop, aspect }: CropRequest): Rectangle | undefined {
  if (crop === undefined || crop.unit === 'fraction' || aspect !== undefined) return undefined;
  const { x, y, width, height } = crop;
  return { x, y, width, height };
}
