import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Records } from '../../src/assets/records/records.ts';
import { onNoPage, type ShownIn, siteLanguages } from '../../src/config/languages.ts';
import { pageUrls } from '../../src/scan/page-url.ts';

const english = { path: 'english', codes: ['en', 'en-GB'] };
const german = { path: 'german', codes: ['de', 'de-AT'] };
const i18n = { locales: [english, german, 'it', 'pt-BR'], defaultLocale: 'english' };
const site = siteLanguages({ i18n, base: '/docs/' });
const all = ['en', 'en-GB', 'de', 'de-AT', 'it', 'pt-BR'];

describe('the language of a page', () => {
  test.each<[page: string, ShownIn | string[]]>([
    ['/docs/', ['en']],
    ['/docs', ['en']],
    ['/docs/quay/', ['en']],
    ['/docs/english/', ['en']],
    ['/docs/en-GB/', ['en-GB']],
    ['/docs/german/', ['de']],
    ['/docs/german.html', ['de']],
    ['/docs/de/', ['de']],
    ['/docs/de-AT/quay/', ['de-AT']],
    ['/docs/DE_at/quay/', ['de-AT']],
    ['/docs/pt-br/', ['pt-BR']],
    // A path is compared as it is.
    ['/docs/German/', ['en']],
    // Only the first segment counts.
    ['/docs/blog/it/', ['en']],
    ['/docs/de/tag/it/', ['de']],
    ['/docs/it/de/', ['it']],
    ['/docs/items/', ['en']],
    ['/docs/404/', ['en']],
    ['https://harbour.example/docs/de/?x#y', ['de']],
    // No page of the site: nothing is known.
    ['/de/', onNoPage],
    ['/docsearch/de/', onNoPage],
    ['de', onNoPage],
    ['the footer', onNoPage],
    ['', onNoPage],
    ['/docs/%E0%A4%A/', ['en']],
    // A slash that's escaped ends no segment.
    ['/docs/de%2Fnews/', ['en']],
  ])('%s is %j', (page, expected) => {
    expect(site.ofPage(page)).toEqual(expected);
  });

  test.each([
    ['a path that is escaped in URLs', '/日本/', 'ja'],
    ['the code in it', '/ja/', 'ja'],
  ])('can be named by %s', (_, page, code) => {
    const locales = ['en', { path: '日本', codes: ['ja'] }];
    const { ofPage } = siteLanguages({ i18n: { locales, defaultLocale: 'en' }, base: '/' });
    expect(ofPage(new URL(page, 'https://a.example').pathname)).toEqual([code]);
  });

  test.each(['/', '/docs', 'docs/'])('without i18n is always none, also below %s', (base) => {
    const none = siteLanguages({ base });
    expect(none.all).toEqual(['']);
    const page = `/${base.replace(/[./]/g, '')}/de/`.replace('//', '/');
    expect(none.ofFile('de/feed.xml')).toEqual(['']);
    expect(none.ofPage(page)).toEqual(['']);
  });
});

test('all codes of a site are its languages, the default one first', () => {
  expect(site.all).toEqual(all);
  const last = siteLanguages({ i18n: { ...i18n, defaultLocale: 'it' }, base: '/' });
  expect(last.all).toEqual(['it', ...all.filter((code) => code !== 'it')]);
});

test('what is on no page can be in each language, and what is on a page in its own', () => {
  expect(site.each(onNoPage)).toEqual(all);
  expect(site.each(site.ofPage('/docs/de/quay/'))).toEqual(['de']);
});

describe('a built file has', () => {
  test.each<[file: string, string[]]>([
    ['index.html', ['en']],
    ['german/index.html', ['de']],
    ['german.html', ['de']],
    ['404.html', ['en']],
    ['de/404.html', ['de']],
    ['de/feed.xml', ['de']],
    ['feed.xml', all],
    ['de.json', all],
    ['blog/de/feed.xml', all],
    ['_astro/page.js', all],
    ['CNAME', all],
  ])('%s: the languages %j', (file, expected) => {
    expect(site.ofFile(file)).toEqual(expected);
  });
});

test.each<[page: string, ShownIn | string[]]>([
  ['/docs/de/feed.xml', ['de']],
  ['/docs/feed.xml', all],
  ['/docs/quay.html', ['en']],
  ['/docs/notes/v1.2', ['en']],
  ['/docs/quay', ['en']],
  ['feed.xml', onNoPage],
  ['the footer', onNoPage],
])('a function call that names %s asks in %j', (page, expected) => {
  expect(site.ofCall(page)).toEqual(expected);
});

test.each<[name: string, ShownIn | string[]]>([
  ['de', ['de']],
  ['de_AT', ['de-AT']],
  ['german', ['de']],
  ['fr', onNoPage],
  ['', onNoPage],
])('a person who names “%s” means %j', (name, expected) => {
  expect(site.ofName(name)).toEqual(expected);
});

test('a page has the language of its file, in every format', () => {
  const segment = fc.oneof(
    fc.constantFrom(
      'english',
      'german',
      'de',
      'de_at',
      'it',
      'PT-br',
      'blog',
      'index',
      '404',
      '日本',
    ),
    fc.stringMatching(/^[\w-]{1,8}$/),
  );
  fc.assert(
    fc.property(
      fc.array(segment, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('directory', 'file', 'preserve'),
      fc.constantFrom('always', 'never', 'ignore'),
      fc.constantFrom('/', '/docs', 'docs/', '/a/b/'),
      (segments, format, trailingSlash, base) => {
        const urlOf = pageUrls({ site: 'https://a.example', base, format, trailingSlash });
        const { ofFile, ofPage } = siteLanguages({ i18n, base });
        const file = `${segments.join('/')}.html`;
        expect(ofPage(urlOf(file))).toEqual(ofFile(file));
        expect(ofPage(new URL(urlOf(file)).pathname)).toEqual(ofFile(file));
      },
    ),
  );
});

test("a verdict can't be asked for without the page's language, or the word for none", () => {
  const ask = (find: Records['find']) => {
    find(4711, { shownIn: site.ofPage('/docs/de/'), texts: 'fr' });
    find(4711, { shownIn: onNoPage, texts: 'de' });
    // @ts-expect-error nothing says where it's shown
    find(4711, { texts: 'de' });
    // @ts-expect-error nothing says where it's shown
    find(4711, {});
    // @ts-expect-error no language is no answer
    find(4711, { shownIn: [], texts: 'de' });
    // @ts-expect-error a missing language isn't a site without languages
    find(4711, { shownIn: [undefined], texts: 'de' });
    // @ts-expect-error an attribute's text isn't a page's language
    find(4711, { shownIn: ['de'], texts: 'de' });
  };
  expect(ask).toBeTypeOf('function');
});
