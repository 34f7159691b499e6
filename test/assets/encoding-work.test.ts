import { expect, test } from 'vitest';
import type { Recipe, Rendition } from '../../src/assets/formats/rendition.ts';
import { encodingWork } from '../../src/assets/renditions/make-rendition.ts';

function workOf(recipe: Partial<Recipe>, width = 1000): number {
  return encodingWork({
    source: { reference: { kind: 'original', service: '', id: 1 }, hash: '' },
    corner: { x: 0, y: 0 },
    rectangle: { x: 0, y: 0, width, height: 1000 },
    width,
    height: 1000,
    recipe: { format: 'jpeg', quality: 80, animated: false, gamut: 'srgb', ...recipe },
  } satisfies Rendition);
}

test('a JPEG of a million pixels is the measure, and twice the pixels take twice as long', () => {
  expect(workOf({})).toBe(1);
  expect(workOf({}, 2000)).toBe(2);
});

test('formats take longer in the order that they have been measured in', () => {
  const works = [
    workOf({ format: 'svg' }),
    workOf({ format: 'jpeg' }),
    workOf({ format: 'png', quality: undefined }),
    workOf({ format: 'webp', effort: 4 }),
    workOf({ format: 'avif', effort: 3 }),
    workOf({ format: 'png', quality: 80 }),
    workOf({ format: 'avif', effort: 4 }),
    workOf({ format: 'gif' }),
  ];
  expect(works).toEqual(works.toSorted((one, other) => one - other));
  expect(new Set(works).size).toBe(works.length);
});
