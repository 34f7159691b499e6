import { expect, test } from 'vitest';
import { autoSizes, joinStyles } from '../../../src/assets/request/image-attributes.ts';

test.each([
  ['lazy', '50vw', 'auto, 50vw'],
  ['lazy', 'auto, 50vw', 'auto, 50vw'],
  ['lazy', 'AUTO', 'AUTO'],
  ['lazy', undefined, undefined],
  ['eager', '50vw', '50vw'],
  [undefined, '50vw', '50vw'],
])('an image with loading=%j and sizes=%j gets sizes=%j', (loading, given, sizes) => {
  expect(autoSizes({ sizes: given, sources: [] }, loading).sizes).toBe(sizes);
});

const sources = [{ sizes: '100vw' }, { sizes: undefined }];

test('sources with sizes get auto if their image has it', () => {
  expect(autoSizes({ sizes: '50vw', sources }, 'lazy').sources).toEqual([
    { sizes: 'auto, 100vw' },
    { sizes: undefined },
  ]);
});

test.each([
  ['without sizes', undefined, 'lazy'],
  ['that is not lazy', '50vw', 'eager'],
])('sources of an image %s keep their own', (_, sizes, loading) => {
  expect(autoSizes({ sizes, sources }, loading).sources).toEqual(sources);
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
  expect(joinStyles(own, written)).toBe(joined);
});

test("leaves the author's style unchanged if there is none of ours", () => {
  const written = { marginTop: 0 };
  expect(joinStyles(undefined, written)).toBe(written);
});
