import { expect, test } from 'vitest';
import {
  type PickedAsset,
  pickedAsset,
  withAsset,
} from '../../../src/authoring/picker/picked-asset.ts';

const crop = { x: 10, y: 20, width: 300, height: 200 };

test.each([
  ['an object', { id: 4711, alt: 'A quay', crop }, { id: 4711, alt: 'A quay', crop }],
  ['an immutable map', { toJS: () => ({ id: 4711, crop }) }, { id: 4711, crop }],
  ['an ID alone', 4711, { id: 4711 }],
  ['an ID as a text', '4711', { id: 4711 }],
  ['an object with the ID as a text', { id: ' 4711 ' }, { id: 4711 }],
  ['a negative ID', { id: -5 }, { id: -5 }],
  ['decoration', { id: 4711, alt: '' }, { id: 4711, alt: '' }],
  ['defaults that a CMS adds', { id: 4711, alt: null, crop: undefined }, { id: 4711 }],
  ['keys of no picker', { id: 4711, preset: 'card' }, { id: 4711, preset: 'card' }],
  ['null', null, undefined],
  ['nothing', undefined, undefined],
  ['an empty text', '', undefined],
  ['an object without an ID', { alt: 'A quay' }, undefined],
  ['an empty list', [], undefined],
  ['another text', '47.11', undefined],
  ['zero', 0, undefined],
])('reads %s', (_, given, value) => {
  expect(pickedAsset(given)).toStrictEqual(value);
});

test.each<[kept: string, value: PickedAsset | undefined, left: object]>([
  ['nothing of no value', undefined, {}],
  ['neither a text nor a crop', { id: 1, alt: 'A quay', crop, aspect: 1, focus: 'attention' }, {}],
  [
    'no crop of `sources`',
    {
      id: 1,
      sources: [
        { media: 'print', crop },
        { media: '(width < 40em)', aspect: '1:1' },
      ],
    },
    { sources: [{ media: 'print' }, { media: '(width < 40em)', aspect: '1:1' }] },
  ],
])('another asset has %s', (_, value, left) => {
  expect(pickedAsset(withAsset(value, 4712))).toStrictEqual({ ...left, id: 4712 });
});

test('the same asset keeps all of its value', () => {
  const value = { id: 4711, alt: 'A quay', crop, sources: [{ media: 'print', crop }] };
  expect(withAsset(value, 4711)).toStrictEqual(value);
});
