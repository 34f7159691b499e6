import { expect, test } from 'vitest';
import { imageSetOf } from '../../../src/assets/request/image-set.ts';

const files = (...widths: number[]) =>
  widths.map((width) => ({ url: `/${width}.webp`, width, height: 1, descriptor: '' }));
const source = (media: string | undefined) => ({
  ...{ media, type: 'image/avif', srcset: '', sizes: undefined, width: 300, height: 1 },
  renditions: files(300),
});

test.each<[string, Partial<Parameters<typeof imageSetOf>[0]>, string]>([
  [
    'each format, and no crop for a media query',
    { sources: [source('print'), source(undefined)], renditions: files(300, 500) },
    "url('/300.webp') type('image/avif') 1x, url('/300.webp') 1x, url('/500.webp') 1.67x",
  ],
  ['sizes from the layout width on', { renditions: files(150, 450) }, "url('/450.webp') 1.5x"],
  ['the largest one of small ones', { renditions: files(75, 150) }, "url('/150.webp') 0.5x"],
  ["the service's own URL", { src: "/a?b='c\\<d" }, "url('/a?b=\\'c\\\\\\<d') 1x"],
])('an image set has %s', (_, image, expected) => {
  const all = { src: '/', width: 300, sources: [], renditions: [], ...image };
  expect(imageSetOf(all)).toBe(`image-set(${expected})`);
});
