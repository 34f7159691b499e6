import { describe, expect, test } from 'vitest';
import { imageAttributes } from '../../../src/assets/request/image-attributes.ts';
import type { MediaAsset } from '../../../src/assets/request/media-asset.ts';

/** What an image is shown with whose asset and whose own attributes have these. */
function shownWith(asset: object, attributes: Record<string, unknown>) {
  const whole = { id: 4711, src: '/a.webp', sources: [], ...asset } as unknown as MediaAsset;
  return imageAttributes(whole, { alt: '', attributes });
}

test.each([
  ['lazy', '50vw', 'auto, 50vw'],
  ['lazy', 'auto, 50vw', 'auto, 50vw'],
  ['lazy', 'AUTO', 'AUTO'],
  ['lazy', undefined, undefined],
  ['eager', '50vw', '50vw'],
  [null, '50vw', '50vw'],
])('an image with loading=%j and sizes=%j gets sizes=%j', (loading, given, sizes) => {
  expect(shownWith({ sizes: given }, { loading }).attributes.sizes).toBe(sizes);
});

const sources = [{ sizes: '100vw' }, { sizes: undefined }];

test('sources with sizes get auto if their image has it', () => {
  expect(shownWith({ sizes: '50vw', sources }, { loading: 'lazy' }).sources).toEqual([
    { sizes: 'auto, 100vw' },
    { sizes: undefined },
  ]);
});

test.each([
  ['without sizes', undefined, 'lazy'],
  ['that is not lazy', '50vw', 'eager'],
])('sources of an image %s keep their own', (_, sizes, loading) => {
  expect(shownWith({ sizes, sources }, { loading }).sources).toEqual(sources);
});

const own = 'background-image:url(data:image/webp;base64,AA==)';

test.each([
  ['nothing', undefined, own],
  ['an empty text', '', own],
  ['a text', 'color: red', `${own};color: red`],
  ['text that Astro has marked as HTML', new String('color: red'), `${own};color: red`],
  [
    'an object',
    { marginTop: 0, '--Gap': '1px', color: undefined },
    `${own};margin-top:0;--Gap:1px`,
  ],
  ['an object and a text', [{ marginTop: 0 }, 'color:red'], `${own};margin-top:0;color:red`],
])("puts the author's style after ours: %s", (_, written, joined) => {
  expect(shownWith({ placeholderStyle: own }, { style: written }).attributes.style).toBe(joined);
});

test.each([
  ['50% 0%', undefined],
  ['50% 10%', '--media-asset-x:50%;--media-asset-y:10%'],
])('at %s, the style is %s', (position, style) => {
  expect(shownWith({ position }, {}).attributes.style).toBe(style);
  expect(shownWith({ position, layout: 'none' }, {}).attributes.style).toBeUndefined();
});

test("leaves the author's style unchanged if there is none of ours", () => {
  const written = { marginTop: 0 };
  expect(shownWith({}, { style: written }).attributes.style).toBe(written);
});

describe('the attributes of an image', () => {
  const asset = {
    ...{ id: 4711, src: '/a.webp', srcset: '/a.webp 1x', sizes: '50vw', alt: 'The quay' },
    ...{ width: 40, height: 30, layout: 'constrained', fit: 'cover', position: '50% 0%' },
    ...{ sources: [], placeholderStyle: undefined },
  } as unknown as MediaAsset;
  const shown = (given: Partial<Parameters<typeof imageAttributes>[1]> = {}) =>
    imageAttributes(asset, { alt: undefined, attributes: {}, ...given }).attributes;

  test.each<[what: string, given: Parameters<typeof shown>[0], expected: object]>([
    ['that is like others', {}, { loading: 'lazy', decoding: 'async', sizes: 'auto, 50vw' }],
    [
      'with priority',
      { priority: true },
      { loading: 'eager', decoding: 'sync', fetchpriority: 'high', sizes: '50vw' },
    ],
    [
      'that the author loads otherwise',
      { attributes: { loading: 'eager', fetchpriority: 'low' } },
      { loading: 'eager', decoding: 'async', fetchpriority: 'low', sizes: '50vw' },
    ],
    [
      'with priority, that the author loads otherwise',
      { priority: true, attributes: { loading: 'lazy', decoding: 'auto' } },
      { loading: 'lazy', decoding: 'auto', fetchpriority: 'high', sizes: 'auto, 50vw' },
    ],
  ])('%s say when it is loaded', (_, given, expected) => {
    const { loading, decoding, fetchpriority, sizes } = shown(given);
    expect({ loading, decoding, fetchpriority, sizes }).toEqual(expected);
  });

  test('are ours where the author has the same, and the others stay', () => {
    const attributes = { src: '/other.webp', width: undefined, class: 'wide', style: 'margin:0' };
    expect(shown({ attributes })).toMatchObject({
      ...{ src: '/a.webp', width: 40, alt: 'The quay', class: 'wide', style: 'margin:0' },
      ...{ 'data-media-asset': 4711, 'data-media-asset-layout': 'constrained' },
      ...{ 'data-media-asset-fit': 'cover', 'data-media-asset-position': '50% 0%' },
    });
  });

  test('name no layout without one', () => {
    const { attributes } = imageAttributes({ ...asset, layout: 'none' } as MediaAsset, {
      alt: undefined,
      attributes: {},
    });
    for (const name of ['layout', 'fit', 'position'])
      expect(attributes[`data-media-asset-${name}`]).toBeUndefined();
  });

  test('of one that is unavailable are its mark, its text and what the author has written', () => {
    const attributes = { class: 'wide', alt: 'Mine', loading: 'eager' };
    const given = { alt: 'The quay', priority: true, attributes };
    expect(imageAttributes({ id: 4711 }, given)).toEqual({
      attributes: { 'data-media-asset-unavailable': 4711, alt: 'The quay', class: 'wide' },
      sources: [],
    });
    const { attributes: bare } = imageAttributes({ id: 4711 }, { alt: undefined, attributes: {} });
    expect(bare).toEqual({ 'data-media-asset-unavailable': 4711, alt: '' });
  });
});
