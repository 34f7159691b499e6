import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ImageDefaults, parseRequest } from '../../../src/assets/request/parse-request.ts';
import { MediaAssetError } from '../../../src/errors/errors.ts';

const good = { id: 4711, alt: 'A quay', page: '/harbour/' };

const parse = (props: object, defaults?: ImageDefaults) =>
  parseRequest({ ...good, ...props }, defaults);

const failure = (code: string, text = '/harbour/: ') =>
  expect.objectContaining({ code, message: expect.stringContaining(text) });

test('a request with only id and alt is a WebP of the whole image', () => {
  const { page, ...own } = good;
  expect(parseRequest(good)).toMatchObject({
    ...{ ...own, subject: { id: 4711, page }, sources: [] },
    image: {
      ...{ width: undefined, height: undefined, mostWidth: 1280 },
      ...{ fit: 'cover', position: { x: 0.5, y: 0.5 }, layout: 'constrained' },
      crop: { crop: undefined, aspect: undefined, focus: { x: 0.5, y: 0.5 } },
      sizes: { kind: 'layout', breakpoints: expect.arrayContaining([640, 2560]) },
    },
    ...{ format: 'webp', formats: [], quality: undefined, effort: undefined },
    ...{ placeholder: 'none' },
  });
});

describe('ids', () => {
  test.each([[0], [-0.5], [1.5], ['4711'], [Number.NaN], [2 ** 53], [null], [undefined], [[4711]]])(
    'refuses %j',
    (id) => {
      expect(() => parse({ id })).toThrow(failure('asset-id-invalid'));
      expect(() => parse({ id })).toThrow(String(id));
    },
  );

  test.each([2 ** 53 - 1, -4711, 1 - 2 ** 53])('accepts %i', (id) => {
    expect(parse({ id }).id).toBe(id);
  });
});

test.each([
  [undefined, 'alt-missing', '/harbour/: the image of asset 4711 has no `alt`.'],
  [null, 'alt-missing', '/harbour/: the image of asset 4711 has no `alt`.'],
  [true, 'prop-invalid', '/harbour/: asset 4711 has alt=true; expected a string'],
])('an alt that is %s is refused', (alt, code, message) => {
  expect(() => parse({ alt })).toThrow(failure(code, message));
});

test('an alt can be empty, long, or written from right to left', () => {
  for (const alt of ['', 'x'.repeat(5000), 'רציף בנמל', '🚢⚓️'])
    expect(parse({ alt }).alt).toBe(alt);
});

describe('crops', () => {
  const crop = { x: 0, y: 10, width: 20, height: 30 };
  const part = { unit: 'fraction', x: 0, y: 0, width: 0.5, height: 0.5 };

  test.each([
    ['null', null, 'expected an object'],
    ['a list', [0, 10, 20, 30], 'expected an object'],
    ['one without a key', { x: 0, y: 0, width: 1 }, 'height missing'],
    ['one with another key', { ...crop, scale: 2 }, 'scale unknown'],
    ['a negative corner', { ...crop, x: -1 }, 'x is negative'],
    ['a width of 0', { ...crop, width: 0 }, 'width is zero'],
    ['a fraction', { ...crop, y: 0.5 }, "y isn't a whole number of pixels"],
    ['NaN', { ...crop, width: Number.NaN }, "width isn't a number"],
    ['a fraction above 1', { ...part, x: 1.01 }, 'x is larger than 1'],
    ['a fraction below 0', { ...part, y: -0.01 }, 'y is negative'],
    [
      'fractions that reach outside',
      { ...part, y: 0.6 },
      'it reaches outside the image (y + height is more than 1)',
    ],
    ['another unit', { ...part, unit: 'percent' }, "unit is neither 'pixel' nor 'fraction'"],
  ])('refuses %s', (_, crop, problem) => {
    const message = `/harbour/: invalid crop of asset 4711: ${problem}`;
    expect(() => parse({ crop })).toThrow(failure('crop-invalid', message));
  });

  test('in fractions get a hint with the rule for fractions', () => {
    const hint = expect.stringContaining("With unit: 'fraction', write fractions from 0 to 1");
    expect(() => parse({ crop: { ...part, x: 0.6 } })).toThrow(expect.objectContaining({ hint }));
  });

  test('in fractions start at 0 in spite of rounding errors of sums', () => {
    const sides = { x: 1 - 0.9 - 0.1, width: 0.1 + 0.2 + 0.7 };
    const { crop } = parse({ crop: { ...part, ...sides } }).image.crop;
    expect(crop).toEqual({ ...part, ...sides, x: 0 });
  });

  test.each([{ x: 0.1, width: 0.900001 }, { x: -1e-6 }, { width: 1.000001 }, { width: -1e-15 }])(
    'in fractions allow no larger errors: %j',
    (sides) => {
      expect(() => parse({ crop: { ...part, ...sides } })).toThrow(failure('crop-invalid'));
    },
  );

  test('of any value are either whole rectangles or refused with a code', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        try {
          const parsed = parse({ crop: value }).image.crop.crop;
          if (value === undefined) return parsed === undefined;
          const { x, y, width, height } = parsed ?? { x: -1, y: -1, width: 0, height: 0 };
          return [x, y, width, height].every(Number.isSafeInteger) && width > 0 && height > 0;
        } catch (thrown) {
          return thrown instanceof MediaAssetError && thrown.code === 'crop-invalid';
        }
      }),
    );
  });
});

