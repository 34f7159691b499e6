import { expect, test } from 'vitest';
import { readDefaults } from '../../src/assets/request/read-defaults.ts';
import { resolveOptions } from '../../src/config/options.ts';
import type { MediaAssetsOptions } from '../../src/index.ts';

const read = (images: MediaAssetsOptions['images'], ofAstro = {}) =>
  readDefaults('images', resolveOptions({ images }, {}).images, ofAstro);

test('defaults that every image could set are accepted', () => {
  const images = {
    sizes: '50vw',
    widths: [640, 1280],
    effort: 9,
    formats: ['avif'],
    placeholder: 'blur',
  } as const;
  expect(read(images)).toEqual(images);
  expect(read({ sizes: '50vw' }, { layout: 'constrained' })).toEqual({ sizes: '50vw' });
  expect(read({ layout: undefined })).toEqual({});
  expect(read(undefined)).toEqual({});
});

test('every wrong default is named with what was expected and received', () => {
  const images = {
    layout: 'fluid',
    sizes: '50%',
    widths: ['wide'],
    formats: ['bmp'],
    quality: 101,
    effort: 7,
  } as object;
  expect(() => read(images)).toThrow(
    `Invalid options of astro-media-asset:
  - images.layout: expected one of constrained, fixed, full-width, none, received "fluid"
  - images.widths: expected a whole number of pixels from 1 to 65535, received "wide"
  - images.sizes: expected lengths with a unit other than %, such as "(min-width: 40em) 50vw, 100vw", received "50%"
  - images.formats: expected one of webp, avif, jpeg, png, gif, received "bmp"
  - images.quality: expected a whole number from 1 to 100, received 101
  - images.effort: expected a whole number for webp from 0 to 6, received 7`,
  );
});

test('a default of sizes alone is refused, because it has no choice of widths', () => {
  expect(() => read({ sizes: '50vw' })).toThrow(/images\.sizes: expected `widths` or a `layout`/);
});

test('a default that images have no prop for is refused', () => {
  expect(() => read({ width: 800 } as object)).toThrow(
    'images.width: unknown option. Valid options: layout, widths, sizes, formats, format, quality, effort, placeholder',
  );
  // @ts-expect-error
  const options: MediaAssetsOptions = { images: { formats: ['bmp'] } };
  expect(options).toBeDefined();
});
