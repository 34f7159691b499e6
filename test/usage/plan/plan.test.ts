import { describe, expect, test } from 'vitest';
import type { Manifest } from '../../../src/scan/manifest.ts';
import type { Ledger } from '../../../src/usage/ledger/ledger.ts';
import {
  type Plan,
  planToJson,
  planUsage,
  requestsOf,
} from '../../../src/usage/plan/plan-usage.ts';
import {
  earlier,
  heldIds,
  ledgerOf,
  manifestOf,
  removalsAlwaysAllowed,
  site,
  siteFields,
} from '../../support/ledger/usage-fixtures.ts';

const today = '2026-03-02';

function plan(
  manifest: Manifest,
  ledger: Ledger,
  options: { maxIdsPerRequest?: number; allowRemovals?: boolean } = {},
): Plan {
  const run = { fields: siteFields, today, maxIdsPerRequest: 100, allowRemovals: false };
  return planUsage({ manifest, ledger, ...run, ...options });
}

/** Each request as a line: sign, path, name, ids, date. */
function lines({ steps }: Pick<Plan, 'steps'>): string[] {
  return requestsOf(steps).map(
    ({ removed, page, pageName, ids, date }) =>
      `${removed ? '-' : '+'} ${page.slice(site.length)} ${pageName} ${ids.join(',')} ${date}`,
  );
}

describe('the plan for a page', () => {
  const shown = manifestOf({ '/quay/': ['The quay', 1, 2] });

  test.each<[string, Ledger, string[]]>([
    ['a new page: one report, dated today', ledgerOf(), [`+ /quay/ The quay 1,2 ${today}`]],
    ['an unchanged page: nothing', ledgerOf(['/quay/', 'The quay', [1, 2]]), []],
    [
      'a new asset: a report of this asset',
      ledgerOf(['/quay/', 'The quay', [1]]),
      [`+ /quay/ The quay 2 ${today}`],
    ],
    [
      'a missing asset: a removal of this asset, with the fields it was sent with',
      ledgerOf(['/quay/', 'The quay', [1, 2]], ['/quay/', 'Old quay', [3]]),
      [`- /quay/ Old quay 3 ${earlier}`],
    ],
    [
      'a missing page: a removal, with the fields it was sent with',
      ledgerOf(['/quay/', 'The quay', [1, 2]], ['/tower/', 'The tower', [1, 4]]),
      [`- /tower/ The tower 1,4 ${earlier}`],
    ],
    [
      'another name: removal under the old one, report under the new one, with the first date',
      ledgerOf(['/quay/', 'Old quay', [1, 2]]),
      [`- /quay/ Old quay 1,2 ${earlier}`, `+ /quay/ The quay 1,2 ${earlier}`],
    ],
    ...(['project', 'contact', 'description'] as const).map((field): [string, Ledger, string[]] => [
      `another ${field}: removal and report`,
      ledgerOf(['/quay/', 'The quay', [1, 2], 'confirmed', { [field]: 'Other' }]),
      [`- /quay/ The quay 1,2 ${earlier}`, `+ /quay/ The quay 1,2 ${earlier}`],
    ]),
    [
      'in doubt and shown: removal and report',
      ledgerOf(['/quay/', 'The quay', [1]], ['/quay/', 'The quay', [2], 'in-doubt']),
      [`- /quay/ The quay 2 ${earlier}`, `+ /quay/ The quay 2 ${earlier}`],
    ],
    [
      'in doubt and not shown: removal',
      ledgerOf(['/quay/', 'The quay', [1, 2]], ['/quay/', 'The quay', [3], 'in-doubt']),
      [`- /quay/ The quay 3 ${earlier}`],
    ],
    [
      'in doubt under two names: removal under both, then the report',
      ledgerOf(
        ['/quay/', 'Quay', [1, 2], 'in-doubt', { date: '2026-01-01' }],
        ['/quay/', 'Old quay', [1, 2], 'in-doubt'],
      ),
      [
        `- /quay/ Old quay 1,2 ${earlier}`,
        '- /quay/ Quay 1,2 2026-01-01',
        `+ /quay/ The quay 1,2 ${earlier}`,
      ],
    ],
    [
      "removed for a replacement that wasn't sent: a report with the first date",
      ledgerOf(['/quay/', 'The quay', [1]], ['/quay/', 'Old quay', [2], 'unsent']),
      [`+ /quay/ The quay 2 ${earlier}`],
    ],
    [
      'removed, and no longer shown: nothing',
      ledgerOf(['/quay/', 'The quay', [1, 2]], ['/quay/', 'Old quay', [3], 'unsent']),
      [],
    ],
    [
      'another name and a missing asset: the removal covers both',
      ledgerOf(['/quay/', 'Old quay', [1, 2, 3]]),
      [`- /quay/ Old quay 1,2,3 ${earlier}`, `+ /quay/ The quay 1,2 ${earlier}`],
    ],
    [
      'another name and a new asset on the day of the first report: the report covers both',
      ledgerOf(['/quay/', 'Old quay', [1], 'confirmed', { date: today }]),
      [`- /quay/ Old quay 1 ${today}`, `+ /quay/ The quay 1,2 ${today}`],
    ],
    [
      'another name and a new asset on a later day: each pair keeps its own date',
      ledgerOf(['/quay/', 'Old quay', [1]]),
      [
        `+ /quay/ The quay 2 ${today}`,
        `- /quay/ Old quay 1 ${earlier}`,
        `+ /quay/ The quay 1 ${earlier}`,
      ],
    ],
  ])('%s', (_, ledger, expected) => {
    expect(lines(plan(shown, ledger))).toEqual(expected);
  });

  test('has the assets of each request in ascending order', () => {
    const manifest = manifestOf({ '/quay/': ['The quay', 1, 2, 3] });
    const ledger = ledgerOf(['/quay/', 'Old quay', [1, 3], 'confirmed', { date: today }]);
    const expected = [`- /quay/ Old quay 1,3 ${today}`, `+ /quay/ The quay 1,2,3 ${today}`];
    expect(lines(plan(manifest, ledger))).toEqual(expected);
  });
});

