import { mediaAssetError } from '../../errors/errors.ts';
import type { AssetSubject } from '../../errors/place.ts';
import { cutAround, fractionsToPixels } from './fit-image.ts';
import type { Point, Rectangle, Size } from './rectangle.ts';

/** In pixels or in fractions (0 to 1) of the original as displayed (after EXIF orientation). */
export interface Crop extends Rectangle {
  readonly unit?: 'pixel' | 'fraction' | undefined;
}

/** What an aspect is cut around: a point in fractions of the area, or what draws the eye. */
export type Focus = Point | 'attention';

export interface CropRequest {
  readonly crop: Crop | undefined;
  /** Width divided by height: the largest part of the crop, or of the image, with this shape. */
  readonly aspect: number | undefined;
  readonly focus: Focus;
}

/**
 * Resolves a crop, an aspect and a focus to a rectangle of the image; without them, the whole image.
 *
 * @param attention finds the point of a rectangle that draws the eye, in pixels of the image
 */
export async function resolveCrop(
  subject: AssetSubject,
  { crop: request, image }: { crop: CropRequest; image: Size },
  attention: (rectangle: Rectangle) => Promise<Point>,
): Promise<Rectangle> {
  const { aspect, focus } = request;
  const area = toPixels(request.crop, image);
  const { x, y, width, height } = area;
  if (x + width > image.width || y + height > image.height) {
    const crop = `{ x: ${x}, y: ${y}, width: ${width}, height: ${height} }`;
    const details = { ...subject, crop, width: image.width, height: image.height };
    throw mediaAssetError('crop-outside', details);
  }
  if (aspect === undefined) return area;
  const point =
    focus === 'attention'
      ? await attention(area)
      : { x: x + focus.x * width, y: y + focus.y * height };
  return cutAround(area, aspect, point);
}

/** A crop, which may reach outside, or the whole image. */
export function toPixels(crop: Crop | undefined, image: Size): Rectangle {
  if (crop === undefined) return { x: 0, y: 0, width: image.width, height: image.height };
  if (crop.unit === 'fraction') return fractionsToPixels(crop, image);
  const { x, y, width, height } = crop;
  return { x, y, width, height };
}
