import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type RecordRule, requestOf } from '../../../src/assets/records/records.ts';
import { createAudit } from '../../../src/cli/audit/audit-pages.ts';
import { siteLanguages } from '../../../src/config/languages.ts';
import { readPage } from '../../../src/scan/read/read-page.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';

const now = Date.UTC(2026, 2, 1);
const url = 'https://harbour.example/';
const rule: RecordRule = {
  texts: { fields: ['credit', 'creator', 'copyright'], read: (fields) => fields },
  rights: { fields: [], optional: [], unknown: 'forbid', warnDays: 30 } as RecordRule['rights'],
};

interface Asked {
  /** What the build has asked the service for. */
  readonly asked?: string;
  /** An asset in a list of credits, on a page without images. */
  readonly listed?: number;
}

/** What the audit says of asset 4711, whose record has these fields, on a page with a text. */
async function auditOf(
  text: string,
  fields: object,
  { asked = requestOf(rule).asked, listed }: Asked = {},
) {
  const cache = await temporaryFolder('audit');
  await mkdir(join(cache, '4711'));
  const record = { fields, lacking: [], answers: ['record'], asked, folder: null, checkedAt: now };
  const facts = { version: 4, sources: {}, issued: {}, record: { ...record, outcomes: {} } };
  await writeFile(join(cache, '4711', 'facts.json'), JSON.stringify(facts));
  const address = { site: url, base: '/', format: 'directory', trailingSlash: 'ignore' } as const;
  const rules = { ...address, service: 'https://dam.example' };
  const languages = siteLanguages({ base: '/' });
  const audit = createAudit({ rules, cache, now, languages, record: rule });
  const html = `<title>Harbour</title><p>${text}</p><img data-media-asset="4711" alt="">`;
  const scan = { usage: { assets: [4711] } };
  audit.add({ url, read: readPage(Buffer.from(html), url) } as never, scan as never);
  const list = `<title>Credits</title><ul><li id="media-credit-${listed}">Ada</li></ul>`;
  const page = { url: `${url}credits/`, read: readPage(Buffer.from(list), `${url}credits/`) };
  if (listed !== undefined) audit.add(page as never, undefined);
  return audit.images()[0];
}

test.each<[text: string, fields: object, credited: boolean]>([
  ['Photo: Ada Berg', { credit: 'ada  berg' }, true],
  ['Photo: Ada Bergmann', { credit: 'Ada Berg' }, false],
  ['Photo: Nada Berg', { credit: 'Ada Berg' }, false],
  ['By Bo, and Ada Berg', { creator: ['Ada Berg', 'Bo'] }, true],
  ['By Ada Berg', { creator: ['Ada Berg', 'Bo'] }, false],
  ['© Museum', { creator: ['Ada Berg', 'Bo'], copyright: 'Museum' }, true],
  ['©', { credit: '©' }, false],
  ['Ada Berg', {}, false],
])('the text “%s” credits %j: %s', async (text, fields, credited) => {
  expect(await auditOf(text, fields)).toMatchObject({ id: 4711, credited });
});

test('the credit is the first of credit, copyright and creators that the record has', async () => {
  const creator = ['Ada Berg', 'Bo'];
  const creditOf = async (fields: object) => (await auditOf('', fields))?.credit;
  expect(await creditOf({ creator })).toBe('Ada Berg, Bo');
  expect(await creditOf({ creator, copyright: '© Museum' })).toBe('© Museum');
  expect(await creditOf({ creator, copyright: '© Museum', credit: 'Ada' })).toBe('Ada');
  expect(await creditOf({})).toBe('');
});

test('a record that was read for other fields says nothing', async () => {
  expect(await auditOf('Ada', { credit: 'Ada' }, { asked: 'other' })).not.toHaveProperty('credit');
});

test.each([
  [4711, { credit: 'Ada' }, true],
  [4712, { credit: 'Ada' }, false],
  [4711, {}, false],
])(
  'a list of credits with asset %i, of a record %j: credited is %s',
  async (listed, fields, credited) => {
    expect(await auditOf('', fields, { listed })).toMatchObject({ credited });
  },
);
