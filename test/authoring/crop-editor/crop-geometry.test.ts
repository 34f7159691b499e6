import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAspect } from '../../../src/assets/geometry/fit-image.ts';
import type { Point, Rectangle, Size } from '../../../src/assets/geometry/rectangle.ts';
import {
  commonRatios,
  drawRectangle,
  growRectangle,
  type Handle,
  hasRatio,
  moveRectangle,
  nearestRatio,
  ratioText,
  reshape,
  resizeRectangle,
} from '../../../src/authoring/crop-editor/crop-geometry.ts';
import { anyImage, anyPoint, anyRatio, rectangleIn } from './any-crop.ts';

const sides = fc.constantFrom(-1 as const, 0 as const, 1 as const);
const anyHandle = fc
  .record({ across: sides, down: sides })
  .filter(({ across, down }) => across !== 0 || down !== 0);
const anyStep = fc.record({
  x: fc.constantFrom(-10, -1, 0, 1, 10),
  y: fc.constantFrom(-10, -1, 0, 1, 10),
});

const anyCase = anyImage.chain((image) =>
  fc.record({
    image: fc.constant(image),
    rectangle: rectangleIn(image),
    handle: anyHandle,
    to: anyPoint,
    from: anyPoint,
    by: anyStep,
    ratio: fc.option(anyRatio, { nil: undefined }),
  }),
);

function expectInside({ x, y, width, height }: Rectangle, image: Size): void {
  for (const value of [x, y, width, height]) expect(Number.isInteger(value)).toBe(true);
  expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(1);
  expect(x + width).toBeLessThanOrEqual(image.width);
  expect(y + height).toBeLessThanOrEqual(image.height);
}

/** A side is the other one's exact length, rounded, or a single pixel. */
function expectRatio({ width, height }: Size, ratio: number): void {
  expect(hasRatio({ width, height }, ratio)).toBe(true);
  if (Math.min(width, height) === 1) return;
  const miss = Math.min(Math.abs(width - height * ratio), Math.abs(height - width / ratio));
  expect(miss).toBeLessThanOrEqual(0.5 + 1e-9);
}

