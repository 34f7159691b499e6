import { expect, test } from 'vitest';
import { createRequestedRenditions } from '../../../src/astro/build/build-notes.ts';
import { pageUrls } from '../../../src/scan/page-url.ts';

const url = (id: number, name = 'quay') =>
  `/_astro/media-asset/${id}-0123456789abcdef-fedcba9876543210-${name}.webp`;

function idsOf(asked: ReturnType<typeof createRequestedRenditions>, ...pages: string[]): number[] {
  return asked.of(pages).map(({ address }) => address.id);
}

test.each([
  { asked: '/', file: 'index.html', format: 'directory', trailingSlash: 'ignore' },
  { asked: '/tide/', file: 'tide/index.html', format: 'directory', trailingSlash: 'ignore' },
  { asked: '/tide', file: 'tide/index.html', format: 'directory', trailingSlash: 'never' },
  { asked: '/tide.html', file: 'tide.html', format: 'file', trailingSlash: 'ignore' },
  { asked: '/tide', file: 'tide.html', format: 'file', trailingSlash: 'never' },
  { asked: '/index.html', file: 'index.html', format: 'preserve', trailingSlash: 'ignore' },
  { asked: '/404/', file: '404.html', format: 'directory', trailingSlash: 'ignore' },
  { asked: '/m%C3%B6we/', file: 'möwe/index.html', format: 'directory', trailingSlash: 'ignore' },
  {
    asked: '/sea/tide/',
    base: '/sea',
    file: 'tide/index.html',
    format: 'directory',
    trailingSlash: 'always',
  },
  {
    asked: '/sea/',
    base: '/sea/',
    file: 'index.html',
    format: 'directory',
    trailingSlash: 'always',
  },
  { asked: '/sea', base: '/sea', file: 'index.html', format: 'file', trailingSlash: 'ignore' },
] as const)(
  'matches $file with a request for $asked',
  ({ asked: page, file, base = '/', format, trailingSlash }) => {
    const asked = createRequestedRenditions();
    asked.note({ page }, { src: url(1) });
    asked.note({ page: '/sea/other/' }, { src: url(2) });
    const built = new URL(
      pageUrls({ site: 'https://a.example', base, format, trailingSlash })(file),
    );
    expect(idsOf(asked, built.pathname)).toEqual([1]);
  },
);

test('has every URL of an asset, and each request of a page', () => {
  const asked = createRequestedRenditions();
  asked.note(
    { page: '/tide/' },
    { src: url(1), sources: [{ srcset: `${url(2)} 1x, ${url(3)} 2x` }] },
  );
  asked.note({ page: '/tide/' }, { src: url(4) });
  expect(idsOf(asked, '/tide/')).toEqual([1, 2, 3, 4]);
});

test('includes requests without a page if any page is accepted', () => {
  const asked = createRequestedRenditions();
  asked.note({ caller: 'getMediaAsset()' }, { src: url(1) });
  asked.note({ caller: 'getMediaFile()' }, { src: url(2) });
  asked.note({ page: 'hero.css' }, { src: url(3) });
  expect(idsOf(asked, '/tide/')).toEqual([1, 2]);
  expect(idsOf(asked)).toEqual([]);
});
