import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkProps } from '../../../src/assets/request/check-props.ts';
import {
  formatMediaAddress,
  parseMediaAddress,
} from '../../../src/assets/request/media-address.ts';
import { parseRequest } from '../../../src/assets/request/parse-request.ts';
import { type PropName, props } from '../../../src/assets/request/props.ts';
import { readDefaults } from '../../../src/assets/request/read-defaults.ts';
import { mediaAsset } from '../../../src/astro/collections/schema.ts';

/** Corners in pixels: a prop that the table doesn't have. */
const rounded = {
  ...{ group: 'look', fallback: 0, parse: Number },
  read: (value: unknown, name: string, read: { wrong(...asked: unknown[]): Error }) => {
    if (typeof value === 'number') return value;
    throw read.wrong(name, value, 'a number of pixels');
  },
};

beforeAll(() => void Object.assign(props, { rounded }));
afterAll(() => void Reflect.deleteProperty(props, 'rounded'));

const good = { id: 4711, alt: 'A quay', page: '/harbour/' };
const cornersOf = (request: object, defaults?: object) => {
  const { image, sources } = parseRequest({ ...good, ...request }, defaults);
  return [image, ...sources].map((one) => Reflect.get(one, 'rounded'));
};

test('a row of the table is a prop of the component, with its own check', () => {
  const own = { ...good, rounded: 8 };
  const call = { component: 'MediaAsset', page: '/', isPrerendered: true, props: own } as const;
  expect(() => checkProps(call)).toThrow('Unknown prop `page`');
  const { page, ...given } = own;
  expect(() => checkProps({ ...call, props: given })).not.toThrow();
  expect(cornersOf({ rounded: 8 })).toEqual([8]);
  expect(cornersOf({})).toEqual([0]);
  expect(() => cornersOf({ rounded: 'very' })).toThrow(
    '/harbour/: asset 4711 has rounded="very"; expected a number of pixels.',
  );
  const mistyped = { ...call, props: { id: 4711, alt: '', ruonded: 8 } };
  expect(() => checkProps(mistyped)).toThrow('Did you mean `rounded`?');
});

test('a row is a parameter of an address, which is written as it was read', () => {
  const address = 'media:4711?width=300&rounded=8';
  const parsed = parseMediaAddress(address);
  expect(cornersOf(parsed)).toEqual([8]);
  expect(formatMediaAddress(parsed)).toBe(address);
});

test('a row is a prop of presets, which a request overrides', () => {
  const presets = { card: { rounded: 12 } } as object;
  const defaults = readDefaults({ images: {}, presets } as never, {});
  expect(cornersOf({ preset: 'card' }, defaults)).toEqual([12]);
  expect(cornersOf({ preset: 'card', rounded: 4 }, defaults)).toEqual([4]);
  const wrong = { images: {}, presets: { card: { rounded: 'very' } } } as never;
  expect(() => readDefaults(wrong, {})).toThrow(
    'presets.card.rounded: expected a number of pixels, received "very"',
  );
});

test('a row is a prop of posters, of sources and of data', () => {
  const poster = { id: 4712, rounded: 8 };
  const call = { component: 'MediaVideo', page: '/', isPrerendered: true } as const;
  expect(() => checkProps({ ...call, props: { id: 4711, poster } })).not.toThrow();
  // A video asks for its poster as a page asks for an image.
  expect(cornersOf(poster)).toEqual([8]);
  const sources = [{ media: 'print' }, { media: 'screen', rounded: 2 }];
  expect(cornersOf({ rounded: 8, sources })).toEqual([8, 8, 2]);
  expect(mediaAsset().parse(poster)).toEqual(poster);
  expect(mediaAsset().safeParse({ ...poster, rounded: 'very' }).success).toBe(false);
});

test('a value is written into an address and read from it, for each prop', () => {
  const values: Record<PropName, unknown> = {
    ...{ crop: { x: 1, y: 2, width: 3, height: 4 }, aspect: '16:9', focus: { x: 0.5, y: 0.25 } },
    ...{ width: 30, height: 20, fit: 'contain', position: 'top', densities: [1, 2] },
    ...{ widths: [640, 1280], sizes: '50vw', layout: 'fixed', format: 'png', formats: ['avif'] },
    ...{ quality: 'high', effort: 3, background: 'white', placeholder: 'blur' },
    ...{ preset: 'hero', priority: true, decoration: true },
  };
  for (const [name, value] of Object.entries(values)) {
    const address = formatMediaAddress({ id: 4711, [name]: value });
    expect(parseMediaAddress(address)).toEqual({ id: 4711, [name]: value });
  }
});
