import { describe, expect, test } from 'vitest';
import type { MediaService, UsageRecord } from '../../../src/service/types.ts';
import type { RecordState } from '../../../src/usage/ledger/ledger.ts';
import type { StateStore } from '../../../src/usage/ledger/open-state-store.ts';
import { formatLedger } from '../../../src/usage/ledger/stored-ledger.ts';
import { reconcileLedger, usageDrift } from '../../../src/usage/reconcile/reconcile-ledger.ts';
import { lookUpUsages } from '../../../src/usage/reconcile/reconcile-usage.ts';
import {
  identity,
  ledgerOf,
  manifestOf,
  site,
  siteFields,
} from '../../support/ledger/usage-fixtures.ts';

const { project, contact } = siteFields;
const date = '2026-01-01';
const bare = { pageName: undefined, description: undefined, date: undefined };
const noNames = { project: undefined, contact: undefined };

/** A ledger with one usage, reported as another project and contact. */
const formerly = ledgerOf([
  '/elsewhere/',
  'Elsewhere',
  [9],
  'confirmed',
  { project: 'Port ', contact: 'Ada' },
]);

/** Looks up asset 1, of which the service lists one usage. */
async function split(start: {
  project?: string;
  contact?: string;
  page?: string;
  ledger?: typeof formerly;
}) {
  const { page = `${site}/shop/`, ledger = ledgerOf() } = start;
  const record = { ...bare, page, project: start.project, contact: start.contact };
  const { ids, leftAlone } = await lookUpUsages({
    ...{ identity, fields: siteFields, manifest: manifestOf({}), others: [1], clock: Date.now },
    store: { read: async () => ({ text: formatLedger(ledger), tag: '' }) } as unknown as StateStore,
    service: { usages: { list: async (id) => (id === 1 ? [record] : []) } } as MediaService,
  });
  return { isOwn: ids.includes(1), leftAlone, record };
}

describe("a listed usage below the site's URL", () => {
  test.each<[string, Parameters<typeof split>[0]]>([
    ['with the project and contact of this run', { project, contact }],
    ['without project and contact', {}],
    ['with the project alone', { project }],
    ['with the contact alone', { contact }],
    ['with names in the ledger', { project: 'Port', contact: 'Ada', ledger: formerly }],
  ])("%s is the site's own", async (_, start) => {
    const { isOwn, leftAlone } = await split(start);
    expect({ isOwn, leftAlone }).toEqual({ isOwn: true, leftAlone: [] });
  });

  test.each<[string, Parameters<typeof split>[0]]>([
    ['with another project and contact', { project: 'Shop', contact: 'Shop team' }],
    ['with another project and the same contact', { project: 'Shop', contact }],
    ['with another project and no contact', { project: 'Shop' }],
    ['with the same project and another contact', { project, contact: 'Shop team' }],
    ['with another contact and no project', { contact: 'Shop team' }],
    ['with a similar name', { project: `${project} Shop`, contact }],
    [
      "with a project of the ledger and a contact that isn't in it",
      { project: 'Port', contact: 'Bo', ledger: formerly },
    ],
  ])('%s is left alone', async (_, start) => {
    const { isOwn, leftAlone, record } = await split(start);
    const { page, project, contact } = record;
    expect({ isOwn, leftAlone }).toEqual({
      isOwn: false,
      leftAlone: [{ page, pageName: undefined, id: 1, project, contact }],
    });
  });

  test("a listed usage elsewhere isn't named at all", async () => {
    const { leftAlone } = await split({ page: 'https://other.example/', project: 'Shop' });
    expect(leftAlone).toEqual([]);
  });
});

const record: UsageRecord = { page: `${site}/`, pageName: 'Harbour', ...siteFields, date };
const renamed = { ...record, pageName: 'Old' };
const withoutFields = { page: `${site}/`, ...bare, ...noNames };

interface Start {
  readonly listed: readonly UsageRecord[];
  readonly known?: RecordState | undefined;
  readonly shown: boolean;
}

const givenOf = ({ listed, known, shown }: Start) => ({
  ledger: known ? ledgerOf(['/', 'Harbour', [1], known, { date }]) : ledgerOf(),
  listing: new Map([[1, listed]]),
  manifest: manifestOf(shown ? { '/': ['Harbour', 1] } : { '/quay/': ['The quay'] }),
  fields: siteFields,
  today: '2026-03-02',
});

const driftOf = (start: Start) =>
  usageDrift(givenOf(start)).map(({ kind, pageName }) => `${kind} ${pageName}`);

