import { expect, test } from 'vitest';
import { readDefaults } from '../../../src/assets/request/read-defaults.ts';
import { resolveOptions } from '../../../src/config/options.ts';
import type { MediaAssetsOptions } from '../../../src/index.ts';

function readAll(options: MediaAssetsOptions, ofAstro = {}) {
  return readDefaults(resolveOptions(options, {}), ofAstro);
}

function read(images: MediaAssetsOptions['images'], ofAstro?: object) {
  const { presets, ...defaults } = readAll(images ? { images } : {}, ofAstro);
  expect(presets).toEqual({});
  return defaults;
}

test('defaults that every image could set are accepted', () => {
  const images = {
    sizes: '50vw',
    widths: [640, 1280],
    effort: 9,
    formats: ['avif'],
    placeholder: 'blur',
  } as const;
  expect(read(images)).toEqual(images);
  expect(read({ sizes: '50vw' }, { layout: 'fixed' })).toEqual({ layout: 'fixed', sizes: '50vw' });
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
    effort: 11,
  } as object;
  expect(() => read(images)).toThrow(
    `Invalid options of astro-media-asset:
  - images.layout: expected one of constrained, fixed, full-width, none, received "fluid"
  - images.widths: expected a whole number of pixels from 1 to 65535, received "wide"
  - images.sizes: expected lengths with a unit other than %, such as "(min-width: 40em) 50vw, 100vw", received "50%"
  - images.formats: expected one of webp, avif, jpeg, png, gif, received "bmp"
  - images.quality: expected a whole number from 1 to 100, received 101
  - images.effort: expected a whole number from 0 to 10, received 11`,
  );
});

test('a default of sizes is refused with the layout none, which has no choice of widths', () => {
  expect(read({ sizes: '50vw' })).toEqual({ sizes: '50vw' });
  const problem = /images\.sizes: expected `widths` or a `layout`/;
  expect(() => read({ sizes: '50vw', layout: 'none' })).toThrow(problem);
});

test('a default that images have no prop for is refused', () => {
  expect(() => read({ width: 800 } as object)).toThrow(
    'images.width: unknown option. Valid options: layout, widths, sizes, formats, format, quality, effort, placeholder',
  );
  // @ts-expect-error
  const options: MediaAssetsOptions = { images: { formats: ['bmp'] } };
  expect(options).toBeDefined();
});

test('presets are checked with the defaults that they override', () => {
  const presets = { hero: { aspect: '2:1', focus: 'attention', sizes: '50vw' } } as const;
  expect(readAll({ images: { widths: [640] }, presets })).toEqual({ widths: [640], presets });
  const wrong = {
    hero: { aspect: 'wide', widths: [0] },
    card: { sizes: '50vw', layout: 'none', focus: 'eyes' },
  } as Record<string, object>;
  const problems = ['images.quality', 'presets.hero.widths', 'presets.hero.aspect'];
  const others = ['presets.card.sizes: expected `widths` or a `layout`', 'presets.card.focus'];
  expect(() => readAll({ images: { quality: 0 }, presets: wrong })).toThrow(
    new RegExp([...problems, ...others].join('[^]*')),
  );
});

test.each([
  [{ hero: { crop: {} } }, 'presets.hero.crop: unknown option. Valid options: layout, widths,'],
  [{ hero: 800 }, 'presets.hero: '],
  ['hero', 'presets: expected { name: { … } }, received "hero"'],
])('presets of %j are refused', (presets, message) => {
  expect(() => readAll({ presets: presets as Record<string, object> })).toThrow(message);
});