test('new reports come first, then replacements page by page, then removals', () => {
  const manifest = manifestOf({
    '/': ['Harbour', 1],
    '/a/': ['A', 1],
    '/b/': ['B', 1],
    '/c/': ['C', 1],
  });
  const ledger = ledgerOf(
    ['/', 'Harbour', [1]],
    ['/a/', 'Old A', [1]],
    ['/b/', 'Old B', [1]],
    ['/0/', 'Gone', [1]],
  );
  const planned = plan(manifest, ledger);
  const steps = planned.steps.map(({ purpose, page, requests }) => {
    return [purpose, page, requests.map(({ removed }) => removed)];
  });
  expect(steps).toEqual([
    ['new', `${site}/c/`, [false]],
    ['replacement', `${site}/a/`, [true, false]],
    ['replacement', `${site}/b/`, [true, false]],
    ['gone', `${site}/0/`, [true]],
  ]);
  expect(planned.unchanged).toBe(1);
});

test('a removal joins a replacement of its page only if all of its requests are among those of it', () => {
  const shown = manifestOf({ '/a/': ['A', 1] });
  const purposes = (ledger: Ledger) =>
    plan(shown, ledger).steps.map(({ purpose, requests }) => {
      return [purpose, requests.map(({ pageName, ids }) => `${pageName} ${ids}`)];
    });
  expect(purposes(ledgerOf(['/a/', 'Old', [1, 2]]))).toEqual([['replacement', ['Old 1,2', 'A 1']]]);
  expect(purposes(ledgerOf(['/a/', 'Old', [1, 2]], ['/a/', 'Older', [2]]))).toEqual([
    ['replacement', ['Old 1', 'A 1']],
    ['gone', ['Old 2', 'Older 2']],
  ]);
});

