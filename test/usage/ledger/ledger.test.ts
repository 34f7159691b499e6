import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ChangedRecord,
  changeLedger,
  emptyLedger,
  type Ledger,
} from '../../../src/usage/ledger/ledger.ts';
import { ledgerIdentity, ledgerPath, ownPages } from '../../../src/usage/ledger/ledger-identity.ts';
import { formatLedger, ledgerChunks, loadLedger } from '../../../src/usage/ledger/stored-ledger.ts';
import { identity, site, siteFields } from '../../support/ledger/usage-fixtures.ts';

const page = `${site}/quay/`;

function change(
  pageName: string,
  ids: readonly number[],
  state: ChangedRecord['state'],
  date = '2026-03-01',
): ChangedRecord {
  return { page, ...siteFields, pageName, date, ids, state };
}

const ledgerOf = (...changes: readonly ChangedRecord[]) =>
  changeLedger(emptyLedger(ledgerIdentity(identity)), changes);

/** Each record as a line: name, ids, state. */
function lines({ pages }: Ledger): string[] {
  return (pages.get(page) ?? []).map(
    ({ pageName, ids, state }) => `${pageName} ${ids.join(',')} ${state}`,
  );
}

describe('a change of the ledger', () => {
  test.each<[string, ChangedRecord[], string[]]>([
    ['records a report', [change('A', [2, 1], 'confirmed')], ['A 1,2 confirmed']],
    [
      'merges equal records',
      [change('A', [3], 'confirmed'), change('A', [1, 3], 'confirmed')],
      ['A 1,3 confirmed'],
    ],
    [
      'puts a part of a record in doubt',
      [change('A', [1, 2, 3], 'confirmed'), change('A', [2], 'in-doubt')],
      ['A 1,3 confirmed', 'A 2 in-doubt'],
    ],
    [
      'keeps a second variant of a pair next to the first',
      [change('A', [1], 'in-doubt'), change('B', [1], 'in-doubt')],
      ['A 1 in-doubt', 'B 1 in-doubt'],
    ],
    [
      'only removes a pair under its own fields',
      [change('A', [1], 'in-doubt'), change('B', [1], 'in-doubt'), change('A', [1], 'removed')],
      ['B 1 in-doubt'],
    ],
    [
      'forgets a page without pairs',
      [change('A', [1, 2], 'confirmed'), change('A', [1, 2], 'removed')],
      [],
    ],
    [
      'keeps pairs that were removed for a replacement',
      [change('A', [1], 'confirmed'), change('A', [1], 'removed'), change('B', [1], 'unsent')],
      ['B 1 unsent'],
    ],
    [
      "doesn't count a pair as removed that the service may still list",
      [change('A', [1, 2], 'in-doubt'), change('A', [2], 'removed'), change('B', [1, 2], 'unsent')],
      ['A 1 in-doubt', 'B 2 unsent'],
    ],
    [
      "doesn't lose a doubt about the same fields that are unsent",
      [change('A', [1], 'in-doubt'), change('A', [1], 'unsent')],
      ['A 1 in-doubt'],
    ],
    [
      'remembers that a usage may be listed twice, with any later doubts',
      [
        change('A', [1, 2], 'unremoved'),
        change('A', [1], 'in-doubt'),
        change('B', [1], 'in-doubt'),
      ],
      ['A 1,2 unremoved', 'B 1 in-doubt'],
    ],
    [
      "replaces an unsent pair once it's sent",
      [change('A', [1, 2], 'unsent'), change('B', [1], 'confirmed')],
      ['A 2 unsent', 'B 1 confirmed'],
    ],
  ])('%s', (_, changes, expected) => {
    expect(lines(ledgerOf(...changes))).toEqual(expected);
  });

  test("doesn't change the ledger before it", () => {
    const before = ledgerOf(change('A', [1, 2], 'confirmed'));
    const text = formatLedger(before);
    changeLedger(before, [change('A', [1], 'removed'), change('B', [1], 'in-doubt')]);
    expect(formatLedger(before)).toBe(text);
  });
});

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('Å', 'Ø', '"', '\u2028', ''),
);
const anyId = fc.maxSafeInteger().filter((n) => n > 0);
const states: ChangedRecord['state'][] = [
  ...(['confirmed', 'in-doubt', 'unremoved', 'unsent', 'removed', 'absent'] as const),
];
const changes = fc.array(
  fc.record({
    page: fc.webPath().map((path) => `${site}/a${path}`),
    pageName: text,
    project: text,
    contact: text,
    description: text,
    date: fc.constantFrom('2026-01-01', '2026-03-02'),
    ids: fc.uniqueArray(fc.oneof(fc.integer({ min: 1, max: 9 }), anyId), { minLength: 1 }),
    state: fc.constantFrom(...states),
  }),
);

