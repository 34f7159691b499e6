import { expect, test } from 'vitest';
import { parseMediaAddress } from '../../../src/assets/request/media-address.ts';
import { imagePattern, readImage, writeImage } from '../../../src/authoring/cms/body-image.ts';
import { pickedAsset } from '../../../src/authoring/picker/picked-asset.ts';

const crop = { x: 10, y: 20, width: 300, height: 200 };

/** As the CMS hands it on. */
function read(text: string) {
  const match = imagePattern.exec(text);
  const image = match && pickedAsset(readImage(match));
  if (!image) throw new Error(`Not an image: ${text}`);
  return image;
}

test.each([
  ['![A quay](media:4711)', { id: 4711, alt: 'A quay' }],
  ['![](media:-5)', { id: -5 }],
  ['![](media:4711?decoration)', { id: 4711, alt: '' }],
  ['![An old \\[quay\\]](media:4711?crop=10,20,300,200)', { id: 4711, alt: 'An old [quay]', crop }],
  [
    '![Q](media:4711?crop=0.1,0.2,0.5,0.25)',
    { id: 4711, alt: 'Q', crop: { unit: 'fraction', x: 0.1, y: 0.2, width: 0.5, height: 0.25 } },
  ],
  [
    '![Q](media:4711?aspect=16:9&focus=0.2,0.7)',
    { id: 4711, alt: 'Q', aspect: '16:9', focus: { x: 0.2, y: 0.7 } },
  ],
  [
    '![Q](media:4711?aspect=16%3A9&focus=attention)',
    { id: 4711, alt: 'Q', aspect: '16:9', focus: 'attention' },
  ],
  ['![Q](media:4711?aspect=1.5)', { id: 4711, alt: 'Q', aspect: 1.5 }],
])('reads %s as pages do', (text, image) => {
  const { source, ...found } = read(text) as ReturnType<typeof readImage>;
  expect(found).toEqual(image);
  expect(source).toBe(text);
  const { decoration: _, ...page } = parseMediaAddress(/\((.*)\)/.exec(text)?.[1] ?? '');
  const { alt: __, ...address } = found;
  expect(address).toEqual(page);
});

test.each([
  '![A quay](media:4711)',
  '![A *quay*, 5 < 6 & 7](media:4711?width=600&crop=10,20,300,200&preset=card)',
  '![Q](media:4711?aspect=16%3A9&&unknown=%28x%29)',
  '![a\\*b c\\!](media:4711?crop=1.0,1.0,.5,5e-1)',
  '![Q](media:4711?crop=oops)',
  '![](media:4711?)',
])('writes %s as it was', (text) => {
  const { id, alt, ...others } = read(text);
  // A CMS may sort keys.
  expect(writeImage({ ...others, alt, id })).toBe(text);
});

const whole = '![Q](media:4711?width=600&crop=10,20,300,200&preset=card)';

test.each([
  [
    'a crop',
    { crop: { ...crop, x: 0 } },
    '![Q](media:4711?crop=0,20,300,200&width=600&preset=card)',
  ],
  ['no crop', { crop: undefined }, '![Q](media:4711?width=600&preset=card)'],
  [
    'another asset',
    { id: 4712, crop: undefined, alt: 'A [new] *one*' },
    '![A \\[new\\] \\*one\\*](media:4712?width=600&preset=card)',
  ],
  [
    'a cut around a point',
    { crop: undefined, aspect: '1:1', focus: { x: 0.2, y: 0.7 } },
    '![Q](media:4711?aspect=1:1&focus=0.2,0.7&width=600&preset=card)',
  ],
  [
    'decoration',
    { alt: '' },
    '![](media:4711?crop=10,20,300,200&decoration&width=600&preset=card)',
  ],
  [
    "the record's text",
    { alt: undefined },
    '![](media:4711?crop=10,20,300,200&width=600&preset=card)',
  ],
])('changes an image to %s, and keeps other parameters', (_, change, text) => {
  const written = writeImage({ ...read(whole), ...change });
  expect(written).toBe(text);
  const { source, ...again } = read(written) as ReturnType<typeof readImage>;
  expect(again).toEqual(pickedAsset({ ...read(whole), ...change, source: undefined }));
});

test('writes a new image', () => {
  expect(writeImage({ id: 4711 })).toBe('![](media:4711)');
  expect(writeImage({ id: 4711, alt: 'A\nquay', crop })).toBe(
    '![A&#10;quay](media:4711?crop=10,20,300,200)',
  );
});

test.each([
  'Inline ![Q](media:4711) image',
  '![Q](media:4711) and text',
  '![Q](/images/a.jpg)',
  '![Q](media:4711 "title")',
  '![Q](media:0)',
])('leaves %s to the CMS', (text) => {
  expect(imagePattern.test(text)).toBe(false);
});

test('a text that stays keeps its writing when a crop changes, and so its meaning', () => {
  const image = read('![An *old* quay &amp; a boat](media:4711)');
  expect(writeImage({ ...image, crop })).toBe(
    '![An *old* quay &amp; a boat](media:4711?crop=10,20,300,200)',
  );
  expect(writeImage({ ...image, alt: 'A *quay*' })).toBe('![A \\*quay\\*](media:4711)');
});
