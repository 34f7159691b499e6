import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findNamedAssets } from '../../../src/assets/request/read-named-assets.ts';

test.each([
  ['<MediaAsset id={4711} alt="" />', [4711]],
  ['<MediaAsset\n  alt=""\n  id={ 4711 }\n/>', [4711]],
  ['<MediaAsset id={4711} crop={{ x: 400, y: 200, width: 2400, height: 1600 }} alt="" />', [4711]],
  ['<MediaAsset id={story.image} alt="" />', []],
  ['await getMediaAsset({ alt: "", id: 4711 })', [4711]],
  ['getMediaAsset({ id, alt })', []],
  ['![The quay](media:4711?crop=400,200,2400,1600&widths=640,1280)', [4711]],
  ['[![The quay](media:4711)](/quay/)', [4711]],
  ['[The report](media:4711?name=Report)', []],
  ['<a class="pdf" href="media:4711">The report</a>', []],
  ['multimedia:4711', []],
  ['media:0', []],
  ['<MediaAsset id={-4711} alt="" />', [-4711]],
  ['![The quay](media:-4711)', [-4711]],
])('%s names %j', (text, named) => {
  expect(findNamedAssets(text)).toEqual(named);
});

test('reads any text without an error, and finds only valid IDs', () => {
  const parts = ['<MediaAsset ', 'id={1}', '/>', 'getMediaAsset(', 'media:7?', ')'];
  const text = fc
    .array(fc.oneof(fc.constantFrom(...parts), fc.string()))
    .map((list) => list.join(''));
  fc.assert(
    fc.property(text, (source) => {
      for (const id of findNamedAssets(source)) expect(Number.isSafeInteger(id)).toBe(true);
    }),
  );
});
