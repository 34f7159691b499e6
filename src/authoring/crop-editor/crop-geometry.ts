/**
 * Rectangles of an image, in whole pixels of the original as displayed. Every function returns one
 * that's inside the image and has at least one pixel. Ratios are width divided by height.
 */

import { cutToShape, parseAspect } from '../../assets/geometry/fit-image.ts';
import type { Point, Rectangle, Size } from '../../assets/geometry/rectangle.ts';

/** The ratios that the editor offers next to the source's own. */
export const commonRatios: readonly string[] = [
  ...['1:1', '4:3', '3:2', '16:9', '2:1', '21:9'],
  ...['4:5', '3:4', '2:3', '9:16'],
];

/** The sides that a handle moves: -1 for left and top, 1 for right and bottom, 0 for neither. */
export interface Handle {
  readonly across: -1 | 0 | 1;
  readonly down: -1 | 0 | 1;
}

export function wholeImage({ width, height }: Size): Rectangle {
  return { x: 0, y: 0, width, height };
}

export function sameRectangle(a: Rectangle, b: Rectangle): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

/** Moves and, if it must, shrinks a rectangle into the image. */
export function clampRectangle(rectangle: Rectangle, image: Size): Rectangle {
  const width = clamp(Math.round(rectangle.width), 1, image.width);
  const height = clamp(Math.round(rectangle.height), 1, image.height);
  return {
    x: clamp(Math.round(rectangle.x), 0, image.width - width),
    y: clamp(Math.round(rectangle.y), 0, image.height - height),
    width,
    height,
  };
}

/** The largest size in a box that the build doesn't cut further if it's asked for this ratio. */
export function largestOfRatio(box: Size, ratio: number): Size {
  const { width, height } = box;
  const origin = { x: 0, y: 0 };
  const size = cutToShape({ ...origin, width, height }, { aspect: ratio, position: origin });
  const same = size.width === width && size.height === height;
  return same ? { width, height } : largestOfRatio(size, ratio);
}

/** Whether the build shows all of a crop if it's asked for this ratio. */
export function hasRatio(size: Size, ratio: number): boolean {
  const { width, height } = largestOfRatio(size, ratio);
  return width === size.width && height === size.height;
}

/** Gives a rectangle another ratio. It keeps the center and the area, as far as the image allows. */
export function reshape(rectangle: Rectangle, ratio: number, image: Size): Rectangle {
  const width = Math.sqrt(rectangle.width * rectangle.height * ratio);
  return centered(centerOf(rectangle), sizeIn(image, width, ratio), image);
}

export function moveRectangle(rectangle: Rectangle, by: Point, image: Size): Rectangle {
  return clampRectangle({ ...rectangle, x: rectangle.x + by.x, y: rectangle.y + by.y }, image);
}

/**
 * Moves the sides of a handle to a point. The opposite corner or side stays where it is. With a ratio,
 * the other side of a handle in the middle grows to both ends.
 */
export function resizeRectangle(
  rectangle: Rectangle,
  move: { handle: Handle; to: Point; image: Size; ratio?: number | undefined },
): Rectangle {
  const { to, image, ratio } = move;
  const flipped = flip(rectangle, move);
  const { across, down } = flipped.handle;
  const { x, y, width, height } = flipped.rectangle;
  const columns = stretch(x, width, { side: across, to: to.x, most: image.width });
  const rows = stretch(y, height, { side: down, to: to.y, most: image.height });
  if (ratio === undefined) {
    return { x: columns.start, y: rows.start, width: columns.length, height: rows.length };
  }
  const byRows = rows.length * ratio;
  const wanted =
    across === 0 ? byRows : down === 0 ? columns.length : Math.max(columns.length, byRows);
  const size = sizeIn({ width: columns.room, height: rows.room }, wanted, ratio);
  const middle = centered(centerOf(rectangle), size, image);
  const left = across > 0 ? x : x + width - size.width;
  const top = down > 0 ? y : y + height - size.height;
  return { x: across === 0 ? middle.x : left, y: down === 0 ? middle.y : top, ...size };
}

