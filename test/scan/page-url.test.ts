import { describe, expect, test } from 'vitest';
import { type AddressRules, pageUrls } from '../../src/scan/page-url.ts';

const pageUrl = (rules: AddressRules, file: string) => pageUrls(rules)(file);

const site = 'https://www.example.org';

/**
 * `Astro.url.href` in real builds of Astro 7.3.5, by the file of the page. Each row applies to its
 * trailingSlash values. `base: 'docs'` and `'/docs/'` gave the same results as `'/docs'`.
 */
const astroUrls: {
  format: AddressRules['format'];
  trailingSlash: AddressRules['trailingSlash'][];
  base: string;
  pages: Record<string, string>;
}[] = [
  {
    format: 'directory',
    trailingSlash: ['always', 'ignore'],
    base: '/',
    pages: {
      'index.html': '/',
      'about/index.html': '/about/',
      'nested/index.html': '/nested/',
      'blog/two/three/index.html': '/blog/two/three/',
      'blog/index/index.html': '/blog/index/',
      '404.html': '/404/',
      '500.html': '/500/',
      'nested/404/index.html': '/nested/404/',
      'with space/index.html': '/with%20space/',
      'grün/index.html': '/gr%C3%BCn/',
      'shop/日本/index.html': '/shop/%E6%97%A5%E6%9C%AC/',
      "q'uote/index.html": "/q'uote/",
      'a+b/index.html': '/a+b/',
      'blog/p%/index.html': '/blog/p%/',
      'blog/p%2Fq/index.html': '/blog/p%2Fq/',
      'blog/is it%3F/index.html': '/blog/is%20it%3F/',
      'blog/c%23/index.html': '/blog/c%23/',
      'blog/h|i^j`k{l}/index.html': '/blog/h|i%5Ej%60k%7Bl%7D/',
      'blog/.dot/index.html': '/blog/.dot/',
    },
  },
  {
    format: 'directory',
    trailingSlash: ['never'],
    base: '/',
    pages: {
      'index.html': '/',
      'about/index.html': '/about',
      'nested/index.html': '/nested',
      'blog/index/index.html': '/blog/index',
      '404.html': '/404',
      'with space/index.html': '/with%20space',
    },
  },
  {
    format: 'directory',
    trailingSlash: ['always', 'ignore'],
    base: '/docs',
    pages: {
      'index.html': '/docs/',
      'about/index.html': '/docs/about/',
      '404.html': '/docs/404/',
    },
  },
  {
    format: 'directory',
    trailingSlash: ['never'],
    base: '/docs',
    pages: { 'index.html': '/docs', 'about/index.html': '/docs/about', '404.html': '/docs/404' },
  },
  {
    format: 'file',
    trailingSlash: ['always', 'never', 'ignore'],
    base: '/',
    pages: {
      'index.html': '/index.html',
      'about.html': '/about.html',
      'nested.html': '/nested.html',
      'blog/index.html': '/blog/index.html',
      '404.html': '/404.html',
      'nested/404.html': '/nested/404.html',
      'with space.html': '/with%20space.html',
      'shop/日本.html': '/shop/%E6%97%A5%E6%9C%AC.html',
    },
  },
  {
    format: 'file',
    trailingSlash: ['always', 'never', 'ignore'],
    base: '/docs',
    pages: { 'index.html': '/docs/index.html', 'about.html': '/docs/about.html' },
  },
  {
    format: 'preserve',
    trailingSlash: ['always', 'ignore'],
    base: '/',
    pages: {
      'index.html': '/',
      'about.html': '/about.html',
      'nested/index.html': '/nested/',
      'blog/two/three.html': '/blog/two/three.html',
      '404.html': '/404.html',
    },
  },
  {
    format: 'preserve',
    trailingSlash: ['never'],
    base: '/docs',
    pages: {
      'index.html': '/docs',
      'about.html': '/docs/about.html',
      'nested/index.html': '/docs/nested',
      '404.html': '/docs/404.html',
    },
  },
];

const rows = astroUrls.flatMap(({ format, trailingSlash, base, pages }) =>
  trailingSlash.flatMap((slash) =>
    Object.entries(pages).map(([file, path]) => ({ format, slash, base, file, path })),
  ),
);

describe('the URL of a page', () => {
  test.each(rows)('is Astro.url: $base $format $slash $file → $path', (row) => {
    const { format, slash: trailingSlash, base, file, path } = row;
    expect(pageUrl({ site, base, format, trailingSlash }, file)).toBe(`${site}${path}`);
  });

  const rules: AddressRules = { site, base: '/', format: 'directory', trailingSlash: 'ignore' };

  test.each(['', '/', 'docs', '/docs', '/docs/', '//docs//'])('accepts the base %j', (base) => {
    const path = base.includes('docs') ? '/docs/about/' : '/about/';
    expect(pageUrl({ ...rules, base }, 'about/index.html')).toBe(`${site}${path}`);
  });

  test('joins a base of several segments', () => {
    expect(pageUrl({ ...rules, base: '/en/docs/' }, 'a/index.html')).toBe(`${site}/en/docs/a/`);
  });

  test('accepts the path separators of Windows', () => {
    expect(pageUrl(rules, 'blog\\two\\three\\index.html')).toBe(`${site}/blog/two/three/`);
  });

  test("has the site's origin but, like in Astro, not its path", () => {
    const withPath = { ...rules, site: 'https://www.example.org:8443/sub/folder' };
    expect(pageUrl(withPath, 'about/index.html')).toBe('https://www.example.org:8443/about/');
  });

  test.each([
    ['pub/plain.html', '/pub/plain.html'],
    ['why?.html', '/why%3F.html'],
    ['c#/index.html', '/c%23/'],
    ['index.html.html', '/index.html.html'],
    ['my-index.html', '/my-index.html'],
    ['docs/404.html', '/docs/404.html'],
  ])("keeps the name of a file that doesn't follow the format: %s", (file, path) => {
    expect(pageUrl(rules, file)).toBe(`${site}${path}`);
  });
});
