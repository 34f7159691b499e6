import { expect, test } from 'vitest';
import type { Finding } from '../../src/errors.ts';
import { checkAttributes, type GivenAttributes } from '../../src/images/check-attributes.ts';
import { createAttributeCheck } from '../../src/images/create-attribute-check.ts';

const place = { id: 4722, page: '/harbour/' };

test.each<[GivenAttributes['component'], string]>([
  ['MediaAsset', 'src'],
  ['MediaAsset', 'srcset'],
  ['MediaAsset', 'srcSet'],
  ['MediaAsset', 'data-media-asset'],
  ['MediaAsset', 'data-media-asset-unavailable'],
  ['MediaAsset', 'data-media-asset-fit'],
  ['MediaFile', 'href'],
  ['MediaFile', 'type'],
  ['MediaFile', 'data-media-asset'],
  ['MediaVideo', 'src'],
  ['MediaVideo', 'Data-Media-Asset'],
])('%s with an own %s is refused', (component, name) => {
  const attributes = { class: 'wide', [name]: '9999' };
  expect(() => checkAttributes({ ...place, component, attributes })).toThrow(
    expect.objectContaining({
      code: 'prop-invalid',
      message: `/harbour/: asset 4722 has ${name}="9999"; expected nothing: \`id\` says what <${component}> shows, and what the service is told.`,
    }),
  );
  expect(() =>
    checkAttributes({ ...place, component, attributes: { [name]: undefined } }),
  ).not.toThrow();
});

test('the picture around a picture tells of no other asset either', () => {
  const given = { ...place, component: 'MediaAsset', attributes: {} } as const;
  const named = { 'data-media-asset': '9999' };
  expect(() => checkAttributes({ ...given, pictureAttributes: named })).toThrow(
    'pictureAttributes.data-media-asset="9999"',
  );
  expect(() => checkAttributes({ ...given, pictureAttributes: { class: 'a' } })).not.toThrow();
});

test.each<[GivenAttributes['component'], string]>([
  ['MediaAsset', 'class'],
  ['MediaAsset', 'data-caption'],
  ['MediaAsset', 'data-media-assets'],
  ['MediaAsset', 'usemap'],
  ['MediaAsset', 'aria-describedby'],
  ['MediaFile', 'target'],
  ['MediaFile', 'ping'],
  ['MediaVideo', 'aria-label'],
  ['MediaVideo', 'crossorigin'],
])('%s passes %s on', (component, name) => {
  expect(() => checkAttributes({ ...place, component, attributes: { [name]: 'x' } })).not.toThrow();
});

test('an id that is none is left to the request', () => {
  const attributes = { src: 'x.jpg' };
  expect(() =>
    checkAttributes({ ...place, id: '4722', component: 'MediaAsset', attributes }),
  ).not.toThrow();
});

test('a mistyped prop is a warning, once however many pages have it', () => {
  const found: Finding[] = [];
  const check = createAttributeCheck((one) => found.push(one));
  const given = { ...place, component: 'MediaAsset' } as const;
  check({ ...given, attributes: { class: 'wide', wdith: 400, corp: undefined } });
  check({ ...given, page: '/quay/', attributes: { wdith: 300, 'x-data': '{}' } });
  check({ ...given, page: '/quay/', attributes: { corp: {} } });
  expect(found).toMatchObject([
    {
      code: 'prop-unknown',
      severity: 'warning',
      place: '/harbour/',
      message:
        '/harbour/: the <MediaAsset> of asset 4722 has wdith, which is none of its props; did you mean `width`?',
    },
    { place: '/quay/', message: expect.stringContaining('did you mean `crop`?') },
  ]);
  expect(() => check({ ...given, attributes: { src: 'x.jpg' } })).toThrow('src="x.jpg"');
});

test.each<[GivenAttributes['component'], Record<string, unknown>, string]>([
  [
    'getMediaAsset',
    { wdith: 400 },
    'the getMediaAsset() of asset 4722 has wdith, which is none of its props; did you mean `width`?',
  ],
  ['getMediaAsset', { aspectRatio: 2 }, 'did you mean `aspect`?'],
  [
    'getMediaFile',
    { nane: 'Plan' },
    'the getMediaFile() of asset 4722 has nane, which is none of its props; did you mean `name`?',
  ],
])('what %s() was probably to be given is told: %j', (component, attributes, message) => {
  const found: Finding[] = [];
  createAttributeCheck((one) => found.push(one))({ ...place, component, attributes });
  expect(found).toMatchObject([
    { code: 'prop-unknown', message: expect.stringContaining(message) },
  ]);
});

test('a function takes an entry of a collection as it is, and no asset of another', () => {
  const found: Finding[] = [];
  const check = createAttributeCheck((one) => found.push(one));
  const given = { ...place, component: 'getMediaAsset' } as const;
  check({ ...given, attributes: { filename: 'quay.jpg', src: '/x', priority: true, tags: [] } });
  expect(found).toEqual([]);
  expect(() => check({ ...given, attributes: { 'data-media-asset': 9 } })).toThrow(
    'expected nothing: `id` says what getMediaAsset() shows',
  );
});

test('a mistyped prop of a poster, or of a source, is a warning too', () => {
  const found: Finding[] = [];
  const check = createAttributeCheck((one) => found.push(one));
  const sources = [{ media: '(width < 40em)', crop: {}, wdith: 300 }, { layuot: 'fixed' }, null];
  check({ ...place, component: 'MediaAsset', attributes: {}, pictures: { sources } });
  const poster = { id: 4711, width: 400, corp: {} };
  check({ ...place, component: 'MediaVideo', attributes: {}, pictures: { poster } });
  check({ ...place, component: 'MediaVideo', attributes: {}, pictures: { poster: 4711 } });
  expect(found.map(({ message }) => message.replace(/, .*;/, ''))).toEqual([
    '/harbour/: the <MediaAsset> of asset 4722 has sources.wdith did you mean `width`?',
    '/harbour/: the <MediaAsset> of asset 4722 has sources.layuot did you mean `layout`?',
    '/harbour/: the <MediaVideo> of asset 4722 has poster.corp did you mean `crop`?',
  ]);
});

test.each([['4711'], [-1], [0], [{}], [[4711]], ['/poster.jpg'], [{ id: '4711' }]])(
  'a poster %j is refused by its name',
  (poster) => {
    const given = { ...place, component: 'MediaVideo', attributes: {} } as const;
    expect(() => checkAttributes({ ...given, pictures: { poster } })).toThrow(
      `/harbour/: asset 4722 has poster=${JSON.stringify(poster)}; expected an asset's id, or { id, crop,`,
    );
  },
);

test.each([[undefined], [null], [false], [''], [4711], [{ id: 4711, width: 300 }]])(
  'a poster %j is none, or is left to its own request',
  (poster) => {
    const given = { ...place, component: 'MediaVideo', attributes: {} } as const;
    expect(() => checkAttributes({ ...given, pictures: { poster } })).not.toThrow();
  },
);
