import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renditionFormats } from '../../../src/assets/formats/output-formats.ts';
import { fits } from '../../../src/assets/geometry/fit-image.ts';
import { layouts } from '../../../src/assets/geometry/output-sizes.ts';
import {
  formatMediaAddress,
  parseFileAddress,
  parseMediaAddress,
} from '../../../src/assets/request/media-address.ts';
import { parseRequest } from '../../../src/assets/request/parse-request.ts';
import type { MediaAddress } from '../../../src/assets/request/props.ts';

const place = { file: 'src/pages/quay.md', line: 3 };

describe('an address', () => {
  test.each<[address: string, picture: object]>([
    ['media:4711', {}],
    ['MEDIA:4711?', {}],
    [' media:4711?aspect=1.5\n', { aspect: 1.5 }],
    ['media:4711?aspect=1.5&focus=0.3,0.5', { aspect: 1.5, focus: { x: 0.3, y: 0.5 } }],
    ['media:4711?position=right-bottom', { position: 'right-bottom' }],
    ['media:4711?position=25%,75%', { position: '25% 75%' }],
    ['media:4711?position=25%25,75%25', { position: '25% 75%' }],
    ['media:4711?widths=640,%201280', { widths: [640, 1280] }],
    ['media:4711?densities=1,1.5x', { densities: [1, '1.5x'] }],
    [
      'media:4711?widths=640&sizes=(min-width: 40em) 50vw, 100vw',
      { widths: [640], sizes: '(min-width: 40em) 50vw, 100vw' },
    ],
  ])("%s is parsed to the component's props", (address, picture) => {
    const parsed = parseMediaAddress(address, { place });
    expect(parsed).toEqual({ id: 4711, ...picture });
    expect(() => parseRequest({ alt: '', place, ...parsed })).not.toThrow();
  });

  test('can mark the image as decoration or as a priority', () => {
    const parsed = parseMediaAddress('media:4711?decoration&priority=true', { place });
    expect(parsed).toMatchObject({ decoration: true, priority: true });
  });

  test.each<[address: string, code: string, named: string]>([
    ['media:', 'asset-id-invalid', '""'],
    ['media:04711', 'asset-id-invalid', '"04711"'],
    ['media://4711', 'asset-id-invalid', '"//4711"'],
    ['quay.jpg', 'asset-id-invalid', '"quay.jpg"'],
    ['media:4711#top', 'asset-id-invalid', '"4711#top"'],
    [
      'media:4711?corp=1,2,3,4',
      'parameter-unknown',
      'Unknown parameter `corp` of asset 4711. Did you mean `crop`? Valid parameters: crop, aspect, focus, width, height, fit, position, densities, widths, sizes, layout, format, formats, quality, effort, background, placeholder, preset, priority, decoration.',
    ],
    ['media:4711?Crop=1,2,3,4', 'parameter-unknown', '`Crop`'],
    ['media:4711?width=1&width=2', 'prop-invalid', 'width="2"; expected the parameter only once'],
    ['media:4711?decoration=no', 'prop-invalid', 'decoration="no"'],
    ['media:4711?crop=1,2,3', 'crop-invalid', '"1,2,3"'],
    ['media:4711?crop=1,2,3,-4', 'crop-invalid', '"1,2,3,-4"'],
    ['media:4711?crop=1,2,3,4e2', 'crop-invalid', '"1,2,3,4e2"'],
  ])('%s is refused with %s, and the error names the place', (address, code, named) => {
    const parse = () => parseMediaAddress(address, { place });
    expect(parse).toThrow(expect.objectContaining({ code, place }));
    expect(parse).toThrow('src/pages/quay.md:3: ');
    expect(parse).toThrow(named);
    if (code !== 'asset-id-invalid') expect(parse).toThrow('asset 4711');
  });

  test('that no page has is refused with a message about the asset alone', () => {
    expect(() => parseMediaAddress('media:4711?crop=1,2,3')).toThrow(
      /^invalid crop of asset 4711: expected four numbers/,
    );
  });

  test.each<[address: string, code: string]>([
    ['media:4711?crop=0,0,0,10', 'crop-invalid'],
    ['media:4711?width=wide', 'prop-invalid'],
    ['media:4711?focus=2,2&aspect=1', 'prop-invalid'],
    ['media:4711?focus=0.3,0.5,1&aspect=1', 'prop-invalid'],
    ['media:4711?quality=', 'prop-invalid'],
  ])("%s is refused with %s by the component's rules", (address, code) => {
    const parsed = parseMediaAddress(address, { place });
    expect(() => parseRequest({ alt: '', place, ...parsed })).toThrow(
      expect.objectContaining({ code }),
    );
  });
});

