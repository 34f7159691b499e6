import picocolors from 'picocolors';
import { describe, expect, test } from 'vitest';
import { driftText, leftAloneText } from '../../../src/cli/commands/usage/reconcile.ts';
import { site } from '../../support/ledger/usage-fixtures.ts';

const text = (facts: { assets: number; unlisted?: number; isAll?: boolean; isBuilt?: boolean }) =>
  driftText([], {
    unlisted: 0,
    isAll: true,
    isBuilt: true,
    paint: picocolors.createColors(false),
    ...facts,
  }).split('\n')[0];

describe('without differences, reconcile prints', () => {
  const all = ': all of the library that the credentials may see.';
  const right = 'the service lists what the pages show, and the ledger agrees.';
  test.each([
    [{ assets: 0 }, 'Nothing to compare: the library has no assets.'],
    [{ assets: 3 }, `No drift: ${right} 3 assets looked up${all}`],
    [{ assets: 1, isAll: false }, `No drift: ${right} 1 asset looked up.`],
    [
      { assets: 3, isBuilt: false },
      `No drift: the service lists what the ledger holds. 3 assets looked up${all}`,
    ],
    [
      { assets: 3, unlisted: 2 },
      `No drift in the others: ${right} 3 assets looked up, 2 of them refused (see the warnings)${all}`,
    ],
    [
      { assets: 1, unlisted: 1 },
      `Nothing to compare. 1 asset looked up, 1 of them refused (see the warnings)${all}`,
    ],
  ])('of %j: %s', (facts, expected) => {
    expect(text(facts)).toBe(expected);
  });
});

const usage = (path: string, names: { project?: string; contact?: string }) => ({
  ...{ page: `${site}${path}`, pageName: 'Shop', id: 1 },
  ...{ project: names.project, contact: names.contact },
});

test('usages of another project or contact are counted by both', () => {
  const usages = [
    usage('/shop/b/', { project: 'Shop', contact: 'Ada' }),
    usage('/shop/a/', { project: 'Shop', contact: 'Ada' }),
    usage('/quay/', { contact: 'Bo\nBerg' }),
  ];
  expect(leftAloneText(usages)).toBe(`3 usages of another project or contact, left alone:
  project "Shop", contact "Ada": 2 usages, such as on ${site}/shop/b/
  contact "Bo Berg": 1 usage, such as on ${site}/quay/
If this site reported them under an earlier name, run this first: media-asset reconcile --all --project <name> --contact <name>`);
});
