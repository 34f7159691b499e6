import { describe, expect, test } from 'vitest';
import type { SiteBuild } from '../../../src/astro/build/build-notes.ts';
import { languagesOfFiles } from '../../../src/astro/build/file-languages.ts';
import { siteLanguages } from '../../../src/config/languages.ts';
import type { BuiltFile } from '../../../src/scan/read-output.ts';

const i18n = { locales: ['en', 'de', 'it'], defaultLocale: 'en' };
const languages = siteLanguages({ i18n, base: '/' });

/** A page with the stylesheets that it loads. */
const pageOf = (file: string, page: string, ...stylesheets: string[]) =>
  ({ file, page, scan: { usage: { page }, stylesheets } }) as unknown as BuiltFile;
const files = [
  pageOf('index.html', '/', '/_astro/all.css', '/_astro/en.css'),
  pageOf('de/index.html', '/de/', '/_astro/all.css'),
  { file: 'de/feed.xml', page: 'de/feed.xml', scan: undefined } as BuiltFile,
  { file: 'feed.xml', page: 'feed.xml', scan: undefined } as BuiltFile,
];

const languagesOf = (unscanned: Partial<SiteBuild['unscanned']> = {}) =>
  languagesOfFiles(
    { languages, unscanned: { routes: [], islands: [], ...unscanned } } as SiteBuild,
    files,
  );

describe('the languages in which a built file shows assets', () => {
  test.each([
    ['a page', '/', ['en']],
    ['a page of another language', '/de/', ['de']],
    ['a file in the folder of a language', 'de/feed.xml', ['de']],
    ['another file', 'feed.xml', ['en', 'de', 'it']],
    ['a stylesheet of two pages', '/_astro/all.css', ['en', 'de']],
    ['a stylesheet of one page', '/_astro/en.css', ['en']],
    ['a stylesheet of no page', '/_astro/none.css', ['en', 'de', 'it']],
    ['a page that was asked for under another name', '/it/quay', ['it']],
  ])('%s: %s', (_, name, expected) => {
    expect([...languagesOf()(name)].sort()).toEqual(expected.toSorted());
  });

  test.each([
    ['routes on demand', { routes: ['/search'] }],
    ['server islands', { islands: ['/tide/'] }],
  ])('with %s, any page may load a stylesheet', (_, unscanned) => {
    expect(languagesOf(unscanned)('/_astro/en.css')).toEqual(['en', 'de', 'it']);
    expect(languagesOf(unscanned)('/de/')).toEqual(['de']);
  });
});
