import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  changeLedger,
  emptyLedger,
  type Ledger,
  type LedgerChange,
  type RecordState,
} from '../../src/usage/ledger.ts';
import { ledgerIdentity, ledgerPath, ownPages } from '../../src/usage/ledger-identity.ts';
import { formatLedger, parseLedger } from '../../src/usage/ledger-json.ts';
import { identity, site, siteFields } from '../support/usage-fixtures.ts';

const page = `${site}/quay/`;

function change(
  pageName: string,
  ids: readonly number[],
  state: RecordState | undefined,
  date = '2026-03-01',
): LedgerChange {
  return { page, fields: { ...siteFields, pageName, date }, ids, state };
}

const ledgerOf = (...changes: readonly LedgerChange[]) =>
  changeLedger(emptyLedger(ledgerIdentity(identity)), changes);

/** Each record as a line: name, ids, state. */
function lines({ pages }: Ledger): string[] {
  return (pages.get(page) ?? []).map(
    ({ pageName, ids, state }) => `${pageName} ${ids.join(',')} ${state}`,
  );
}

describe('a change of the ledger', () => {
  test.each<[string, LedgerChange[], string[]]>([
    ['records a report', [change('A', [2, 1], 'confirmed')], ['A 1,2 confirmed']],
    [
      'brings equal records together',
      [change('A', [3], 'confirmed'), change('A', [1, 3], 'confirmed')],
      ['A 1,3 confirmed'],
    ],
    [
      'puts a part of a record in doubt',
      [change('A', [1, 2, 3], 'confirmed'), change('A', [2], 'in-doubt')],
      ['A 1,3 confirmed', 'A 2 in-doubt'],
    ],
    [
      'keeps a second variant of a pair beside the first',
      [change('A', [1], 'in-doubt'), change('B', [1], 'in-doubt')],
      ['A 1 in-doubt', 'B 1 in-doubt'],
    ],
    [
      'removes a pair under its own fields only',
      [change('A', [1], 'in-doubt'), change('B', [1], 'in-doubt'), change('A', [1], undefined)],
      ['B 1 in-doubt'],
    ],
    [
      'forgets a page without pairs',
      [change('A', [1, 2], 'confirmed'), change('A', [1, 2], undefined)],
      [],
    ],
    [
      'keeps what was taken out for a replacement',
      [change('A', [1], 'confirmed'), change('A', [1], undefined), change('B', [1], 'unsent')],
      ['B 1 unsent'],
    ],
    [
      'does not take for taken out what may still stand',
      [change('A', [1, 2], 'in-doubt'), change('A', [2], undefined), change('B', [1, 2], 'unsent')],
      ['A 1 in-doubt', 'B 2 unsent'],
    ],
    [
      'does not lose a doubt about the very fields that are unsent',
      [change('A', [1], 'in-doubt'), change('A', [1], 'unsent')],
      ['A 1 in-doubt'],
    ],
    [
      'replaces what was unsent once it is sent',
      [change('A', [1, 2], 'unsent'), change('B', [1], 'confirmed')],
      ['A 2 unsent', 'B 1 confirmed'],
    ],
  ])('%s', (_, changes, expected) => {
    expect(lines(ledgerOf(...changes))).toEqual(expected);
  });

  test('leaves the ledger before it as it was', () => {
    const before = ledgerOf(change('A', [1, 2], 'confirmed'));
    const text = formatLedger(before);
    changeLedger(before, [change('A', [1], undefined), change('B', [1], 'in-doubt')]);
    expect(formatLedger(before)).toBe(text);
  });
});

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('Å', 'Ø', '"', '\u2028', ''),
);
const changes = fc.array(
  fc.record({
    page: fc.webPath().map((path) => `${site}/a${path}`),
    fields: fc.record({
      pageName: text,
      project: text,
      contact: text,
      description: text,
      date: fc.constantFrom('2026-01-01', '2026-03-02'),
    }),
    ids: fc.uniqueArray(
      fc.oneof(
        fc.integer({ min: 1, max: 9 }),
        fc.maxSafeInteger().filter((n) => n > 0),
      ),
      {
        minLength: 1,
      },
    ),
    state: fc.constantFrom<(RecordState | undefined)[]>(
      'confirmed',
      'in-doubt',
      'unsent',
      undefined,
    ),
  }),
);