export function drawRectangle(
  from: Point,
  { to, image, ratio }: { to: Point; image: Size; ratio?: number | undefined },
): Rectangle {
  const across = to.x < from.x ? -1 : 1;
  const down = to.y < from.y ? -1 : 1;
  const corner = (at: number, side: number, most: number) =>
    clamp(side > 0 ? Math.floor(at) : Math.ceil(at) - 1, 0, most - 1);
  const x = corner(from.x, across, image.width);
  const y = corner(from.y, down, image.height);
  const start = { x, y, width: 1, height: 1 };
  return resizeRectangle(start, { handle: { across, down }, to, image, ratio });
}

/** Makes a rectangle larger or smaller by pixels, at its right and bottom. */
export function growRectangle(
  rectangle: Rectangle,
  { by, image, ratio }: { by: Point; image: Size; ratio?: number | undefined },
): Rectangle {
  const { x, y, width, height } = rectangle;
  const room = { width: image.width - x, height: image.height - y };
  if (ratio === undefined) {
    const grown = clamp(height + by.y, 1, room.height);
    return { x, y, width: clamp(width + by.x, 1, room.width), height: grown };
  }
  // Steps of the shorter side: one pixel of the longer side often isn't a new size of this ratio.
  const step = by.x + by.y;
  const wanted = ratio >= 1 ? (height + step) * ratio : width + step;
  return { x, y, ...sizeIn(room, wanted, ratio) };
}

/** The size of a ratio with a width, or less, inside a box. */
export function sizeIn(box: Size, width: number, ratio: number): Size {
  const wanted = {
    width: clamp(Math.round(width), 1, box.width),
    height: clamp(Math.round(width / ratio), 1, box.height),
  };
  return largestOfRatio(wanted, ratio);
}

/** A size's ratio in a person's words: a common one, if it's at most a pixel away. */
export function ratioText({ width, height }: Size): string {
  const common = nearestRatio({ width, height });
  const ratio = parseAspect(common) ?? 1;
  const isClose = Math.abs(width - height * ratio) <= 1 || Math.abs(height - width / ratio) <= 1;
  return isClose ? common : `${width}:${height}`;
}

/** The common ratio that is closest to a size's. */
export function nearestRatio({ width, height }: Size): string {
  const distance = (ratio: string) =>
    Math.abs(Math.log(((parseAspect(ratio) ?? 1) * height) / width));
  const [nearest = '1:1'] = commonRatios.toSorted((a, b) => distance(a) - distance(b));
  return nearest;
}

/** A handle that's dragged past the opposite corner or side is that one's, of a rectangle that begins there. */
function flip(
  { x, y, width, height }: Rectangle,
  { handle, to, image }: { handle: Handle; to: Point; image: Size },
): { handle: Handle; rectangle: Rectangle } {
  const axis = (side: -1 | 0 | 1, at: number, [start, length, most]: [number, number, number]) => {
    const end = start + length;
    if (side > 0 && at < start && start > 0) return { side: -1, start, length: 0 } as const;
    if (side < 0 && at > end && end < most) return { side: 1, start: end, length: 0 } as const;
    return { side, start, length };
  };
  const columns = axis(handle.across, to.x, [x, width, image.width]);
  const rows = axis(handle.down, to.y, [y, height, image.height]);
  return {
    handle: { across: columns.side, down: rows.side },
    rectangle: { x: columns.start, y: rows.start, width: columns.length, height: rows.length },
  };
}

/** One axis of a resize. `room` is the most that the length can be. */
function stretch(
  start: number,
  length: number,
  { side, to, most }: { side: number; to: number; most: number },
): { start: number; length: number; room: number } {
  const end = start + length;
  if (side === 0) return { start, length, room: most };
  if (side > 0) {
    return { start, length: clamp(Math.round(to), start + 1, most) - start, room: most - start };
  }
  const moved = clamp(Math.round(to), 0, end - 1);
  return { start: moved, length: end - moved, room: end };
}

function centerOf({ x, y, width, height }: Rectangle): Point {
  return { x: x + width / 2, y: y + height / 2 };
}

function centered(center: Point, { width, height }: Size, image: Size): Rectangle {
  return clampRectangle(
    { x: center.x - width / 2, y: center.y - height / 2, width, height },
    image,
  );
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
