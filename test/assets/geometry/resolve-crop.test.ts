import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CropRequest } from '../../../src/assets/geometry/crop.ts';
import { resolveCrop } from '../../../src/assets/geometry/crop.ts';
import { parseRequest } from '../../../src/assets/request/parse-request.ts';

const picture = { width: 2400, height: 1600 };
const middle = { x: 0.5, y: 0.5 };

describe('a crop', () => {
  const place = { id: 4711, page: '/harbour/' };
  const resolve = (crop: Partial<CropRequest>) =>
    resolveCrop(
      place,
      { crop: { crop: undefined, aspect: undefined, focus: middle, ...crop }, image: picture },
      async () => middle,
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
        const found = await resolve(parseRequest({ crop, alt: '', ...place }).image.crop);
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
});
