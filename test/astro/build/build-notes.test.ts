import { expect, test } from 'vitest';
import { createBuildNotes } from '../../../src/astro/build/build-notes.ts';
import { pageUrls } from '../../../src/scan/page-url.ts';

type Rules = Parameters<typeof pageUrls>[0];

const url = (id: number, name = 'quay') =>
  `/_astro/media-asset/${id}-0123456789abcdef-fedcba9876543210-${name}.webp`;

function idsOf(
  asked: ReturnType<typeof createBuildNotes>['requested'],
  ...pages: string[]
): number[] {
  return asked.of(pages).map(({ address }) => address.id);
}

test.each<[string, string, Rules['format'], Rules['trailingSlash'], base?: string]>([
  ['/', 'index.html', 'directory', 'ignore'],
  ['/tide/', 'tide/index.html', 'directory', 'ignore'],
  ['/tide', 'tide/index.html', 'directory', 'never'],
  ['/tide.html', 'tide.html', 'file', 'ignore'],
  ['/tide', 'tide.html', 'file', 'never'],
  ['/index.html', 'index.html', 'preserve', 'ignore'],
  ['/404/', '404.html', 'directory', 'ignore'],
  ['/m%C3%B6we/', 'möwe/index.html', 'directory', 'ignore'],
  ['/sea/tide/', 'tide/index.html', 'directory', 'always', '/sea'],
  ['/sea/', 'index.html', 'directory', 'always', '/sea/'],
  ['/sea', 'index.html', 'file', 'ignore', '/sea'],
])('matches a request for %s with %s', (page, file, format, trailingSlash, base = '/') => {
  const asked = createBuildNotes().requested;
  asked.note({ page }, { src: url(1) });
  asked.note({ page: '/sea/other/' }, { src: url(2) });
  const urlOf = pageUrls({ site: 'https://a.example', base, format, trailingSlash });
  expect(idsOf(asked, new URL(urlOf(file)).pathname)).toEqual([1]);
});

test('has every URL of an asset, and each request of a page', () => {
  const asked = createBuildNotes().requested;
  const sources = [{ srcset: `${url(2)} 1x, ${url(3)} 2x` }];
  asked.note({ page: '/tide/' }, { src: url(1), sources });
  asked.note({ page: '/tide/' }, { src: url(4) });
  expect(idsOf(asked, '/tide/')).toEqual([1, 2, 3, 4]);
});

test('includes requests without a page if any page is accepted', () => {
  const asked = createBuildNotes().requested;
  asked.note({ caller: 'getMediaAsset()' }, { src: url(1) });
  asked.note({ caller: 'getMediaFile()' }, { src: url(2) });
  asked.note({ page: 'hero.css' }, { src: url(3) });
  expect(idsOf(asked, '/tide/')).toEqual([1, 2]);
  expect(idsOf(asked)).toEqual([]);
});
