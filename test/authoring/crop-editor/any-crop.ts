import fc from 'fast-check';
import type { Size } from '../../../src/assets/geometry/rectangle.ts';

const side = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 20_000 }));

/** Extreme shapes included. */
export const anyImage = fc.record({ width: side, height: side });

/** Also outside of images. */
export const anyPoint = fc.record({
  x: fc.double({ min: -500, max: 21_000, noNaN: true }),
  y: fc.double({ min: -500, max: 21_000, noNaN: true }),
});

/** Ratios as texts, as authors write them. */
export const anyAspect = fc.oneof(
  fc.constantFrom('1:1', '4:3', '3:2', '16:9', '2:1', '3:4', '9:16', '1.91:1', 1.5, 3, 0.001, 1000),
  fc
    .record({ width: fc.integer({ min: 1, max: 999 }), height: fc.integer({ min: 1, max: 999 }) })
    .map(({ width, height }) => `${width}:${height}`),
);

/** Width divided by height. */
export const anyRatio = anyAspect.map((aspect) => {
  const [width, height = 1] = String(aspect).split(':').map(Number);
  return Number(width) / height;
});

export function rectangleIn(image: Size) {
  return fc
    .record({
      width: fc.integer({ min: 1, max: image.width }),
      height: fc.integer({ min: 1, max: image.height }),
    })
    .chain(({ width, height }) =>
      fc.record({
        x: fc.integer({ min: 0, max: image.width - width }),
        y: fc.integer({ min: 0, max: image.height - height }),
        width: fc.constant(width),
        height: fc.constant(height),
      }),
    );
}