test('drift is named by page, and then by asset', () => {
  const manifest = manifestOf({ '/quay/': ['The quay', 3, 10, 2], '/': ['Harbour', 10] });
  const listing = new Map([10, 3, 2].map((id) => [id, []]));
  const drift = usageDrift({
    ...{ ledger: ledgerOf(), listing, manifest },
    ...{ fields: siteFields, today: '2026-03-02' },
  });
  expect(drift.map(({ page, id }) => `${page.slice(site.length)} ${id}`)).toEqual([
    ...['/ 10', '/quay/ 2', '/quay/ 3', '/quay/ 10'],
  ]);
});

describe('the drift of a pair', () => {
  test.each<[string, Start, string[]]>([
    ['listed, known and shown', { listed: [record], known: 'confirmed', shown: true }, []],
    ['listed without fields', { listed: [withoutFields], known: 'confirmed', shown: true }, []],
    ['listed and shown', { listed: [record], shown: true }, ['ledger Harbour']],
    [
      'listed, in doubt, shown',
      { listed: [record], known: 'in-doubt', shown: true },
      ['ledger Harbour'],
    ],
    ['listed', { listed: [record], shown: false }, ['extra Harbour']],
    ['listed and known', { listed: [renamed], known: 'confirmed', shown: false }, ['extra Old']],
    ['known and shown', { listed: [], known: 'confirmed', shown: true }, ['missing Harbour']],
    ['shown', { listed: [], shown: true }, ['missing Harbour']],
    ['known', { listed: [], known: 'confirmed', shown: false }, ['ledger Harbour']],
    ['nowhere', { listed: [], shown: false }, []],
    ['listed twice', { listed: [record, record], shown: true }, ['repeated Harbour']],
    ['listed twice, gone', { listed: [record, renamed], shown: false }, ['extra Harbour']],
    ['renamed', { listed: [renamed], known: 'confirmed', shown: true }, ['fields Harbour']],
    ['taken out', { listed: [], known: 'unsent', shown: false }, []],
    [
      'on a page of another site',
      { listed: [{ ...record, page: 'https://other.example/' }], shown: false },
      [],
    ],
  ])('%s', (_, start, expected) => {
    expect(driftOf(start)).toEqual(expected);
  });
});

test('a listing that has trimmed the texts of a usage has the same texts', () => {
  const fields = { ...siteFields, project: ' Port ', contact: 'Ada ' };
  const listed = { ...record, project: 'Port', contact: 'Ada' };
  const ledger = ledgerOf(['/', 'Harbour', [1], 'confirmed', { date, ...fields }]);
  const given = givenOf({ listed: [listed], shown: true });
  expect(usageDrift({ ...given, ledger, fields })).toEqual([]);
});

describe('the ledger after a pair', () => {
  const earlier = { ...record, date: '2025-11-30T08:00:00Z' };

  test.each<[string, Start, string[], number[]]>([
    ['was listed', { listed: [record], shown: true }, [`Harbour confirmed ${date}`], []],
    [
      'was listed without a date',
      { listed: [withoutFields], shown: true },
      ['Harbour confirmed 2026-03-02'],
      [],
    ],
    [
      'was listed with a time',
      { listed: [earlier], known: 'unsent', shown: true },
      ['Harbour confirmed 2025-11-30'],
      [],
    ],
    [
      'was listed under another name',
      { listed: [renamed], known: 'confirmed', shown: true },
      [`Old confirmed ${date}`],
      [],
    ],
    [
      'was listed under two names',
      { listed: [record, renamed], known: 'confirmed', shown: true },
      [`Harbour in-doubt ${date}`, `Old in-doubt ${date}`],
      [],
    ],
    [
      'was listed twice with the same fields, and under another name',
      { listed: [record, renamed, record], shown: true },
      [`Harbour in-doubt ${date}`, `Old in-doubt ${date}`],
      [3],
    ],
    [
      "wasn't listed, and is shown",
      { listed: [], known: 'confirmed', shown: true },
      [`Harbour unsent ${date}`],
      [],
    ],
    ["wasn't listed, and isn't shown", { listed: [], known: 'in-doubt', shown: false }, [], []],
  ])('%s', (_, start, expected, times) => {
    const { ledger, repeated } = reconcileLedger(givenOf(start));
    const records = [...ledger.pages.values()].flat();
    expect(records.map(({ pageName, state, date }) => `${pageName} ${state} ${date}`)).toEqual(
      expected,
    );
    expect(repeated).toEqual(times.map((times) => ({ page: `${site}/`, id: 1, times })));
  });
});