describe('a crop rectangle', () => {
  test('stays inside the image, in whole pixels, whatever is done to it', () => {
    fc.assert(
      fc.property(anyCase, ({ image, rectangle, handle, to, from, by, ratio }) => {
        expectInside(moveRectangle(rectangle, to, image), image);
        expectInside(resizeRectangle(rectangle, { handle, to, image, ratio }), image);
        expectInside(drawRectangle(from, { to, image, ratio }), image);
        expectInside(growRectangle(rectangle, { by, image, ratio }), image);
        expectInside(reshape(rectangle, ratio ?? 1, image), image);
      }),
      { numRuns: 1000 },
    );
  });

  test('keeps its size when it moves', () => {
    fc.assert(
      fc.property(anyCase, ({ image, rectangle, to }) => {
        const { width, height } = moveRectangle(rectangle, to, image);
        expect({ width, height }).toEqual({ width: rectangle.width, height: rectangle.height });
      }),
    );
  });

  test('keeps a ratio to the nearest pixel', () => {
    fc.assert(
      fc.property(anyCase, ({ image, rectangle, handle, to, from, by, ratio = 1 }) => {
        expectRatio(resizeRectangle(rectangle, { handle, to, image, ratio }), ratio);
        expectRatio(drawRectangle(from, { to, image, ratio }), ratio);
        expectRatio(growRectangle(rectangle, { by, image, ratio }), ratio);
        expectRatio(reshape(rectangle, ratio, image), ratio);
      }),
      { numRuns: 1000 },
    );
  });

  test('keeps the opposite corner or side when a handle resizes it, also past it', () => {
    /** The edge that stays is the end of the side that moves, whichever way it went. */
    const expectEdge = (edge: number, to: number, [start, length]: [number, number]) =>
      expect([start, start + length], `to ${to}`).toContain(edge);
    fc.assert(
      fc.property(anyCase, ({ image, rectangle, handle, to, ratio }) => {
        const resized = resizeRectangle(rectangle, { handle, to, image, ratio });
        const [right, bottom] = [rectangle.x + rectangle.width, rectangle.y + rectangle.height];
        const columns: [number, number] = [resized.x, resized.width];
        const rows: [number, number] = [resized.y, resized.height];
        if (handle.across > 0) expectEdge(rectangle.x, to.x, columns);
        if (handle.across < 0) expectEdge(right, to.x, columns);
        if (handle.down > 0) expectEdge(rectangle.y, to.y, rows);
        if (handle.down < 0) expectEdge(bottom, to.y, rows);
      }),
      { numRuns: 1000 },
    );
  });

  test.each<[string, Handle, Point, Rectangle]>([
    [
      'to the left of the left',
      { across: 1, down: 1 },
      { x: 60, y: 250 },
      { x: 60, y: 100, width: 40, height: 150 },
    ],
    [
      'above the top',
      { across: 0, down: 1 },
      { x: 0, y: 40 },
      { x: 100, y: 40, width: 200, height: 60 },
    ],
    [
      'past both',
      { across: -1, down: -1 },
      { x: 350, y: 260 },
      { x: 300, y: 200, width: 50, height: 60 },
    ],
  ])('flips when a handle is dragged %s', (_, handle, to, flipped) => {
    const rectangle = { x: 100, y: 100, width: 200, height: 100 };
    const image = { width: 400, height: 300 };
    expect(resizeRectangle(rectangle, { handle, to, image })).toEqual(flipped);
  });

  test.each([
    [{ width: 961, height: 961 }, '1:1'],
    [{ width: 640, height: 427 }, '3:2'],
    [{ width: 427, height: 640 }, '2:3'],
    [{ width: 1920, height: 1081 }, '16:9'],
    [{ width: 640, height: 431 }, '640:431'],
  ])('names the ratio of %j as a person does: %s', (size, text) => {
    expect(ratioText(size)).toBe(text);
  });

  test('grows by a step of its shorter side with a ratio', () => {
    const image = { width: 2400, height: 1600 };
    const rectangle = { x: 0, y: 0, width: 300, height: 100 };
    const grown = growRectangle(rectangle, { by: { x: 1, y: 0 }, image, ratio: 3 });
    expect(grown).toEqual({ x: 0, y: 0, width: 303, height: 101 });
    const shrunk = growRectangle(rectangle, { by: { x: 0, y: -10 }, image, ratio: 3 });
    expect(shrunk).toEqual({ x: 0, y: 0, width: 270, height: 90 });
  });

  test.each([
    ['16:9', { x: 0, y: 125, width: 2400, height: 1350 }],
    ['1:1', { x: 400, y: 0, width: 1600, height: 1600 }],
    ['3:2', { x: 0, y: 0, width: 2400, height: 1600 }],
    ['9:16', { x: 750, y: 0, width: 900, height: 1600 }],
  ] as const)('of the whole image becomes the largest one of %s', (ratio, expected) => {
    const image = { width: 2400, height: 1600 };
    const whole = { x: 0, y: 0, ...image };
    expect(commonRatios).toContain(ratio);
    expect(reshape(whole, parseAspect(ratio) ?? 0, image)).toEqual(expected);
  });

  test('is drawn in every direction, and covers the pixels under both ends', () => {
    const image = { width: 100, height: 100 };
    const a = { x: 10.2, y: 20.8 };
    const b = { x: 40, y: 70 };
    expect(drawRectangle(a, { to: b, image })).toEqual({
      x: 10,
      y: 20,
      width: 30,
      height: 50,
    });
    expect(drawRectangle(b, { to: a, image })).toEqual({
      x: 10,
      y: 21,
      width: 30,
      height: 49,
    });
  });
});

test.each([
  [640, 427, '3:2'],
  [961, 961, '1:1'],
  [1080, 1350, '4:5'],
  [3000, 100, '21:9'],
])('of %d × %d, the nearest ratio that people use is a common one', (width, height, ratio) => {
  expect(nearestRatio({ width, height })).toBe(ratio);
});
