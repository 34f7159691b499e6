import { describe, expect, test } from 'vitest';
import type { UsageRecord } from '../../../src/service/types.ts';
import { changeLedger, emptyLedger, type RecordState } from '../../../src/usage/ledger/ledger.ts';
import { ledgerIdentity } from '../../../src/usage/ledger/ledger-identity.ts';
import { usageDrift } from '../../../src/usage/reconcile/reconcile-ledger.ts';
import { identity, manifestOf, site, siteFields } from '../../support/ledger/usage-fixtures.ts';

const page = `${site}/`;
const today = '2026-03-02';
const record: UsageRecord = { page, pageName: 'Harbour', ...siteFields, date: '2026-01-01' };
const bare = {
  ...{ page, pageName: undefined, project: undefined, contact: undefined },
  ...{ description: undefined, date: undefined },
};
const renamed = { ...record, pageName: 'Old' };

function driftOf(start: {
  listed: readonly UsageRecord[];
  known?: RecordState | undefined;
  shown?: boolean | undefined;
}) {
  const { listed, known, shown } = start;
  const fields = { ...siteFields, pageName: 'Harbour', date: '2026-01-01' };
  const empty = emptyLedger(ledgerIdentity(identity));
  const manifest =
    shown === undefined ? undefined : manifestOf({ '/': ['Harbour', ...(shown ? [1] : [])] });
  const drift = usageDrift({
    ledger: known ? changeLedger(empty, [{ page, ...fields, ids: [1], state: known }]) : empty,
    listing: new Map([[1, listed]]),
    manifest,
    fields: siteFields,
    today,
  });
  return drift.map(({ kind }) => kind);
}

describe('the drift of a pair', () => {
  test.each<[string, Parameters<typeof driftOf>[0], string[]]>([
    ['listed, known and shown', { listed: [record], known: 'confirmed', shown: true }, []],
    ['listed without fields', { listed: [bare], known: 'confirmed', shown: true }, []],
    ['listed and shown', { listed: [record], shown: true }, ['ledger']],
    ['listed, in doubt, shown', { listed: [record], known: 'in-doubt', shown: true }, ['ledger']],
    ['listed', { listed: [record], shown: false }, ['extra']],
    ['listed and known', { listed: [record], known: 'confirmed', shown: false }, ['extra']],
    ['known and shown', { listed: [], known: 'confirmed', shown: true }, ['missing']],
    ['shown', { listed: [], shown: true }, ['missing']],
    ['known', { listed: [], known: 'confirmed', shown: false }, ['ledger']],
    ['nowhere', { listed: [], shown: false }, []],
    ['listed twice', { listed: [record, record], shown: true }, ['repeated']],
    ['listed twice, gone', { listed: [record, renamed], shown: false }, ['extra']],
    ['renamed', { listed: [renamed], known: 'confirmed', shown: true }, ['fields']],
    ['without pages: listed, known', { listed: [record], known: 'confirmed' }, []],
    ['without pages: listed', { listed: [record] }, ['extra']],
    ['without pages: known', { listed: [], known: 'confirmed' }, ['missing']],
    ['without pages: taken out', { listed: [], known: 'unsent' }, []],
    ['without pages: renamed', { listed: [renamed], known: 'confirmed' }, ['fields']],
    ['without pages: in doubt', { listed: [record], known: 'in-doubt' }, ['ledger']],
    [
      'on a page of another site',
      { listed: [{ ...record, page: 'https://other.example/' }], shown: false },
      [],
    ],
  ])('%s', (_, start, expected) => {
    expect(driftOf(start)).toEqual(expected);
  });
});