test('a request has at most the allowed number of IDs, and the parts of a replacement stay together', () => {
  const manifest = manifestOf({ '/a/': ['A', 1, 2, 3, 4, 5], '/b/': ['B', 1, 2, 3] });
  const planned = plan(manifest, ledgerOf(['/a/', 'Old', [1, 2, 3, 4, 5]]), {
    maxIdsPerRequest: 2,
  });
  expect(lines(planned)).toEqual([
    `+ /b/ B 1,2 ${today}`,
    `+ /b/ B 3 ${today}`,
    `- /a/ Old 1,2 ${earlier}`,
    `+ /a/ A 1,2 ${earlier}`,
    `- /a/ Old 3,4 ${earlier}`,
    `+ /a/ A 3,4 ${earlier}`,
    `- /a/ Old 5 ${earlier}`,
    `+ /a/ A 5 ${earlier}`,
  ]);
  expect(planned.steps.map(({ requests }) => requests.length)).toEqual([1, 1, 2, 2, 2]);
});

describe('the guard', () => {
  const shown = manifestOf({ '/': ['Harbour', 1] });
  const known = (gone: number) =>
    ledgerOf(
      ['/', 'Harbour', [1]],
      ['/gone/', 'Gone', Array.from({ length: gone }, (_, n) => n + 1)],
    );

  test.each([
    [10, 1, 10, false],
    [11, 1, 10, true],
    [20, 1, 11, true],
    [20, 20, 20, false],
    [21, 20, 21, false],
    [22, 20, 21, true],
  ])('%i gone and %i kept: up to %i removals are allowed', (gone, kept, limit, held) => {
    const numbers = (length: number) => Array.from({ length }, (_, n) => n + 1);
    const planned = plan(
      manifestOf({ '/': ['Harbour', ...numbers(kept)] }),
      ledgerOf(['/', 'Harbour', numbers(kept)], ['/gone/', 'Gone', numbers(gone)]),
    );
    expect(planned.guard).toEqual({ removals: gone, known: gone + kept, limit, held });
    expect(requestsOf(planned.steps)).toHaveLength(held ? 0 : 1);
  });

  test('lists the removals it blocks, and allows reports and replacements', () => {
    const manifest = manifestOf({ '/': ['Home', 1], '/new/': ['New', 5] });
    const planned = plan(manifest, known(heldIds.length));
    expect(lines(planned)).toEqual([
      `+ /new/ New 5 ${today}`,
      `- / Harbour 1 ${earlier}`,
      `+ / Home 1 ${earlier}`,
    ]);
    expect(lines({ steps: planned.held })).toEqual([`- /gone/ Gone ${heldIds.join()} ${earlier}`]);
  });

  test("doesn't count removals that are paired with a report", () => {
    const ids = Array.from({ length: 30 }, (_, n) => n + 1);
    const planned = plan(manifestOf({ '/': ['New name', ...ids] }), ledgerOf(['/', 'Old', ids]));
    expect(planned.guard).toMatchObject({ removals: 0, held: false });
    expect(requestsOf(planned.steps)).toHaveLength(2);
  });

  test('counts a pair once, with any number of variants in doubt', () => {
    const ids = heldIds.slice(0, removalsAlwaysAllowed);
    const planned = plan(
      shown,
      ledgerOf(['/gone/', 'One', ids, 'in-doubt'], ['/gone/', 'Two', ids, 'in-doubt']),
    );
    expect(planned.guard).toMatchObject({ removals: ids.length, known: ids.length, held: false });
  });
});

test('a manifest without pages is refused, because it would remove everything', () => {
  expect(() => plan(manifestOf({}), ledgerOf(['/', 'Harbour', [1]]))).toThrow(
    expect.objectContaining({ code: 'scan-empty' }),
  );
});

test('the JSON form is the contract of plan --json', () => {
  const manifest = manifestOf({ '/quay/': ['The quay', 4711] });
  expect(planToJson(plan(manifest, ledgerOf(['/quay/', 'Old quay', [4711]])))).toEqual({
    version: 1,
    requests: [
      { removed: true, page: `${site}/quay/`, pageName: 'Old quay', ids: [4711] },
      { removed: false, page: `${site}/quay/`, pageName: 'The quay', ids: [4711] },
    ],
    guard: { removals: 0, known: 1, limit: removalsAlwaysAllowed, held: false },
  });
});
