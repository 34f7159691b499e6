import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findNamedAssets } from '../../../src/assets/request/read-named-assets.ts';

const rectangle = { x: 400, y: 200, width: 2400, height: 1600 };

test.each([
  ['<MediaAsset id={4711} alt="" />', [{ id: 4711, shows: 'whole' }]],
  ['<MediaAsset\n  alt=""\n  id={ 4711 }\n/>', [{ id: 4711, shows: 'whole' }]],
  [
    '<MediaAsset id={4711} crop={{ x: 400, y: 200, width: 2400, height: 1600 }} alt="" />',
    [{ id: 4711, shows: rectangle }],
  ],
  ['<MediaAsset id={4711} crop={story.crop} alt="" />', [{ id: 4711, shows: 'unknown' }]],
  [
    "<MediaAsset id={4711} crop={{ x: 0.1, y: 0, width: 0.5, height: 1, unit: 'fraction' }} alt='' />",
    [{ id: 4711, shows: 'unknown' }],
  ],
  ['<MediaAsset id={4711} aspect="16:9" alt="" />', [{ id: 4711, shows: 'whole' }]],
  ['<MediaAsset id={story.image} alt="" />', []],
  [
    'getMediaAsset({ id: 4711, crop: { x: 400, y: 200, width: 2400, height: 1600 } })',
    [{ id: 4711, shows: rectangle }],
  ],
  ['await getMediaAsset({ alt: "", id: 4711 })', [{ id: 4711, shows: 'whole' }]],
  ['getMediaAsset({ id, alt })', []],
  ['![The quay](media:4711)', [{ id: 4711, shows: 'whole' }]],
  [
    '![The quay](media:4711?crop=400,200,2400,1600&widths=640,1280)',
    [{ id: 4711, shows: rectangle }],
  ],
  ['![The quay](media:4711?aspect=1:1&crop=0,0,9,9 "A title")', [{ id: 4711, shows: 'whole' }]],
  ['![The quay](media:4711?crop=0,0,0,9)', [{ id: 4711, shows: 'unknown' }]],
  ['[![The quay](media:4711)](/quay/)', [{ id: 4711, shows: 'whole' }]],
  ['[The report](media:4711?name=Report)', []],
  ['<a class="pdf" href="media:4711">The report</a>', []],
  ['multimedia:4711', []],
  ['media:0', []],
  ['<MediaAsset id={-4711} alt="" />', [{ id: -4711, shows: 'whole' }]],
  ['![The quay](media:-4711)', [{ id: -4711, shows: 'whole' }]],
])('%s names %j', (text, named) => {
  expect(findNamedAssets(text)).toEqual(named);
});

test('reads any text without an error, and finds only valid IDs', () => {
  const parts = [
    '<MediaAsset ',
    'id={1}',
    'crop={{',
    ' x: 1',
    '/>',
    'getMediaAsset(',
    'media:7?',
    ')',
  ];
  const text = fc
    .array(fc.oneof(fc.constantFrom(...parts), fc.string()))
    .map((list) => list.join(''));
  fc.assert(
    fc.property(text, (source) => {
      for (const { id } of findNamedAssets(source)) expect(Number.isSafeInteger(id)).toBe(true);
    }),
  );
});
