import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { customFormatParameters } from '../../src/images/custom-format-parameters.ts';
import { layoutSizes } from '../../src/images/layout-sizes.ts';
import { resolveCrop } from '../../src/images/resolve-crop.ts';

const picture = { width: 2400, height: 1600 };

describe('a crop', () => {
  const place = { id: 4711, page: '/harbour/' };
  const inside = fc
    .record({ width: fc.integer({ min: 1, max: 2400 }), height: fc.integer({ min: 1, max: 1600 }) })
    .chain(({ width, height }) =>
      fc.record({
        x: fc.integer({ min: 0, max: picture.width - width }),
        y: fc.integer({ min: 0, max: picture.height - height }),
        width: fc.constant(width),
        height: fc.constant(height),
      }),
    );

  test('that is missing is the whole picture', () => {
    expect(resolveCrop({ ...place, crop: undefined }, picture)).toEqual({ x: 0, y: 0, ...picture });
  });

  test('inside the picture is taken as it is', () => {
    fc.assert(
      fc.property(inside, (crop) => {
        expect(resolveCrop({ ...place, crop }, picture)).toEqual(crop);
      }),
    );
  });

  test('moved out of the picture is refused with the real size', () => {
    fc.assert(
      fc.property(inside, fc.boolean(), fc.integer({ min: 1, max: 1e9 }), (crop, across, by) => {
        const out = across
          ? { ...crop, x: picture.width - crop.width + by }
          : { ...crop, y: picture.height - crop.height + by };
        expect(() => resolveCrop({ ...place, crop: out }, picture)).toThrow(
          expect.objectContaining({
            code: 'crop-outside',
            message: `/harbour/: the crop { x: ${out.x}, y: ${out.y}, width: ${out.width}, height: ${out.height} } of asset 4711 reaches outside its picture, which has 2400 × 1600 pixels.`,
          }),
        );
      }),
    );
  });

  test('is asked for by its corner and its own size, in this order', () => {
    const parameters = customFormatParameters({ x: 400, y: 200, width: 2400, height: 1600 });
    expect(Object.entries(parameters)).toEqual([
      ['x1', 400],
      ['y1', 200],
      ['w', 2400],
      ['h', 1600],
    ]);
  });
});

describe('layout sizes', () => {
  test.each([
    ['nothing', undefined, undefined, ['2400x1600@1']],
    ['a width', 600, undefined, ['600x400@1', '1200x800@2']],
    ['a height', undefined, 400, ['600x400@1', '1200x800@2']],
    ['both', 500, 500, ['500x500@1', '1000x1000@2']],
    ['exactly half', 1200, undefined, ['1200x800@1', '2400x1600@2']],
    ['more than half', 1201, undefined, ['1201x801@1']],
    ['too wide', 4800, undefined, ['2400x1600@1']],
    ['too high', undefined, 3200, ['2400x1600@1']],
    ['too large a square', 5000, 5000, ['1600x1600@1']],
    ['too wide a strip', 4800, 100, ['2400x50@1']],
    ['one pixel', 1, undefined, ['1x1@1', '2x2@2']],
  ])('from %s', (_, width, height, expected) => {
    const sizes = layoutSizes({ picture, width, height, longestSide: 16_383 });
    expect(sizes.map((size) => `${size.width}x${size.height}@${size.density}`)).toEqual(expected);
  });

  test('fit into what the format can hold', () => {
    const wide = { width: 30_000, height: 300 };
    const [size] = layoutSizes({
      picture: wide,
      width: undefined,
      height: undefined,
      longestSide: 16_383,
    });
    expect(size).toEqual({ width: 16_383, height: 164, density: 1 });
  });

  test('are whole, never larger than the picture, and multiples of the layout', () => {
    const side = fc.integer({ min: 1, max: 65_535 });
    fc.assert(
      fc.property(
        fc.record({ width: side, height: side }),
        fc.option(side, { nil: undefined }),
        fc.option(side, { nil: undefined }),
        (picture, width, height) => {
          const sizes = layoutSizes({ picture, width, height, longestSide: 16_383 });
          for (const size of sizes) {
            expect(Number.isInteger(size.width) && Number.isInteger(size.height)).toBe(true);
            expect(size.width).toBeGreaterThan(0);
            expect(size.height).toBeGreaterThan(0);
            expect(size.width).toBeLessThanOrEqual(Math.min(picture.width, 16_383));
            expect(size.height).toBeLessThanOrEqual(Math.min(picture.height, 16_383));
            expect(size.width).toBe(sizes[0].width * size.density);
            expect(size.height).toBe(sizes[0].height * size.density);
          }
        },
      ),
    );
  });
});
