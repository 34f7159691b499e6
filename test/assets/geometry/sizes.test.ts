import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Fit,
  fitImage,
  fits,
  formatPosition,
  parseAspect,
  parsePosition,
} from '../../../src/assets/geometry/fit-image.ts';
import { outputSizes, type SizesRequest } from '../../../src/assets/geometry/output-sizes.ts';
import type { Point, Size } from '../../../src/assets/geometry/rectangle.ts';

const image = { width: 2400, height: 1600 };

/** The rectangle of an image that is shown, and its sizes. */
function place({
  size = image,
  position = 'center',
  request = { kind: 'densities', densities: [1, 2] } as SizesRequest,
  longestSide = 16_383,
  ...asked
}: {
  size?: Size;
  width?: number | undefined;
  height?: number | undefined;
  fit?: Fit;
  position?: string;
  request?: SizesRequest;
  longestSide?: number;
}) {
  const { rectangle, layout, aspect } = fitImage({
    ...{ width: undefined, height: undefined, fit: 'cover', ...asked },
    rectangle: { x: 0, y: 0, ...size },
    position: parsePosition(position) as Point,
  });
  const sizes = outputSizes({ image: rectangle, layout, aspect, request, longestSide });
  return { ...sizes, rectangle };
}

const named = (sizes: readonly { width: number; height: number; descriptor: string }[]) =>
  sizes.map(({ width, height, descriptor }) => `${width}x${height}@${descriptor}`);

const widthsOf = (...widths: number[]): SizesRequest => ({
  ...{ kind: 'widths', layout: 'none', widths, sizes: undefined },
});

describe('sizes by density', () => {
  test.each([
    ['nothing', undefined, undefined, ['2400x1600@1x']],
    ['a width', 600, undefined, ['600x400@1x', '1200x800@2x']],
    ['a height', undefined, 400, ['600x400@1x', '1200x800@2x']],
    ['both', 500, 500, ['500x500@1x', '1000x1000@2x']],
    ['more than half', 1440, undefined, ['1440x960@1x', '2400x1600@1.67x']],
    ['hardly more than half', 1201, undefined, ['1201x801@1x', '2400x1600@2x']],
    ['nearly all', 2390, undefined, ['2390x1593@1x']],
    ['too wide', 4800, undefined, ['2400x1600@1x']],
    ['too large a square', 5000, 5000, ['1600x1600@1x']],
    ['too wide a strip', 4800, 100, ['2400x50@1x']],
  ])('for %s', (_, width, height, expected) => {
    expect(named(place({ width, height }).outputs)).toEqual(expected);
  });

  test.each<[Fit, number, number, string]>([
    ['cover', 600, 600, '600x600@1x'],
    ['contain', 600, 600, '600x400@1x'],
    ['inside', 600, 600, '600x400@1x'],
    ['outside', 600, 600, '900x600@1x'],
    ['none', 600, 600, '900x600@1x'],
    ['outside', 900, 300, '900x600@1x'],
    ['fill', 600, 600, '600x600@1x'],
  ])('fit %s into %d × %d as %s', (fit, width, height, expected) => {
    const request = { kind: 'densities', densities: [1] } as const;
    expect(named(place({ width, height, fit, request }).outputs)).toEqual([expected]);
  });

  test('name the density that was asked for, not that of the rounded width', () => {
    const request = { kind: 'densities', densities: [1, 1.5] } as const;
    expect(named(place({ width: 3, request }).outputs)).toEqual(['3x2@1x', '5x3@1.5x']);
  });

  test('are the requested ones, each once', () => {
    const request = { kind: 'densities', densities: [3, 1.5, 1.5, 9] } as const;
    expect(named(place({ width: 600, request }).outputs)).toEqual([
      '600x400@1x',
      '900x600@1.5x',
      '1800x1200@3x',
      '2400x1600@4x',
    ]);
  });

  test('end with one size that has all pixels of the image', () => {
    const request = { kind: 'densities', densities: [1, 2, 3, 4] } as const;
    expect(named(place({ width: 1000, request }).outputs)).toEqual([
      '1000x667@1x',
      '2000x1333@2x',
      '2400x1600@2.4x',
    ]);
  });

  test('of a stretched image have the requested shape', () => {
    expect(named(place({ width: 1000, height: 1000, fit: 'fill' }).outputs)).toEqual([
      '1000x1000@1x',
      '1600x1600@1.6x',
    ]);
  });

  test("stay within the format's limit", () => {
    expect(named(place({ longestSide: 1200 }).outputs)).toEqual(['1200x800@1x']);
  });
});

describe('sizes by width', () => {
  test("are in ascending order, each once, and the image's own width replaces larger ones", () => {
    const { outputs } = place({ request: widthsOf(1280, 640, 640, 3000, 5000) });
    expect(named(outputs)).toEqual(['640x427@640w', '1280x853@1280w', '2400x1600@2400w']);
  });

  test('keep the shape of the layout', () => {
    const { outputs } = place({ width: 500, height: 500, request: widthsOf(400, 5000) });
    expect(named(outputs)).toEqual(['400x400@400w', '1600x1600@1600w']);
  });

  test('give `src` the smallest that fills the layout', () => {
    expect(place({ width: 700, request: widthsOf(640, 1280, 2000) }).main.width).toBe(1280);
    expect(place({ width: 2200, request: widthsOf(640, 1280) }).main.width).toBe(1280);
  });
});