describe('other props', () => {
  test.each([
    ['format', 'avif', 'avif'],
    ['format', 'jpg', 'jpeg'],
    ['formats', ['avif', 'jpg'], ['avif', 'jpeg']],
    ['quality', 1, 1],
    ['quality', 100, 100],
    ['quality', 'low', 25],
    ['quality', 'mid', 50],
    ['quality', 'high', 80],
    ['quality', 'max', 100],
    ['background', ' #FFF ', '#FFF'],
    ['background', 'rgb(255 255 255 / 50%)', 'rgb(255 255 255 / 50%)'],
    ['width', 800, 800],
    ['width', '800', 800],
    ['width', ' 800.0\n', 800],
    ['height', '1', 1],
    ['height', 65535, 65535],
    ['fit', 'contain', 'contain'],
    ['layout', 'full-width', 'full-width'],
    ['position', 'top', { x: 0.5, y: 0 }],
    ['position', 'center left', { x: 0, y: 0.5 }],
  ])('%s=%j is accepted', (name, value, read) => {
    const { image, ...parsed } = parse({ [name]: value });
    expect({ ...image, ...parsed }).toMatchObject({ [name]: read });
  });

  test.each([
    [{ preset: 'heor' }, 'expected one of hero, card. Did you mean `hero`?'],
    [{ fit: 'contian' }, 'scale-down, none. Did you mean `contain`?'],
    [{ layout: 'full-widht' }, 'Did you mean `full-width`?'],
  ])('%j is refused with the name that may be meant', (props, end) => {
    expect(() => parse(props, { presets: { hero: {}, card: {} } })).toThrow(end);
  });

  test('a focus without an `aspect` is what `fit` keeps, and waits for the `aspect` of a source', () => {
    const focus = { x: 0.25, y: 1 };
    const sources = [{ media: 'print', aspect: '1:1' }];
    const { image, sources: parsed } = parse({ focus, sources });
    expect(image).toMatchObject({ position: focus, crop: { aspect: undefined } });
    expect(parsed[0]?.crop).toEqual({ crop: undefined, aspect: 1, focus });
    expect(parse({ focus: 'attention' }).image.position).toEqual({ x: 0.5, y: 0.5 });
    expect(parse({ focus, position: 'top' }).image.position).toEqual({ x: 0.5, y: 0 });
  });

  test.each([
    ['width', 0],
    ['width', '800px'],
    ['width', 65536],
    ['height', null],
    ['format', 'bmp'],
    ['quality', 101],
    ['quality', '80'],
    ['quality', 'constructor'],
    ['effort', 11],
    ['effort', '4'],
    ['background', ''],
    ['background', `#${'f'.repeat(100)}`],
    ['position', 'outside'],
    ['widths', []],
    ['widths', [0]],
    ['widths', '640'],
    ['widths', Array(51).fill(640)],
    ['widths', Array(3)],
    ['densities', [11]],
    ['densities', ['2y']],
    ['formats', ['webp', 'bmp']],
    ['placeholder', 'shimmer'],
    ['aspect', '16'],
    ['aspect', '0:9'],
    ['focus', 'eyes'],
    ['focus', { x: 400, y: 0 }],
    ['sources', [null]],
  ])('%s=%j is refused', (name, value) => {
    const message = `/harbour/: asset 4711 has ${name}=`;
    expect(() => parse({ [name]: value })).toThrow(failure('prop-invalid', message));
  });
});

test.each([0, 5, 10])('effort can be %j', (effort) => {
  expect(parse({ effort })).toMatchObject({ effort });
});

