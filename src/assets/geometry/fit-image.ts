import type { Point, Rectangle, Size } from './rectangle.ts';

/** How an image fills a width and a height of another shape, in Astro's words. */
export const fits = [
  'cover',
  'contain',
  'fill',
  'inside',
  'outside',
  'scale-down',
  'none',
] as const;
export type Fit = (typeof fits)[number];

/**
 * Fits a rectangle into a layout size. `cover` cuts off the excess, farthest from `position` first.
 * `contain`, `inside` and `scale-down` keep the shape and stay inside the size. `outside` and `none`
 * keep the shape and fill the size, so they extend beyond it. `fill` stretches.
 *
 * @param image.mostWidth limits the layout of a rectangle that gets neither width nor height
 * @param image.position in fractions of the excess, as percentages in CSS's `object-position`
 * @returns `rectangle` is within the given one. `layout`, in pixels, can be larger. `aspect` is width
 * divided by height of the published image: the rectangle's own, unless it's stretched
 */
export function fitImage(image: {
  rectangle: Rectangle;
  width: number | undefined;
  height: number | undefined;
  mostWidth?: number | undefined;
  fit: Fit;
  position: Point;
}): { rectangle: Rectangle; layout: Size; aspect: number } {
  const { rectangle, width, height, mostWidth = Number.POSITIVE_INFINITY, fit, position } = image;
  const scaled = (scale: number) => {
    const layout = scaledSize(rectangle, scale);
    return { rectangle, layout, aspect: rectangle.width / rectangle.height };
  };
  const scales = { x: (width ?? mostWidth) / rectangle.width, y: (height ?? 0) / rectangle.height };
  if (width === undefined) return scaled(height === undefined ? Math.min(1, scales.x) : scales.y);
  if (height === undefined) return scaled(scales.x);
  const aspect = width / height;
  if (fit === 'fill') return { rectangle, layout: { width, height }, aspect };
  if (fit === 'cover') {
    const cut = cutToShape(rectangle, { aspect, position });
    return { rectangle: cut, layout: { width, height }, aspect: cut.width / cut.height };
  }
  const scale = fit === 'outside' || fit === 'none' ? Math.max : Math.min;
  return scaled(scale(scales.x, scales.y));
}

/** The largest part of a rectangle with this aspect. */
export function cutToShape(
  { x, y, width, height }: Rectangle,
  { aspect, position }: { aspect: number; position: Point },
): Rectangle {
  const cutWidth = Math.min(width, wholePixels(height * aspect));
  const cutHeight = Math.min(height, wholePixels(width / aspect));
  return {
    x: x + Math.round((width - cutWidth) * position.x),
    y: y + Math.round((height - cutHeight) * position.y),
    width: cutWidth,
    height: cutHeight,
  };
}

/** The largest part of an area with this aspect, centered on the point as closely as possible. */
export function cutAround(area: Rectangle, aspect: number, point: Point): Rectangle {
  const { width, height } = cutToShape(area, { aspect, position: { x: 0, y: 0 } });
  const within = (start: number, length: number, cut: number, middle: number) =>
    Math.min(start + length - cut, Math.max(start, Math.round(middle - cut / 2)));
  return {
    x: within(area.x, area.width, width, point.x),
    y: within(area.y, area.height, height, point.y),
    width,
    height,
  };
}

/**
 * A rectangle in fractions of an image as one in pixels inside it. Each edge is the nearest one between
 * two pixels, so rectangles with a common edge neither overlap nor leave a gap.
 */
export function fractionsToPixels(fractions: Rectangle, image: Size): Rectangle {
  const across = edges(fractions.x, fractions.width, image.width);
  const down = edges(fractions.y, fractions.height, image.height);
  return { x: across.start, y: down.start, width: across.length, height: down.length };
}

/** A rectangle in pixels of an image as one in fractions. */
export function pixelsToFractions({ x, y, width, height }: Rectangle, image: Size): Rectangle {
  const across = { x: x / image.width, width: width / image.width };
  return { ...across, y: y / image.height, height: height / image.height };
}

function edges(start: number, length: number, whole: number) {
  const first = Math.min(whole - 1, Math.round(start * whole));
  const end = Math.min(whole, Math.max(first + 1, Math.round((start + length) * whole)));
  return { start: first, length: end - first };
}

/**
 * Parses an aspect: `1.5`, `'16:9'` or `'16/9'`.
 *
 * @returns width divided by height; `undefined` for anything else
 */
export function parseAspect(value: unknown): number | undefined {
  const parts =
    typeof value === 'string' ? /^(\d+(?:\.\d+)?)\s*[:/]\s*(\d+(?:\.\d+)?)$/.exec(value) : null;
  const aspect = parts ? Number(parts[1]) / Number(parts[2]) : value;
  return typeof aspect === 'number' && aspect >= 0.001 && aspect <= 1000 ? aspect : undefined;
}

export function wholePixels(length: number): number {
  return Math.max(1, Math.round(length));
}

export function scaledSize({ width, height }: Size, scale: number): Size {
  return { width: wholePixels(width * scale), height: wholePixels(height * scale) };
}

const across = new Map(Object.entries({ left: 0, right: 1 }));
const down = new Map(Object.entries({ top: 0, bottom: 1 }));

/**
 * Parses CSS's `object-position` in words and percentages: `top`, `right bottom`, `25% 75%`. Returns
 * fractions of the excess, or `undefined` for anything else.
 */
export function parsePosition(value: unknown): Point | undefined {
  if (typeof value !== 'string') return undefined;
  const [first = '', second = 'center', ...others] = value
    .trim()
    .toLowerCase()
    .split(/[\s-]+/);
  if (others.length > 0) return undefined;
  if (down.has(first) || across.has(second)) {
    // Only words can be in either order.
    const x = second === 'center' ? 0.5 : across.get(second);
    const y = first === 'center' ? 0.5 : down.get(first);
    return x === undefined || y === undefined ? undefined : { x, y };
  }
  const x = across.get(first) ?? share(first);
  const y = down.get(second) ?? share(second);
  return x === undefined || y === undefined ? undefined : { x, y };
}

function share(text: string): number | undefined {
  if (text === 'center') return 0.5;
  const percent = /^\d+(?:\.\d+)?%$/.test(text) ? Number(text.slice(0, -1)) : Number.NaN;
  return percent <= 100 ? percent / 100 : undefined;
}

/** Formats a position in percentages: `50% 0%`; `undefined` for the middle, which is CSS's default. */
export function formatPosition({ x, y }: Point): string | undefined {
  if (x === 0.5 && y === 0.5) return undefined;
  return [x, y].map((share) => `${Number((share * 100).toFixed(2))}%`).join(' ');
}