describe('an image of another shape than its layout', () => {
  test.each([
    ['top', '50% 0%'],
    ['right bottom', '100% 100%'],
    ['12.5% 33.33%', '12.5% 33.33%'],
    ['33.3333% 66.6667%', '33.33% 66.67%'],
    ['center', undefined],
  ])('the position %s is formatted as %s', (text, written) => {
    expect(formatPosition(parsePosition(text) as Point)).toBe(written);
  });

  test.each([
    ['top', { x: 0.5, y: 0 }],
    ['bottom right', { x: 1, y: 1 }],
    ['right-top', { x: 1, y: 0 }],
    ['center', { x: 0.5, y: 0.5 }],
    ['left 30%', { x: 0, y: 0.3 }],
    ['30% top', { x: 0.3, y: 0 }],
    ['left right', undefined],
    ['top 30%', undefined],
    ['120%', undefined],
    ['4px', undefined],
    ['a b c', undefined],
    [undefined, undefined],
  ])('the position %j is parsed as %j', (text, point) => {
    expect(parsePosition(text)).toEqual(point);
  });
});

test.each([
  [1.5, 1.5],
  ['16:9', 16 / 9],
  ['2.35 : 1', 2.35],
  ['9/16', 9 / 16],
  [0.001, 0.001],
  ['1000:1', 1000],
  [0.0009, undefined],
  ['1001:1', undefined],
  ['1:0', undefined],
  ['0:0', undefined],
  ['16x9', undefined],
  ['1.5', undefined],
  [Number.NaN, undefined],
  [undefined, undefined],
])('the aspect %j is %j', (value, aspect) => {
  expect(parseAspect(value)).toBe(aspect);
});

test.each<[what: string, image: Size, mostWidth: number | undefined, layout: Size]>([
  ['smaller than the column', image, 3000, image],
  ['larger than the column', image, 1200, { width: 1200, height: 800 }],
  ['without a column', image, undefined, image],
])('an image %s that gets no size is as large as it can be', (_, size, mostWidth, layout) => {
  const found = fitImage({
    ...{ rectangle: { x: 0, y: 0, ...size }, width: undefined, height: undefined, mostWidth },
    ...{ fit: 'cover', position: { x: 0.5, y: 0.5 } },
  });
  expect(found.layout).toEqual(layout);
});

test('a width larger than the image becomes exactly the width of the part that is shown', () => {
  const side = fc.integer({ min: 1, max: 16_383 });
  const optional = fc.option(side, { nil: undefined });
  const shape = fits.filter((fit) => fit !== 'fill');
  fc.assert(
    fc.property(
      fc.record({ width: side, height: side }),
      optional,
      optional,
      fc.constantFrom(...shape),
      (size, width, height, fit) => {
        const request = widthsOf(1, 65_535);
        const { outputs, rectangle } = place({ size, width, height, fit, request });
        expect(outputs.at(-1)).toMatchObject({ width: rectangle.width });
      },
    ),
    { examples: [[{ width: 3200, height: 2133 }, 3000, undefined, 'cover']] },
  );
});

test('every size is whole, not empty, and never larger than the image', () => {
  const side = fc.integer({ min: 1, max: 65_535 });
  const optional = fc.option(side, { nil: undefined });
  const position = fc.constantFrom('center', 'top', 'right bottom', '33% 66%');
  const request = fc.oneof(
    fc
      .array(fc.double({ min: 1, max: 10, noNaN: true }), { maxLength: 5 })
      .map((densities): SizesRequest => ({ kind: 'densities', densities })),
    fc.array(side, { minLength: 1, maxLength: 5 }).map((widths) => widthsOf(...widths)),
    fc.constantFrom('constrained' as const, 'fixed' as const, 'full-width' as const).map(
      (layout): SizesRequest => ({
        kind: 'layout',
        layout,
        breakpoints: [640, 2560],
        sizes: undefined,
      }),
    ),
  );
  fc.assert(
    fc.property(
      fc.record({ width: side, height: side }),
      optional,
      optional,
      fc.constantFrom(...fits),
      position,
      request,
      (size, width, height, fit, position, request) => {
        const found = place({ size, width, height, fit, position, request });
        const { rectangle } = found;
        expect(rectangle.x + rectangle.width).toBeLessThanOrEqual(size.width);
        expect(rectangle.y + rectangle.height).toBeLessThanOrEqual(size.height);
        for (const one of [...found.outputs, found.layout]) {
          expect(Number.isInteger(one.width) && Number.isInteger(one.height)).toBe(true);
          expect(Math.min(one.width, one.height)).toBeGreaterThan(0);
          expect(one.width).toBeLessThanOrEqual(Math.min(rectangle.width, 16_383));
          expect(one.height).toBeLessThanOrEqual(Math.min(rectangle.height, 16_383));
        }
        expect(found.outputs).toContain(found.main);
      },
    ),
  );
});
