import { describe, expect, test } from 'vitest';
import type { TextsRule } from '../../../src/assets/records/asset-record.ts';
import {
  altField,
  listedRecords,
  readKnownRecord,
  recordRule,
} from '../../../src/assets/records/records.ts';
import { siteLanguages } from '../../../src/config/languages.ts';
import type { MediaService } from '../../../src/service/types.ts';

const languages = siteLanguages({
  base: '/',
  i18n: { defaultLocale: 'en', locales: ['de', 'en'] },
} as Parameters<typeof siteLanguages>[0]);
const fields = ['title', 'alttext', 'alttext_de'];
const rights = { forbidden: 'warn', unknown: 'warn', warnDays: 30 } as const;

const ruleOf = (read: TextsRule['read']) =>
  recordRule({ record: { fields, read }, rights }) ?? expect.fail();

const byLocale = ruleOf((record, { locale }) => ({
  alt: locale === 'de' ? record.alttext_de : record.alttext,
}));

test.each<[locale: string | undefined, field: string]>([
  ['de', 'alttext_de'],
  ['en', 'alttext'],
  [undefined, 'alttext'],
])('in %s, the alt text of an upload is written to %s', (locale, field) => {
  const service = {} as MediaService;
  const listed = listedRecords(byLocale, { service, languages, now: Date.now });
  expect(listed.altField(locale)).toBe(field);
});

describe('with a service that has texts in several locales', () => {
  const read: TextsRule['read'] = ({ alttext }) => ({ alt: alttext });
  const locales = { de: 'de_DE', 'pt-br': 'pt_BR' };
  const rule = recordRule({ record: { fields, locales, read }, rights }) ?? expect.fail();
  const service = { clockAhead: () => 0 } as MediaService;
  const listed = listedRecords(rule, { service, languages, now: Date.now });

  test.each([
    ['en', 'The quay'],
    ['de', 'Der Kai'],
    ['de-CH', 'Der Kai'],
    ['pt-BR', 'O cais'],
    ['pt', 'The quay'],
  ])('the alt text in %s is %s', (texts, alt) => {
    const inLocales = { de: { alttext: 'Der Kai' }, 'pt-br': { alttext: 'O cais' } };
    const known = { fields: { alttext: 'The quay' }, texts: inLocales, lacking: [], answers: [] };
    const asked = { shownIn: languages.all, texts, id: 1, known, languages, now: 0 };
    expect(readKnownRecord(rule, asked).record?.alt).toBe(alt);
  });

  test.each([
    ['en', 'alttext', true],
    ['de', undefined, undefined],
    ['de-CH', undefined, undefined],
    ['pt-BR', undefined, undefined],
  ])("the default language's text isn't taken for one in %s", (texts, field, hasAlt) => {
    expect(listed.altField(texts)).toBe(field);
    const list = listed.open(false);
    list.note({ id: 1, name: undefined, filename: undefined, fields: { alttext: 'The quay' } });
    expect(list.hasAlt(1, { shownIn: languages.all, texts })).toBe(hasAlt);
  });
});

test.each<[what: string, read: TextsRule['read'], field: string | undefined]>([
  ['one field', ({ title }) => ({ alt: title }), 'title'],
  ['two fields', ({ title, alttext }) => ({ alt: `${title} ${alttext}` }), undefined],
  ['no field', () => ({ alt: 'A quay' }), undefined],
  ['a field that the site may not have asked for', ({ name }) => ({ alt: name }), undefined],
  [
    'a field that must be a list',
    ({ alttext }) => ({ alt: (alttext as unknown as string[]).map(String)[0] }),
    undefined,
  ],
])('an alt text that is made of %s', (_, read, field) => {
  expect(altField(ruleOf(read), 'en')).toBe(field);
});

test('a site that reads no texts has no field for them', () => {
  const rule = recordRule({ rights: { ...rights, fields: [], read: () => ({}) } }) ?? expect.fail();
  expect(altField(rule, 'en')).toBeUndefined();
});

test("a record that the site fails to read isn't judged in a list, and the others are", () => {
  const service = { clockAhead: () => 0 } as MediaService;
  const rule = recordRule({
    rights: { ...rights, fields: ['until'], read: ({ until }) => ({ until }) },
  });
  const listed = listedRecords(rule ?? expect.fail(), { service, languages, now: Date.now });
  const records = ['soon', '2020-12-31', '2120-12-31'].map((until, id) => {
    return { id, name: undefined, filename: undefined, fields: { until } };
  });
  const list = listed.open(false);
  for (const record of records) list.note(record);
  const use = { shownIn: languages.all, texts: 'en' };
  const states = records.map(({ id }) => list.verdict(id, use)?.state);
  expect(states).toEqual([undefined, 'forbidden', 'allowed']);
});
