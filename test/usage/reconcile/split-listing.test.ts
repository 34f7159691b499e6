import { describe, expect, test } from 'vitest';
import { changeLedger, emptyLedger } from '../../../src/usage/ledger/ledger.ts';
import { ledgerIdentity } from '../../../src/usage/ledger/ledger-identity.ts';
import { ownNames, splitListing } from '../../../src/usage/reconcile/reconcile-usage.ts';
import { identity, site, siteFields } from '../../support/ledger/usage-fixtures.ts';

const { project, contact } = siteFields;
const empty = emptyLedger(ledgerIdentity(identity));
const bare = { pageName: undefined, description: undefined, date: undefined };

/** A ledger with one usage, reported as another project and contact. */
const renamed = changeLedger(empty, [
  {
    page: `${site}/elsewhere/`,
    ...{ pageName: 'Elsewhere', date: '2026-01-01', description: '' },
    ...{ project: 'Port ', contact: 'Ada' },
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

describe("a listed usage below the site's URL", () => {
  test.each<[string, Parameters<typeof split>[0]]>([
    ['with the project and contact of this run', { project, contact }],
    ['without project and contact', {}],
    ['with the project alone', { project }],
    ['with the contact alone', { contact }],
    ['with names in the ledger', { project: 'Port', contact: 'Ada', ledger: renamed }],
  ])("%s is the site's own", (_, start) => {
    const { own, leftAlone, record } = split(start);
    expect({ own, leftAlone }).toEqual({ own: [record], leftAlone: [] });
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

  test("a listed usage elsewhere isn't named at all", () => {
    const { leftAlone } = split({ page: 'https://other.example/', project: 'Shop' });
    expect(leftAlone).toEqual([]);
  });
});
