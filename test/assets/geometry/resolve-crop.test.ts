import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Point, Rectangle } from '../../../src/assets/formats/rendition.ts';
import type { CropRequest } from '../../../src/assets/geometry/crop.ts';
import { resolveCrop } from '../../../src/assets/geometry/crop.ts';
import { customFormats } from '../../../src/assets/geometry/custom-format-parameters.ts';
import { parseCropRequest } from '../../../src/assets/request/parse-crop.ts';

const picture = { width: 2400, height: 1600 };
const middle = { x: 0.5, y: 0.5 };

describe('a crop', () => {
  const place = { id: 4711, page: '/harbour/' };
  const resolve = (crop: Partial<CropRequest>, eye: Point = middle) =>
    resolveCrop(
      place,
      { crop: { crop: undefined, aspect: undefined, focus: middle, ...crop }, image: picture },
      async () => eye,
    );
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

  test('that is missing is the whole image', async () => {
    expect(await resolve({})).toEqual({ x: 0, y: 0, ...picture });
  });

  test('inside the image is used unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(inside, async (crop) => {
        expect(await resolve({ crop })).toEqual(crop);
      }),
    );
  });

  test('that reaches outside the image is refused, and the error names its size', async () => {
    await fc.assert(
      fc.asyncProperty(
        inside,
        fc.boolean(),
        fc.integer({ min: 1, max: 1e9 }),
        async (crop, across, by) => {
          const out = across
            ? { ...crop, x: picture.width - crop.width + by }
            : { ...crop, y: picture.height - crop.height + by };
          await expect(resolve({ crop: out })).rejects.toThrow(
            expect.objectContaining({
              code: 'crop-outside',
              message: `/harbour/: the crop { x: ${out.x}, y: ${out.y}, width: ${out.width}, height: ${out.height} } of asset 4711 reaches outside the image, which has 2400 × 1600 pixels.`,
            }),
          );
        },
      ),
    );
  });

  test.each<[string, Partial<CropRequest>, Point, Rectangle]>([
    [
      'in fractions',
      { crop: { unit: 'fraction', x: 0.25, y: 0.5, width: 0.5, height: 0.5 } },
      middle,
      { x: 600, y: 800, width: 1200, height: 800 },
    ],
    ['as a square', { aspect: 1 }, middle, { x: 400, y: 0, width: 1600, height: 1600 }],
    [
      'as a square at the left',
      { aspect: 1, focus: { x: 0, y: 0.5 } },
      middle,
      { x: 0, y: 0, width: 1600, height: 1600 },
    ],
    [
      'as a square around a point',
      { aspect: 1, focus: { x: 0.6, y: 0.5 } },
      middle,
      { x: 640, y: 0, width: 1600, height: 1600 },
    ],
    [
      'as a strip around what draws the eye',
      { aspect: 3, focus: 'attention' },
      { x: 1200, y: 1500 },
      { x: 0, y: 800, width: 2400, height: 800 },
    ],
    [
      'as a shape inside a crop',
      { crop: { x: 100, y: 100, width: 400, height: 400 }, aspect: 2 },
      middle,
      { x: 100, y: 200, width: 400, height: 200 },
    ],
  ])('%s is a rectangle in pixels', async (_, crop, eye, rectangle) => {
    expect(await resolve(crop, eye)).toEqual(rectangle);
  });

  test('in fractions or with an aspect is never empty and never outside', async () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const part = fc.double({ min: 1e-9, max: 1, noNaN: true });
    await fc.assert(
      fc.asyncProperty(
        fc.record({ x: share, y: share, width: part, height: part }),
        fc.option(fc.double({ min: 0.001, max: 1000, noNaN: true }), { nil: undefined }),
        fc.record({ x: share, y: share }),
        async (crop, aspect, focus) => {
          const found = await resolve({ crop: { unit: 'fraction', ...crop }, aspect, focus });
          expect(Object.values(found).every(Number.isInteger)).toBe(true);
          expect(
            Math.min(found.x, found.y, found.width - 1, found.height - 1),
          ).toBeGreaterThanOrEqual(0);
          expect(found.x + found.width).toBeLessThanOrEqual(picture.width);
          expect(found.y + found.height).toBeLessThanOrEqual(picture.height);
        },
      ),
    );
  });

  test('in computed fractions is the part that they mean, and never outside', async () => {
    const cut = fc.double({ min: 0, max: 0.99, noNaN: true });
    const noise = fc.double({ min: -1e-12, max: 1e-12, noNaN: true });
    await fc.assert(
      fc.asyncProperty(cut, cut, noise, noise, async (left, top, across, down) => {
        const rest = { width: 1 - left + across, height: 1 - top + down };
        const crop = { unit: 'fraction', x: left, y: top, ...rest };
        const found = await resolve(parseCropRequest({ crop }, place));
        const x = Math.round(left * picture.width);
        const y = Math.round(top * picture.height);
        expect(found).toMatchObject({ x, y });
        expect(found).toMatchObject({ width: picture.width - x, height: picture.height - y });
      }),
    );
  });

  test('in fractions ends where the next one starts', async () => {
    const part = fc.double({ min: 0.001, max: 0.499, noNaN: true });
    await fc.assert(
      fc.asyncProperty(part, part, part, async (start, width, next) => {
        const row = { unit: 'fraction', y: 0, height: 1 } as const;
        const one = await resolve({ crop: { ...row, x: start, width } });
        const other = await resolve({ crop: { ...row, x: start + width, width: next / 1000 } });
        expect(one.x + one.width).toBe(other.x);
      }),
    );
  });

  test.each([
    ['its corner and its own size', 'size', 'x1=400&y1=200&w=2400&h=1600'],
    [
      "its corners, the original's size and the output size",
      'corners',
      'x1=400&y1=200&x2=2800&y2=1800&sw=4000&sh=3000&w=2400&h=1600',
    ],
  ] as const)('is requested with %s, in this order', (_, dialect, query) => {
    const crop = { x: 400, y: 200, width: 2400, height: 1600 };
    const parameters = Object.entries(customFormats[dialect](crop, { width: 4000, height: 3000 }));
    expect(parameters.map((parameter) => parameter.join('=')).join('&')).toBe(query);
  });
});
