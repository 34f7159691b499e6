import { describe, expect, test } from 'vitest';
import { type AuthorSite, locateAuthor } from '../../src/astro/locate-author.ts';

const tag = '<MediaAsset\n  alt="The quay"\n  id={4711}\n  width={0}\n/>';
const files: Record<string, string> = {
  '/site/src/pages/index.astro': `---\n---\n<h1>Harbour</h1>\n  ${tag}\n`,
  '/site/src/pages/[ship].astro': '<Ship id={47110} /><Ship id="4711" /> <Ship id={4712}/>',
  '/site/src/pages/twice.astro': `${tag}${tag}`,
};

const site: AuthorSite = {
  root: '/site/',
  base: '/',
  routes: [
    { type: 'endpoint', patternRegex: /^\/$/, entrypoint: 'src/pages/all.ts' },
    { type: 'page', patternRegex: /^\/$/, entrypoint: 'src/pages/index.astro' },
    { type: 'page', patternRegex: /^\/twice\/?$/, entrypoint: '/site/src/pages/twice.astro' },
    { type: 'page', patternRegex: /^\/gone\/?$/, entrypoint: 'src/pages/gone.astro' },
    { type: 'page', patternRegex: /^\/([^/]+)\/?$/, entrypoint: 'src/pages/[ship].astro' },
  ],
  read: (file) => files[file],
};

const locate = (asked: { page: string; id?: unknown; stack?: string }, changes = {}) =>
  locateAuthor({ id: 4711, stack: '', ...asked }, { ...site, ...changes });

describe('a component is found', () => {
  test.each<[string, unknown, object | undefined]>([
    ['/', 4711, { file: '/site/src/pages/index.astro', line: 4, column: 3 }],
    ['/', '4711', { file: '/site/src/pages/index.astro', line: 4, column: 3 }],
    ['/', 471, { file: '/site/src/pages/index.astro' }],
    ['/', undefined, { file: '/site/src/pages/index.astro' }],
    ['/twice/', 4711, { file: '/site/src/pages/twice.astro' }],
    ['/ferry', 4711, { file: '/site/src/pages/[ship].astro', line: 1, column: 20 }],
    ['/f%C3%A6rge/', 4712, { file: '/site/src/pages/[ship].astro', line: 1, column: 39 }],
    ['/gone/', 4711, undefined],
    ['/no/such/', 4711, undefined],
    ['rss.xml', 4711, undefined],
  ])('on %s, with id %j', (page, id, place) => {
    expect(locate({ page, id })).toEqual(place);
  });

  test('below a base', () => {
    const place = { file: '/site/src/pages/index.astro', line: 4, column: 3 };
    for (const base of ['/harbour', '/harbour/']) {
      expect(locate({ page: '/harbour/' }, { base })).toEqual(place);
      expect(locate({ page: '/' }, { base })).toBeUndefined();
    }
  });
});

describe('a call of a function is found', () => {
  const own = '    at getMediaAsset (/package/src/components/get-media-asset.ts:16:10)';
  const stack = (...calls: string[]) => ['Error', own, ...calls].join('\n');

  test.each([
    ['/site/', '    at eval (/site/src/pages/quay.astro:4:13)', '/site/src/pages/quay.astro'],
    ['/site', '    at /site/src/lib.ts:4:13', '/site/src/lib.ts'],
    ['/a site (1)/', '    at eval (/a%20site%20(1)/src/lib.ts:4:13)', '/a site (1)/src/lib.ts'],
    ['/a site (1)/', '    at Module.f (/a site (1)/src/lib.ts:4:13)', '/a site (1)/src/lib.ts'],
    ['C:\\site\\', '    at eval (C:/site/src/lib.ts:4:13)', 'C:/site/src/lib.ts'],
    ['C:\\site\\', '    at eval (file:///C:/site/src/lib.ts:4:13)', 'C:/site/src/lib.ts'],
    ['/site/', '    at eval (file:///site/src/lib.ts:4:13)', '/site/src/lib.ts'],
  ])('in %s by %s', (root, call, file) => {
    const asked = { page: 'getMediaAsset()', stack: stack(call, '    at f (/site/later.ts:1:1)') };
    expect(locate(asked, { root })).toEqual({ file, line: 4, column: 13 });
  });

  test('in no package, in no folder that begins alike, and in nothing that waits', () => {
    const calls = [
      '    at eval (/site/node_modules/other/index.js:4:13)',
      '    at eval (/site-of-others/src/lib.ts:4:13)',
      '    at new Promise (<anonymous>)',
      '    at async onRequest (/site/src/middleware.ts:4:13)',
      '    at async /site/src/middleware.ts:4:13',
    ];
    expect(locate({ page: 'getMediaAsset()', stack: stack(...calls) })).toBeUndefined();
  });
});
