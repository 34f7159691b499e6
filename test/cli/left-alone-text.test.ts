import { describe, expect, test } from 'vitest';
import { leftAloneText } from '../../src/cli/usage/drift-text.ts';
import { manifestOf, site } from '../support/ledger/usage-fixtures.ts';

const usage = (path: string, names: { project?: string; contact?: string }) => ({
  ...{ page: `${site}${path}`, pageName: 'Shop', id: 1 },
  ...{ project: names.project, contact: names.contact },
});

describe('what is left alone', () => {
  test('is counted by project and contact, and pages that are built here are pointed out', () => {
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

  test('under many names is counted from the eleventh on', () => {
    const usages = Array.from({ length: 12 }, (_, n) => usage(`/${n}/`, { project: `P${n}` }));
    expect(leftAloneText(usages, undefined).join().split('\n').slice(10, 12)).toEqual([
      `  project "P9": 1 usage on 1 page, such as ${site}/9/`,
      '  and 2 other names',
    ]);
  });

  test('is not mentioned where there is nothing', () => {
    expect(leftAloneText([], undefined)).toEqual([]);
  });
});
