import type { CropRectangle, Size } from './crop-query.ts';

/** Whether an EXIF orientation displays a picture's stored width as its height. */
export function isTurned(orientation: number): boolean {
  return orientation >= 5;
}

/**
 * Where a rectangle of stored pixels is displayed (EXIF 2.3, 4.6.4 A, Orientation).
 *
 * @param stored Size of the picture as it is stored.
 * @param orientation EXIF orientation, 1 to 8.
 */
export function displayedCrop(
  { left, top, width, height }: CropRectangle,
  stored: Size,
  orientation: number,
): CropRectangle {
  const right = stored.width - left - width;
  const bottom = stored.height - top - height;
  const upright = { width, height };
  const turned = { width: height, height: width };
  switch (orientation) {
    case 2:
      return { left: right, top, ...upright };
    case 3:
      return { left: right, top: bottom, ...upright };
    case 4:
      return { left, top: bottom, ...upright };
    case 5:
      return { left: top, top: left, ...turned };
    case 6:
      return { left: bottom, top: left, ...turned };
    case 7:
      return { left: bottom, top: right, ...turned };
    case 8:
      return { left: top, top: right, ...turned };
    default:
      return { left, top, ...upright };
  }
}
