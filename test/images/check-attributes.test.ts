import { expect, test } from 'vitest';
import { checkAttributes, type GivenAttributes } from '../../src/images/check-attributes.ts';

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
