import picocolors from 'picocolors';
import { describe, expect, test } from 'vitest';
import { driftText, leftAloneText } from '../../../src/cli/commands/usage/reconcile.ts';
import { manifestOf, site } from '../../support/ledger/usage-fixtures.ts';

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

describe('usages of another project or contact', () => {
  test('are counted by project and contact, with the pages that are built here', () => {
    const usages = [
      usage('/shop/b/', { project: 'Shop', contact: 'Ada' }),
      usage('/shop/a/', { project: 'Shop', contact: 'Ada' }),
      usage('/quay/', { contact: 'Bo\nBerg' }),
    ];
    expect(leftAloneText(usages, manifestOf({ '/quay/': ['Quay', 1] }))).toEqual([
      [
        '3 usages of another project or contact, left alone:',
        `  project "Shop", contact "Ada": 2 usages on 2 pages, such as ${site}/shop/a/`,
        `  contact "Bo Berg": 1 usage on 1 page, such as ${site}/quay/ (1 of them built here)`,
        'If this site reported them under an earlier name, run this first: media-asset reconcile --all --project <name> --contact <name>',
      ].join('\n'),
    ]);
  });

  test('are only counted from the eleventh name on', () => {
    const usages = Array.from({ length: 12 }, (_, n) => usage(`/${n}/`, { project: `P${n}` }));
    expect(leftAloneText(usages, undefined).join().split('\n').slice(10, 12)).toEqual([
      `  project "P9": 1 usage on 1 page, such as ${site}/9/`,
      '  and 2 other names',
    ]);
  });

  test('are not mentioned if there are none', () => {
    expect(leftAloneText([], undefined)).toEqual([]);
  });
});