describe('the JSON of a ledger', () => {
  test('is read back as what it was', () => {
    fc.assert(
      fc.property(changes, fc.option(fc.constant('2026-03-01T10:00:00.000Z')), (changes, since) => {
        const ledger: Ledger = {
          ...changeLedger(emptyLedger(ledgerIdentity(identity)), changes),
          unsentSince: since ?? undefined,
        };
        expect(parseLedger(formatLedger(ledger))).toEqual({ kind: 'ledger', ledger });
      }),
    );
  });

  test('does not depend on the order in which pages came', () => {
    fc.assert(
      fc.property(changes, (changes) => {
        const ledger = changeLedger(emptyLedger(ledgerIdentity(identity)), changes);
        const turned = { ...ledger, pages: new Map([...ledger.pages].reverse()) };
        expect(formatLedger(turned)).toBe(formatLedger(ledger));
      }),
    );
  });

  test('has one line for each page', () => {
    const ledger = ledgerOf(change('The quay', [4711, 4712], 'confirmed'));
    expect(formatLedger({ ...ledger, revision: 3 })).toBe(
      `{"version":1,"service":"https://media.example","site":"${site}","base":"","revision":3,"pages":{\n` +
        `"${page}":[{"pageName":"The quay","project":"Harbour","contact":"web@harbour.example","description":"","date":"2026-03-01","ids":[4711,4712],"state":"confirmed"}]\n` +
        '}}\n',
    );
  });

  const record = {
    ...{ ...siteFields, pageName: 'A', date: '2026-03-01' },
    ids: [1],
    state: 'confirmed',
  };
  const valid = {
    version: 1,
    ...ledgerIdentity(identity),
    revision: 1,
    pages: { [page]: [record] },
  };

  test.each<[string, unknown]>([
    ['cut short', formatLedger(ledgerOf(change('A', [1], 'confirmed'))).slice(0, 90)],
    ['empty', ''],
    ['a list', '[]'],
    ['without a version', { ...valid, version: undefined }],
    ['with version 0', { ...valid, version: 0 }],
    ['with an unknown key', { ...valid, extra: 1 }],
    ['with an id that is a text', { ...valid, pages: { [page]: [{ ...record, ids: ['1'] }] } }],
    ['with id 0', { ...valid, pages: { [page]: [{ ...record, ids: [0] }] } }],
    ['with an id past 2^53', { ...valid, pages: { [page]: [{ ...record, ids: [2 ** 53] }] } }],
    ['with an unknown state', { ...valid, pages: { [page]: [{ ...record, state: 'sent' }] } }],
    [
      'with a date of another form',
      { ...valid, pages: { [page]: [{ ...record, date: '1.3.26' }] } },
    ],
    ['with a page of another site', { ...valid, pages: { 'https://other.example/': [record] } }],
    ['with a page outside the base', { ...valid, base: '/docs' }],
  ])('%s is broken', (_, value) => {
    const json = typeof value === 'string' ? value : JSON.stringify(value);
    expect(parseLedger(json)).toMatchObject({ kind: 'broken', problem: expect.any(String) });
  });

  test('of a newer version is told apart from a broken one', () => {
    expect(parseLedger('{"version":2,"journal":[]}')).toEqual({ kind: 'newer', version: 2 });
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
  ])('is another one for %o', (other) => {
    expect(ledgerPath('/project', other)).not.toBe(ledgerPath('/project', identity));
  });

  test('names the file by the host, for people, and by a digest', () => {
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

  test('has no page of another origin', () => {
    const isOwn = ownPages(identity);
    expect(isOwn('https://harbour.example.evil/')).toBe(false);
    expect(isOwn('http://harbour.example/')).toBe(false);
  });
});
