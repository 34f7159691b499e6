import type { Point, Rectangle, Size } from '../formats/rendition.ts';

/** How a picture fills a width and a height of another shape, with Astro's words. */
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

export interface FittedPicture {
  /** In the pixels of the original; inside the rectangle that was given. */
  readonly rectangle: Rectangle;
  /** Layout size in pixels, as it is asked for: it may be larger than the rectangle. */
  readonly layout: Size;
  /** Width divided by height of what is published: the rectangle's own, unless it is stretched. */
  readonly aspect: number;
}

/**
 * Fits a rectangle into a layout size: `cover` cuts off what is over, at the sides that are
 * farthest from `position`; `contain`, `inside` and `scale-down` stay inside the size, `outside`
 * and `none` fill it whole and reach out of it, both in the rectangle's own shape; `fill` stretches.
 *
 * @param position fractions of what is left over, as CSS's `object-position` takes percentages
 */
export function fitPicture({
  rectangle,
  width,
  height,
  fit,
  position,
}: {
  rectangle: Rectangle;
  width: number | undefined;
  height: number | undefined;
  fit: Fit;
  position: Point;
}): FittedPicture {
  const aspect = rectangle.width / rectangle.height;
  if (width === undefined || height === undefined) {
    const scale =
      width !== undefined
        ? width / rectangle.width
        : height !== undefined
          ? height / rectangle.height
          : 1;
    const scaled = scaledSize(rectangle, scale);
    return {
      rectangle,
      layout: { width: width ?? scaled.width, height: height ?? scaled.height },
      aspect,
    };
  }
  const scales = [width / rectangle.width, height / rectangle.height];
  switch (fit) {
    case 'cover': {
      const cut = cutToShape(rectangle, { aspect: width / height, position });
      return { rectangle: cut, layout: { width, height }, aspect: cut.width / cut.height };
    }
    case 'fill':
      return { rectangle, layout: { width, height }, aspect: width / height };
    case 'contain':
    case 'inside':
    case 'scale-down':
      return { rectangle, layout: scaledSize(rectangle, Math.min(...scales)), aspect };
    case 'outside':
    case 'none':
      return { rectangle, layout: scaledSize(rectangle, Math.max(...scales)), aspect };
  }
}

/**
 * The largest part of a rectangle that has a shape.
 *
 * @param aspect width divided by height
 * @param position fractions of what is left over on each side
 */
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

/** A length of at least one pixel. */
export function wholePixels(length: number): number {
  return Math.max(1, Math.round(length));
}

/** In whole pixels. */
export function scaledSize({ width, height }: Size, scale: number): Size {
  return { width: wholePixels(width * scale), height: wholePixels(height * scale) };
}

const across = new Map([
  ['left', 0],
  ['right', 1],
]);
const down = new Map([
  ['top', 0],
  ['bottom', 1],
]);

/**
 * Reads CSS's `object-position` in words and percentages: `top`, `right bottom`, `25% 75%`. Gives
 * fractions of what is left over; `undefined` for anything else.
 */
export function parsePosition(value: unknown): Point | undefined {
  if (typeof value !== 'string') return undefined;
  const [first = '', second = 'center', ...others] = value
    .trim()
    .toLowerCase()
    .split(/[\s-]+/);
  if (others.length > 0) return undefined;
  if (down.has(first) || across.has(second)) {
    // Only words may change places.
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

/** The same in percentages: `50% 0%`; `undefined` for the middle, as which CSS takes it anyhow. */
export function formatPosition({ x, y }: Point): string | undefined {
  if (x === 0.5 && y === 0.5) return undefined;
  return [x, y].map((share) => `${Number((share * 100).toFixed(2))}%`).join(' ');
}
