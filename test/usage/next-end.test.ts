import { expect, test } from 'vitest';
import { endOfRights, nextEnd } from '../../src/usage/next-end.ts';

const shown = (until?: string) => ({ en: { mayShow: true, until } });
const pages = [{ assets: [1, 2] }, { assets: [2] }, { assets: [3] }];

test.each<[string, Parameters<typeof endOfRights>[], object]>([
  [
    'the first of all days, with the pages of its assets',
    [
      [1, shown('2027-01-31')],
      [2, shown('2027-01-31')],
      [3, shown('2027-02-01')],
    ],
    { until: '2027-01-31', ids: [1, 2], pages: 2, unknown: [] },
  ],
  [
    'the first day in any language that may show the asset',
    [
      [
        1,
        { en: { mayShow: true, until: '2027-03-01' }, de: { mayShow: true, until: '2027-02-01' } },
      ],
    ],
    { until: '2027-02-01', ids: [1], pages: 1 },
  ],
  [
    'no day of an asset that is hidden already',
    [
      [1, { en: { mayShow: false, until: '2026-01-01' } }],
      [3, shown('2027-02-01')],
    ],
    { until: '2027-02-01', ids: [3], unknown: [] },
  ],
  ['none without an end', [[1, shown()]], { until: undefined, ids: [], pages: 0, unknown: [] }],
  [
    'unknown for unknown rights, and without a record',
    [
      [1, { en: { mayShow: true, isUnknown: true } }],
      [2, undefined],
      [3, shown()],
    ],
    { until: undefined, ids: [], unknown: [1, 2] },
  ],
])('the next end is %s', (_, records, expected) => {
  expect(
    nextEnd(
      records.map(([id, record]) => endOfRights(id, record)),
      pages,
    ),
  ).toMatchObject(expected);
});