describe('the JSON of a ledger', () => {
  const load = (text: string) =>
    loadLedger({ name: 'ledger', read: async () => ({ text, tag: '' }) }, identity);

  test('reads back as the same ledger', async () => {
    await fc.assert(
      fc.asyncProperty(
        changes,
        fc.option(fc.constant('2026-03-01T10:00:00.000Z')),
        async (changes, since) => {
          const ledger: Ledger = {
            ...changeLedger(emptyLedger(ledgerIdentity(identity)), changes),
            unsentSince: since ?? undefined,
          };
          expect((await load(formatLedger(ledger))).ledger).toEqual(ledger);
        },
      ),
    );
  });

  test("doesn't depend on the order of pages", () => {
    fc.assert(
      fc.property(changes, (changes) => {
        const ledger = changeLedger(emptyLedger(ledgerIdentity(identity)), changes);
        const turned = { ...ledger, pages: new Map([...ledger.pages].reverse()) };
        expect(formatLedger(turned)).toBe(formatLedger(ledger));
      }),
    );
  });

  test('has one line for each page, and lists common fields once', () => {
    const ledger = ledgerOf(
      change('The quay', [4711, 4712], 'confirmed'),
      change('Quay', [4711], 'in-doubt'),
      change('Quay', [4713], 'in-doubt', '2026-03-02'),
    );
    expect(formatLedger(ledger)).toBe(
      `{"version":3,"service":"https://media.example","site":"${site}","base":"","pages":{\n` +
        `"${page}":[{"pageName":"Quay","sent":0,"ids":[4711],"state":"in-doubt"},` +
        `{"pageName":"The quay","sent":0,"ids":[4711,4712],"state":"confirmed"},` +
        `{"pageName":"Quay","sent":1,"ids":[4713],"state":"in-doubt"}]\n` +
        '},"sent":[\n' +
        '{"project":"Harbour","contact":"web@harbour.example","description":"","date":"2026-03-01"},\n' +
        '{"project":"Harbour","contact":"web@harbour.example","description":"","date":"2026-03-02"}\n' +
        ']}\n',
    );
  });

  test('comes in parts, and never as one text for a large ledger', () => {
    const pages = Array.from({ length: 5000 }, (_, number) => ({
      ...change('The quay', [4711, 4712], 'confirmed'),
      page: `${page}${number}/`,
    }));
    const parts = [...ledgerChunks(ledgerOf(...pages))];
    expect(parts.length).toBeGreaterThan(5);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(70_000);
  });

  const together = { ...siteFields, date: '2026-03-01' };
  const record = { pageName: 'A', ids: [1], state: 'confirmed', sent: 0 };
  const head = ledgerIdentity(identity);
  const valid = { version: 3, ...head, pages: { [page]: [record] }, sent: [together] };
  const withRecord = (changed: object) => ({ ...valid, pages: { [page]: [changed] } });

  test.each<[string, unknown]>([
    ['truncated', formatLedger(ledgerOf(change('A', [1], 'confirmed'))).slice(0, 90)],
    ['a list', '[]'],
    ['without a version', { ...valid, version: undefined }],
    ['with version 2', { ...valid, version: 2 }],
    ['with an unknown key', { ...valid, extra: 1 }],
    ['without the common fields', { ...valid, sent: undefined }],
    ['with a list instead of pages', { ...valid, pages: [] }],
    ['with a page without records', { ...valid, pages: { [page]: [] } }],
    ['with a record that is null', { ...valid, pages: { [page]: [null] } }],
    ['with a record that is a list', { ...valid, pages: { [page]: [[]] } }],
    ['with an unknown field of a record', withRecord({ ...record, extra: 1 })],
    ['with a record without a name', withRecord({ ...record, pageName: undefined })],
    ['with a record without ids', withRecord({ ...record, ids: [] })],
    ['with an ID as text', withRecord({ ...record, ids: ['1'] })],
    ['with the ID 0', withRecord({ ...record, ids: [0] })],
    ['with an unknown state', withRecord({ ...record, state: 'sent' })],
    ['with a missing index', withRecord({ ...record, sent: 1 })],
    ['with an index as text', withRecord({ ...record, sent: '0' })],
    ['with a date in another format', { ...valid, sent: [{ ...together, date: '1.3.26' }] }],
    ['with a page of another site', { ...valid, pages: { 'https://other.example/': [record] } }],
    ['with a page outside the base', { ...valid, base: '/docs' }],
  ])('%s is broken', async (_, value) => {
    const json = typeof value === 'string' ? value : JSON.stringify(value);
    await expect(load(json)).rejects.toThrow(/^The ledger ledger is broken: \S/);
  });

  test('of a newer version is refused, and the hint names an update', async () => {
    await expect(load('{"version":4,"journal":[]}')).rejects.toMatchObject({
      message: expect.stringMatching(/^The ledger ledger is broken: version: expected version 3/),
      hint: expect.stringMatching(/^Update astro-media-asset/),
    });
  });
});

describe('the identity of a ledger', () => {
  test.each([
    { ...identity, site: `${site}/` },
    { ...identity, site: `${site}/a/path` },
    { ...identity, base: '' },
    { ...identity, service: 'https://media.example/' },
    { ...identity, service: 'https://MEDIA.example:443' },
  ])('is the same for %o', (other) => {
    expect(ledgerPath('/project', other)).toBe(ledgerPath('/project', identity));
  });

  test.each([
    { ...identity, site: 'http://harbour.example' },
    { ...identity, site: 'https://harbour.example:8080' },
    { ...identity, base: '/docs' },
    { ...identity, service: 'https://media.example/api' },
  ])('differs for %o', (other) => {
    expect(ledgerPath('/project', other)).not.toBe(ledgerPath('/project', identity));
  });

  test("is the file's name: the host, for people, and a digest", () => {
    expect(ledgerPath('/project', identity)).toMatch(
      /^\/project\/\.media-asset\/ledger-harbour-example-[0-9a-f]{8}\.json$/,
    );
  });

  test.each([
    ['/', '/', true],
    ['/', '/docs', true],
    ['/docs', '/docs', true],
    ['/docs/', '/docs/a/', true],
    ['/docs', '/docs-old/', false],
    ['/docs', '/', false],
    ['/gr\u00fcn', '/gr%C3%BCn/a/', true],
  ])('with base %s has the page %s: %s', (base, path, own) => {
    expect(ownPages({ ...identity, base })(`${site}${path}`)).toBe(own);
  });

  test("doesn't include pages of another origin", () => {
    const isOwn = ownPages(identity);
    expect(isOwn('https://harbour.example.evil/')).toBe(false);
    expect(isOwn('http://harbour.example/')).toBe(false);
  });
});
