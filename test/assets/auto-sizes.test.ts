import { expect, test } from 'vitest';
import { autoSizes } from '../../src/assets/geometry/auto-sizes.ts';

test.each([
  ['lazy', '50vw', 'auto, 50vw'],
  ['lazy', 'auto, 50vw', 'auto, 50vw'],
  ['lazy', 'AUTO', 'AUTO'],
  ['lazy', undefined, undefined],
  ['eager', '50vw', '50vw'],
  [undefined, '50vw', '50vw'],
])('an image with loading=%j and sizes=%j gets sizes=%j', (loading, given, sizes) => {
  expect(autoSizes({ sizes: given, sources: [] }, loading).sizes).toBe(sizes);
});

const sources = [{ sizes: '100vw' }, { sizes: undefined }];

test('sources with sizes get auto if their image has it', () => {
  expect(autoSizes({ sizes: '50vw', sources }, 'lazy').sources).toEqual([
    { sizes: 'auto, 100vw' },
    { sizes: undefined },
  ]);
});

test.each([
  ['without sizes', undefined, 'lazy'],
  ['that is not lazy', '50vw', 'eager'],
])('sources of an image %s keep their own', (_, sizes, loading) => {
  expect(autoSizes({ sizes, sources }, loading).sources).toEqual(sources);
});
