import { describe, expect, test } from 'vitest';
import { changeLedger, emptyLedger } from '../../../src/usage/ledger/ledger.ts';
import { ledgerIdentity } from '../../../src/usage/ledger/ledger-identity.ts';
import { ownNames, splitListing } from '../../../src/usage/reconcile/look-up-usages.ts';
import { identity, site, siteFields } from '../../support/ledger/usage-fixtures.ts';

const { project, contact } = siteFields;
const empty = emptyLedger(ledgerIdentity(identity));
const bare = { pageName: undefined, description: undefined, date: undefined };

/** A ledger that holds one usage, reported as another project and contact. */
const renamed = changeLedger(empty, [
  {
    page: `${site}/elsewhere/`,
    fields: {
      ...{ pageName: 'Elsewhere', date: '2026-01-01', description: '' },
      ...{ project: 'Port ', contact: 'Ada' },
    },
    ids: [9],
    state: 'confirmed',
  },
]);

function split(start: {
  project?: string;
  contact?: string;
  page?: string;
  ledger?: typeof empty;
}) {
  const { page = `${site}/shop/`, ledger = empty } = start;
  const record = { ...bare, page, project: start.project, contact: start.contact };
  const names = ownNames(ledger, siteFields);
  const found = splitListing(new Map([[1, [record]]]), { identity, names });
  return { own: found.listing.get(1), leftAlone: found.leftAlone, record };
}

describe('of what the service lists below the site', () => {
  test.each<[string, Parameters<typeof split>[0]]>([
    ['the project and contact of this run', { project, contact }],
    ['no project and no contact', {}],
    ['the project alone', { project }],
    ['the contact alone', { contact }],
    ['names that the ledger holds', { project: 'Port', contact: 'Ada', ledger: renamed }],
  ])('%s is its own', (_, start) => {
    const { own, leftAlone, record } = split(start);
    expect({ own, leftAlone }).toEqual({ own: [record], leftAlone: [] });
  });

  test.each<[string, Parameters<typeof split>[0]]>([
    ['another project and contact', { project: 'Shop', contact: 'Shop team' }],
    ['another project with the same contact', { project: 'Shop', contact }],
    ['another project without a contact', { project: 'Shop' }],
    ['the same project with another contact', { project, contact: 'Shop team' }],
    ['another contact without a project', { contact: 'Shop team' }],
    ['a name that is only alike', { project: `${project} Shop`, contact }],
    [
      'a project that the ledger holds with a contact that it does not',
      { project: 'Port', contact: 'Bo', ledger: renamed },
    ],
  ])('%s is left alone', (_, start) => {
    const { own, leftAlone, record } = split(start);
    const { page, project, contact } = record;
    expect({ own, leftAlone }).toEqual({
      own: [],
      leftAlone: [{ page, pageName: undefined, id: 1, project, contact }],
    });
  });

  test('what lies elsewhere is not named at all', () => {
    const { leftAlone } = split({ page: 'https://other.example/', project: 'Shop' });
    expect(leftAlone).toEqual([]);
  });
});
