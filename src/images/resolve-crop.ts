import { mediaAssetError } from '../errors.ts';
import type { Rectangle, Size } from './rendition.ts';

/**
 * The rectangle of a picture that a crop means; without one, the whole picture.
 *
 * @throws `crop-outside`, naming the picture's size.
 */
export function resolveCrop(
  { id, page, crop }: { id: number; page: string; crop: Rectangle | undefined },
  picture: Size,
): Rectangle {
  const { width, height } = picture;
  if (crop === undefined) return { x: 0, y: 0, width, height };
  if (isInside(crop, picture)) return crop;
  throw mediaAssetError('crop-outside', { id, page, crop: describeCrop(crop), width, height });
}

/** Whether a picture of this size holds the rectangle. */
export function isInside({ x, y, width, height }: Rectangle, picture: Size): boolean {
  return x + width <= picture.width && y + height <= picture.height;
}

function describeCrop({ x, y, width, height }: Rectangle): string {
  return `{ x: ${x}, y: ${y}, width: ${width}, height: ${height} }`;
}
