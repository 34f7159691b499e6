import { expect, test } from 'vitest';
import { placeOfPage } from '../../../src/authoring/toolbar/app/place-of-page.ts';

const blog = ['src/content/blog/en/quay.md', 'src/content/blog/de/quay.md'];

test.each<[page: string, locale: string | undefined, files: string[], chosen: string | undefined]>([
  ['/de/blog/quay/', 'de', blog, blog[1]],
  ['/blog/quay', 'en', blog, blog[0]],
  ['/blog/quay.html', 'en', ['src/blog/quay.md', 'src/blog/de/quay.md'], 'src/blog/quay.md'],
  [
    '/blog/quay/',
    undefined,
    ['src/blog/quay/index.md', 'src/blog/ship.md'],
    'src/blog/quay/index.md',
  ],
  ['/blog/k%C3%BCste/', undefined, ['src/blog/küste.md', 'src/blog/quay.md'], 'src/blog/küste.md'],
  ['/de/', 'de', ['src/data/en.json', 'src/data/de.json'], 'src/data/de.json'],
  ['/', 'en', ['src/data/en.json', 'src/data/de.json'], 'src/data/en.json'],
  ['/blog/quay/', undefined, blog, undefined],
  ['/blog/quay/', 'en', ['src/blog/quay.md', 'src/blog/quay.md'], undefined],
  ['/blog/', 'en', ['src/blog/quay.md'], undefined],
  ['/', undefined, ['src/data/home.json'], undefined],
])('%s in the language %s shows one of %j: %s', (path, locale, files, chosen) => {
  const places = files.map((file) => ({ file }));
  expect(placeOfPage(places, { path, locale })?.file).toBe(chosen);
});