describe('the address of a file', () => {
  test.each([
    ['media:4717', { id: 4717, name: undefined, download: true }],
    ['media:4717?name=Annual%20report', { id: 4717, name: 'Annual report', download: true }],
    ['media:4717?download=false', { id: 4717, name: undefined, download: false }],
  ])('%s is parsed', (address, file) => {
    expect(parseFileAddress(address, { place })).toEqual(file);
  });

  test.each([
    ['media:report', 'asset-id-invalid'],
    ['media:4717?width=100', 'parameter-unknown'],
    ['media:4717?download=no', 'prop-invalid'],
  ])('%s is refused with %s', (address, code) => {
    expect(() => parseFileAddress(address, { place })).toThrow(expect.objectContaining({ code }));
  });
});

test('parsing a formatted address gives back its props', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0);
  const side = fc.integer({ min: 1, max: 65_535 });
  const point = fc.record({ x: share, y: share });
  const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  const flag = fc.constantFrom(true as const, undefined);
  const props: fc.Arbitrary<MediaAddress> = fc.record({
    id: fc.maxSafeInteger().filter((id) => id !== 0),
    priority: flag,
    decoration: flag,
    crop: optional(
      fc.oneof(
        fc.record({ x: fc.nat(), y: fc.nat(), width: side, height: side }),
        fc.record({
          unit: fc.constant('fraction' as const),
          x: share,
          y: share,
          width: share,
          height: share,
        }),
      ),
    ),
    aspect: optional(
      fc.oneof(fc.constant('16:9'), fc.double({ min: 0.001, max: 1000, noNaN: true })),
    ),
    focus: optional(fc.oneof(fc.constant('attention' as const), point)),
    width: optional(side),
    height: optional(side),
    fit: optional(fc.constantFrom(...fits)),
    position: optional(fc.constantFrom('top', 'right bottom', '25% 75%', '12.5% center')),
    widths: optional(fc.array(side, { minLength: 1, maxLength: 5 })),
    densities: optional(fc.array(fc.constantFrom(1, 1.5, 2), { minLength: 1, maxLength: 3 })),
    sizes: optional(
      fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.isWellFormed()),
    ),
    layout: optional(fc.constantFrom(...layouts)),
    format: optional(fc.constantFrom(...renditionFormats)),
    formats: optional(
      fc.array(fc.constantFrom(...renditionFormats), { minLength: 1, maxLength: 3 }),
    ),
    quality: optional(fc.integer({ min: 1, max: 100 })),
    effort: optional(fc.integer({ min: 0, max: 10 })),
    background: optional(fc.constantFrom('white', '#f5f5f5', 'rgb(1, 2, 3)')),
    placeholder: optional(fc.constantFrom('blur', 'color', 'none')),
  });
  fc.assert(
    fc.property(props, (given) => {
      const address = formatMediaAddress(given);
      expect(address).toMatch(/^[!-~]+$/);
      expect(address).not.toMatch(/[()<>"\\]/);
      const parsed = parseMediaAddress(address);
      // `toEqual` takes props that are `undefined` as missing.
      expect(parsed).toEqual(given);
      expect(formatMediaAddress(parsed)).toBe(address);
    }),
  );
});
