import { expect, test } from 'vitest';
import { askingInFile, askingOf } from '../../../src/assets/request/asking.ts';
import type { ComponentCall } from '../../../src/assets/request/check-props.ts';
import { onNoPage, siteLanguages } from '../../../src/config/languages.ts';

const languages = siteLanguages({
  base: '/',
  i18n: { defaultLocale: 'en', locales: ['de', 'en'] },
} as Parameters<typeof siteLanguages>[0]);
const caller = 'getMediaAsset()';

test.each<[page: string | undefined, shownIn: unknown, texts: string]>([
  ['/de/quay/', ['de'], 'de'],
  ['/quay/', ['en'], 'en'],
  ['de/feed.xml', onNoPage, 'en'],
  ['/de/feed.xml', ['de'], 'de'],
  ['/feed.xml', ['en', 'de'], 'en'],
  ['a script', onNoPage, 'en'],
  [undefined, onNoPage, 'en'],
])('a function for %s asks for the languages in which that can be read', (page, shownIn, texts) => {
  const asking = askingOf({ id: 4711, page }, { languages, caller });
  expect(asking).toEqual({ id: 4711, page, place: undefined, caller, shownIn, texts });
  const german = askingOf({ id: 4711, page, locale: 'de' }, { languages, caller });
  expect(german).toMatchObject({ shownIn, texts: 'de' });
});

test.each<[page: string, lang: string | undefined, shownIn: string, texts: string]>([
  ['/de/quay/', undefined, 'de', 'de'],
  ['/de/quay/', 'en', 'de', 'en'],
  ['/feed.xml', undefined, 'en', 'en'],
])('a component on %s with lang %s asks for its own page', (page, lang, shownIn, texts) => {
  const place = { file: 'src/pages/quay.astro', line: 8, column: 3 };
  const call: ComponentCall = {
    ...{ component: 'MediaAsset', page, place, isPrerendered: true, props: { lang } },
  };
  const request = { id: 4711, page: '/another/', locale: 'fr' };
  expect(askingOf(request, { languages, caller, call })).toEqual({
    ...{ id: 4711, page, place, caller, shownIn: [shownIn], texts },
  });
});

test.each([
  ['src/content/blog/de/quay.md', ['de'], 'de'],
  ['src\\content\\de\\quay.md', ['de'], 'de'],
  ['src/de/blog/en/2026/quay.md', ['en'], 'en'],
  ['src/content/blog/de.md', onNoPage, 'en'],
  [undefined, onNoPage, 'en'],
])('a Markdown file %s asks for the language of its innermost folder', (file, shownIn, texts) => {
  const subject = { id: 4711, page: undefined, place: undefined, caller: 'Markdown' };
  expect(askingInFile(subject, file, languages)).toEqual({
    ...{ ...subject, shownIn, texts, inMarkdown: true },
  });
});