describe('sizes', () => {
  const sizes = '(min-width: 40em) 50vw, 100vw';

  test.each([
    ['densities', { densities: [1, 2] }, {}],
    ['densities', { densities: [1, 2], layout: 'none' }, { layout: 'constrained' as const }],
    ['the layout none', { layout: 'none' }, { layout: 'constrained' as const }],
  ])('are refused with %s, which leaves no choice of files', (_, request, defaults) => {
    expect(() => parse({ ...request, sizes }, defaults)).toThrow(
      `asset 4711 has sizes=${JSON.stringify(sizes)}; expected \`widths\` or a \`layout\` with it`,
    );
  });

  test.each([
    ['nothing', {}, {}],
    ['widths', { widths: [640] }, {}],
    ['a layout', { layout: 'full-width' }, {}],
    ['the layout of the Astro config', {}, { layout: 'constrained' as const }],
  ])('are kept with %s', (_, request, defaults) => {
    expect(parse({ ...request, sizes }, defaults).image.sizes).toMatchObject({ sizes });
  });
});

describe('defaults', () => {
  const defaults = {
    layout: 'constrained',
    widths: [640, 1280],
    sizes: '50vw',
    formats: ['avif', 'webp'],
    quality: 'high',
    effort: 6,
    placeholder: 'blur',
  };
  const widths = { kind: 'widths', layout: 'constrained', widths: [640, 1280], sizes: '50vw' };
  const encoded = { formats: ['avif', 'webp'], format: undefined, quality: 80, effort: 6 };

  test.each([
    ['nothing', {}, { ...encoded, placeholder: 'blur' }, widths],
    ['undefined', { quality: undefined, widths: undefined }, encoded, widths],
    ['quality', { quality: 10 }, { ...encoded, quality: 10 }, widths],
    ['format', { format: 'png' }, { formats: [], format: 'png', effort: 6 }, widths],
    ['formats', { formats: ['gif'] }, { formats: ['gif'], effort: 6 }, widths],
    ['widths', { widths: [320] }, encoded, { ...widths, widths: [320] }],
    ['layout', { layout: 'fixed' }, encoded, { ...widths, layout: 'fixed' }],
    ['densities', { densities: [1, 3] }, encoded, { kind: 'layout', sizes: undefined }],
    [
      'densities without a layout',
      { densities: [1, 3], layout: 'none' },
      encoded,
      { kind: 'densities', densities: [1, 3] },
    ],
  ])('fill in what a request leaves out: with %s', (_, request, expected, sizes) => {
    const parsed = parse(request, defaults);
    expect(parsed).toMatchObject(expected);
    expect(parsed.image.sizes).toMatchObject(sizes);
  });

  test('of sizes count only for images with a choice of widths', () => {
    const onlySizes = { layout: 'constrained', sizes: '50vw' };
    const { sizes } = parse({ layout: 'none' }, onlySizes).image;
    expect(sizes).toEqual({ kind: 'densities', densities: [1, 2] });
    expect(parse({}, onlySizes).image.sizes).toMatchObject({ kind: 'layout', sizes: '50vw' });
    const chosen = parse({ layout: 'none', widths: [320] }, onlySizes).image.sizes;
    expect(chosen).toMatchObject({ kind: 'widths', sizes: '50vw' });
  });
});

describe('a preset', () => {
  const defaults = {
    ...{ layout: 'constrained', quality: 70, effort: 6, format: 'png' },
    presets: {
      hero: { width: 800, height: 400, formats: ['avif'], quality: 50 },
      card: { densities: [1, 3], layout: 'none', aspect: '1:1', position: 'top' },
    },
  };

  test.each([
    ['hero', {}, { formats: ['avif'], format: undefined, quality: 50, effort: 6 }],
    ['hero', { format: 'webp' }, { formats: [], format: 'webp', quality: 50 }],
    ['hero', {}, { image: { width: 800, height: 400, layout: 'constrained' } }],
    ['hero', { width: 300 }, { image: { width: 300, height: undefined } }],
    ['card', {}, { quality: 70, format: 'png', effort: 6 }],
    ['card', {}, { image: { crop: { aspect: 1 }, position: { x: 0.5, y: 0 } } }],
    ['card', {}, { image: { sizes: { kind: 'densities', densities: [1, 3] } } }],
    ['card', { widths: [320] }, { image: { sizes: { kind: 'widths', widths: [320] } } }],
  ])('%s with the props %j', (preset, props, expected) => {
    expect(parse({ preset, ...props }, defaults)).toMatchObject(expected);
  });

  test.each([
    ['toString', defaults, 'one of hero, card'],
    [7, defaults, 'one of hero, card'],
    ['hero', {}, 'one of the option `presets`, which is empty'],
  ])('%j is refused', (preset, given, expected) => {
    expect(() => parse({ preset }, given)).toThrow(
      `/harbour/: asset 4711 has preset=${JSON.stringify(preset)}; expected ${expected}.`,
    );
  });
});

