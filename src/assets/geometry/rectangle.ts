/** A rectangle in pixels of the original as displayed (after EXIF orientation). */
export type Rectangle = Point & Size;

/** In pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A point in pixels of the original, or in fractions (0 to 1) of an area. */
export interface Point {
  readonly x: number;
  readonly y: number;
}