describe('an image in Markdown', () => {
  const laidOut = { mostWidth: 720, layout: 'constrained', sizes: { kind: 'layout' } };
  const presets = { hero: { widths: [1920] }, square: { aspect: 1 } };

  test.each([
    ['nothing', {}, {}, laidOut],
    ['a preset without a size', { preset: 'square' }, { presets }, laidOut],
    ['another layout by default', {}, { layout: 'fixed' }, { ...laidOut, layout: 'fixed' }],
    ['widths by default', {}, { widths: [640] }, { layout: 'constrained', mostWidth: 640 }],
  ])('with %s is responsive and at most 720 pixels wide', (_, props, defaults, image) => {
    expect(parse({ inMarkdown: true, ...props }, defaults)).toMatchObject({ image });
  });

  test.each([
    ['width', { width: 1200 }, 'constrained', 1280],
    ['densities', { densities: [1] }, 'none', undefined],
    ['widths', { widths: [960, 1920] }, 'constrained', 1920],
    ['layout', { layout: 'full-width' }, 'full-width', 1280],
    ['the layout none', { layout: 'none' }, 'none', undefined],
    ['preset', { preset: 'hero' }, 'constrained', 1920],
  ])('has the size that %s decides', (_, props, layout, mostWidth) => {
    const { image } = parse({ inMarkdown: true, ...props }, { presets });
    expect(image).toMatchObject({ layout, mostWidth });
  });
});

describe('sizes that', () => {
  const read = (sizes: string) => parse({ widths: [640], sizes }).image.sizes;

  test.each([
    'auto, (max-width: 30em) 100vw, 50vw',
    'calc((100vw - 2 * (1rem + 2px)) / 3)',
    '(min-width: 40em) and (not (orientation: portrait)) min(50vw, 40rem), 0',
    '100vw,',
  ])('browsers can read are accepted: %s', (sizes) => {
    expect(read(sizes)).toMatchObject({ sizes });
  });

  test.each([
    ['(min-width: 40em) 50%, 100vw', 'lengths with a unit other than %'],
    ['640', 'lengths with a unit'],
    ['', 'lengths with a unit'],
  ])('browsers replace by 100vw are refused: %s', (sizes, expected) => {
    expect(() => read(sizes)).toThrow(
      `/harbour/: asset 4711 has sizes=${JSON.stringify(sizes)}; expected ${expected}`,
    );
  });
});

describe('art direction', () => {
  const wide = { crop: { x: 0, y: 0, width: 90, height: 30 }, width: 900, widths: [450, 900] };
  const sourceOf = (source: object, around: object = wide) =>
    parse({ ...around, sources: [{ media: 'print', ...source }] }).sources[0];

  test('inherits missing props from the request', () => {
    expect(sourceOf({})).toEqual({ ...parse(wide).image, media: 'print' });
  });

  test.each([
    ['part', { aspect: 1 }, { crop: { crop: undefined, aspect: 1 }, width: 900 }],
    ['layout size', { height: 300 }, { width: undefined, height: 300 }],
    ['files', { densities: [3] }, { width: 900, sizes: { kind: 'densities', densities: [3] } }],
  ])("doesn't mix its own %s with the request's", (_, source, expected) => {
    expect(sourceOf(source)).toMatchObject(expected);
  });

  test.each([
    ['its own widths', { widths: [300] }, 'fixed', { kind: 'widths', widths: [300] }],
    ['its own sizes', { sizes: '50vw' }, 'fixed', { kind: 'layout', sizes: '50vw' }],
    ['its own layout', { layout: 'full-width' }, 'full-width', { kind: 'layout' }],
  ])("with %s uses them in its own layout, or the request's", (_, source, layout, files) => {
    const read = sourceOf(source, { ...wide, layout: 'fixed' });
    expect(read).toMatchObject({ layout, sizes: { layout, ...files } });
  });

  test.each([
    ['id', 4712],
    ['background', 'black'],
    ['aspekt', 1],
  ])('with the prop %s=%j of another element is refused', (name, value) => {
    expect(() => sourceOf({ [name]: value })).toThrow(
      `sources.${name}=${JSON.stringify(value)}; expected only media, crop,`,
    );
  });

  test.each([[undefined], [''], [' '], [1]])('with the media query %j is refused', (media) => {
    expect(() => parse({ sources: [{ media }] })).toThrow(failure('prop-invalid'));
  });
});
