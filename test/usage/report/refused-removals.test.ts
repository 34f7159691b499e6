import { beforeEach, describe, expect, test } from 'vitest';
import { appending, everySemantics } from '../../support/ledger/service-model.ts';
import {
  codes,
  refuse,
  renamed,
  shown,
  when,
  withoutQuay,
} from '../../support/ledger/usage-faults.ts';
import { manifestOf, pairsOf, site } from '../../support/ledger/usage-fixtures.ts';
import { openUsageSite, type UsageSite } from '../../support/ledger/usage-site.ts';

let usageSite: UsageSite;

beforeEach(async () => {
  usageSite = await openUsageSite();
});

describe('a batch refused for one ID', () => {
  const ids = [1, 2, 3, 4, 5];
  const all = manifestOf({ '/': ['Harbour', ...ids], '/quay/': ['The quay', ...ids] });
  const good = manifestOf({ '/': ['Harbour', 1, 3, 4, 5], '/quay/': ['The quay', 1, 3, 4, 5] });

  test.each([429, 500])(
    'is reported once without it if every removal is answered with %s',
    async (status) => {
      usageSite = await openUsageSite({ semantics: appending });
      usageSite.server.treat = ({ removed, ids }) =>
        removed ? { status } : ids.includes(2) ? { status: 422 } : 'done';
      for (let run = 0; run < 3; run += 1) {
        expect(await usageSite.report(all)).toMatchObject({ unsent: 10 });
        expect(usageSite.server.model.list()).toEqual(pairsOf(good));
      }
      usageSite.server.treat = () => 'done';
      expect(await usageSite.report(all)).toMatchObject({ unsent: 0, outcome: 'done' });
      expect(usageSite.server.model.list()).toEqual(pairsOf(all));
    },
  );
});

test('a part of a refused batch is listed twice at most if a closed connection loses its report', async () => {
  usageSite = await openUsageSite({ semantics: { ...appending, takes: 'first' } });
  const home = manifestOf({ '/': ['Harbour', 1, 2] });
  usageSite.server.treat = ({ removed }, index) =>
    removed
      ? { status: 429 }
      : index === 0
        ? { status: 423, partly: [2] }
        : index === 4
          ? 'lost'
          : 'done';
  expect(await usageSite.report(home, { concurrency: 1 })).toMatchObject({ unsent: 2 });
  usageSite.server.treat = () => 'done';
  const empty = manifestOf({ '/': ['Harbour'] });
  expect(await usageSite.report(empty)).toMatchObject({ unsent: 0, outcome: 'done' });
  expect(usageSite.server.model.list()).toEqual([]);
});

test('a usage that may be listed twice is removed twice, also if the removal of its earlier name is refused', async () => {
  usageSite = await openUsageSite({
    semantics: { repeated: 'append', matches: 'all-fields', takes: 'first' },
  });
  await usageSite.report(manifestOf({ '/': ['Harbour', 1, 2] }));
  let reports = 0;
  usageSite.server.treat = ({ removed, pageName }) => {
    if (removed) return { status: pageName === 'Harbour' ? 409 : 500 };
    reports += 1;
    return reports === 1 ? { status: 423, partly: [2] } : 'done';
  };
  const next = manifestOf({ '/': ['The harbour', 1, 2] });
  expect(await usageSite.report(next, { concurrency: 1 })).toMatchObject({ unsent: 2 });
  expect(usageSite.server.model.list()).toEqual(
    [...pairsOf(next), `${site}/ 1 Harbour`, `${site}/ 2 Harbour`, `${site}/ 2 The harbour`].sort(),
  );
  usageSite.server.treat = () => 'done';
  const empty = manifestOf({ '/': ['The harbour'] });
  expect(await usageSite.report(empty)).toMatchObject({ unsent: 0, outcome: 'done' });
  expect(usageSite.server.model.list()).toEqual([]);
});

test('a removal refused for one asset of four removes the others, which the service may have removed already', async () => {
  usageSite = await openUsageSite({ absent: 422 });
  await usageSite.report(manifestOf({ '/': ['Harbour', 1, 2, 3, 4] }));
  usageSite.server.treat = when(({ ids }) => ids.includes(4), { status: 403, partly: [1, 2, 3] });
  const moved = manifestOf({ '/': ['Harbour'], '/quay/': ['The quay', 5] });
  expect(await usageSite.report(moved)).toMatchObject({ removed: 3, unsent: 1 });
  usageSite.server.treat = () => 'done';
  expect(await usageSite.report(moved)).toMatchObject({ removed: 1, outcome: 'done' });
  expect(usageSite.server.model.list()).toEqual(pairsOf(moved));
});

describe("a removal of a usage that the service doesn't have", () => {
  test.each([404, 410])(
    'answered with %s counts once another request was accepted',
    async (status) => {
      usageSite = await openUsageSite({ absent: status });
      await usageSite.report(shown);
      usageSite.server.model.records.length = 0;
      const next = manifestOf({ '/tower/': ['Tower', 5] });
      const result = await usageSite.report(next);
      expect(result).toMatchObject({ reported: 1, removed: 4, unsent: 0, outcome: 'done' });
      expect(await usageSite.report(next)).toMatchObject({ requests: 0 });
    },
  );

  test('counts if the service has answered the build before', async () => {
    await usageSite.report(shown);
    usageSite.server.treat = refuse(404);
    const result = await usageSite.report(withoutQuay, { serviceAnswered: true });
    expect(result).toMatchObject({ removed: 2, outcome: 'done' });
  });

  test('counts if the service then answers a call that only the right one answers', async () => {
    usageSite = await openUsageSite({ absent: 404 });
    await usageSite.report(shown);
    usageSite.server.model.records.length = 0;
    usageSite.server.list = () => 404;
    const result = await usageSite.report(withoutQuay);
    expect(result).toMatchObject({ removed: 0, unsent: 2, outcome: 'unsent' });
    expect(result.reason).toMatch(/doesn't know these usages.*foldertree.*404/);
    usageSite.server.list = () => 'records';
    expect(await usageSite.report(withoutQuay)).toMatchObject({
      removed: 2,
      outcome: 'done',
    });
    expect(await usageSite.report(withoutQuay)).toMatchObject({ requests: 0 });
  });

  test('only requests that proof without another one, and not after the run was aborted', async () => {
    usageSite = await openUsageSite({ absent: 404 });
    await usageSite.report(shown);
    usageSite.server.model.records.length = 0;
    let proofs = 0;
    usageSite.server.list = () => {
      proofs += 1;
      return 'records';
    };
    const next = manifestOf({ '/tower/': ['Tower', 5] });
    expect(await usageSite.report(next)).toMatchObject({ removed: 4, outcome: 'done' });
    usageSite.server.model.records.length = 0;
    const ended = new AbortController();
    usageSite.server.treat = () => {
      ended.abort();
      return { status: 404 };
    };
    const none = manifestOf({ '/tower/': ['Tower'] });
    const result = await usageSite.report(none, { signal: ended.signal });
    expect(result).toMatchObject({ unsent: 1, reason: 'The run was interrupted.' });
    expect(proofs).toBe(0);
  });

  test('is decided at the end of the run if the proof comes later', async () => {
    usageSite = await openUsageSite({ absent: 404 });
    await usageSite.report(manifestOf({ '/a/': ['A', 1], '/b/': ['B', 2], '/c/': ['C', 3] }));
    usageSite.server.model.records.shift();
    usageSite.server.model.records.shift();
    const next = manifestOf({ '/d/': ['D'] });
    const result = await usageSite.report(next, { windowSize: 1 });
    expect(result).toMatchObject({ removed: 3, requests: 3, unsent: 0, outcome: 'done' });
  });
});

describe('a removal of a usage in doubt', () => {
  /**
   * Not the removals: if a report has reused a connection, it's removed and sent again in the same run.
   */
  const loseReports = when(({ removed, page }) => !removed && page.endsWith('/quay/'), 'lost');

  test.each([
    [404, []],
    [410, []],
    [422, ['usage-refused', 'usage-refused']],
  ])(
    'that no page shows ends the doubt with %i, and names any other refusal',
    async (status, named) => {
      usageSite.server.treat = loseReports;
      expect(await usageSite.report(shown)).toMatchObject({ unsent: 2 });
      usageSite.server.treat = when(({ removed }) => removed, { status });
      const result = await usageSite.report(withoutQuay, { serviceAnswered: true });
      expect(result).toMatchObject({ removed: 2, unsent: 0, outcome: 'done' });
      expect(codes(result.findings)).toEqual(named);
      expect(await usageSite.report(withoutQuay)).toMatchObject({ requests: 0 });
    },
  );

  test('that is refused with 403 lets its report follow, and both records are removed later', async () => {
    usageSite = await openUsageSite({ semantics: appending });
    usageSite.server.treat = loseReports;
    expect(await usageSite.report(shown)).toMatchObject({ unsent: 2 });
    usageSite.server.treat = when(({ removed }) => removed, { status: 403 });
    expect(await usageSite.report(shown)).toMatchObject({ unsent: 2, outcome: 'unsent' });
    expect(usageSite.server.model.records).toHaveLength(6);
    usageSite.server.treat = () => 'done';
    expect(await usageSite.report(shown)).toMatchObject({ reported: 2, outcome: 'done' });
    expect(usageSite.server.model.list()).toEqual(pairsOf(shown));
  });

  test('that is listed twice stays in doubt if the run is stopped before the second removal', async () => {
    usageSite = await openUsageSite({ semantics: { ...appending, takes: 'first' } });
    const one = manifestOf({ '/': ['Harbour', 1], '/quay/': ['The quay', 2] });
    usageSite.server.treat = loseReports;
    await usageSite.report(one);
    usageSite.server.treat = when(({ removed }) => removed, { status: 403 });
    await usageSite.report(one);
    expect(usageSite.server.model.records).toHaveLength(3);
    const ended = new AbortController();
    usageSite.server.treat = () => {
      ended.abort();
      return 'done';
    };
    const gone = manifestOf({ '/': ['Harbour', 1] });
    const result = await usageSite.report(gone, { signal: ended.signal });
    expect(result).toMatchObject({ removed: 0, unsent: 1, outcome: 'unsent' });
    usageSite.server.treat = () => 'done';
    expect(await usageSite.report(gone)).toMatchObject({ removed: 1, outcome: 'done' });
    expect(usageSite.server.model.list()).toEqual(pairsOf(gone));
  });
});

test.each([
  ['accepted is sent twice, because it may be listed twice', 200, 2],
  ['answered with 404 is sent once', 404, 1],
])('the removal of a usage that was kept and is %s', async (_, absent, times) => {
  usageSite = await openUsageSite({ semantics: appending, absent });
  const named = (name: string) => manifestOf({ '/quay/': [name, 2] });
  await usageSite.report(named('The quay'));
  usageSite.server.treat = when(({ removed }) => removed, { status: 409 });
  expect(await usageSite.report(named('The old quay'))).toMatchObject({ unsent: 1 });
  usageSite.server.treat = () => 'done';
  usageSite.server.model.records.length = 0;
  usageSite.server.log.length = 0;
  expect(await usageSite.report(named('The old quay'))).toMatchObject({ reported: 1, unsent: 0 });
  const removals = usageSite.server.log.filter(({ removed }) => removed);
  expect(removals.filter(({ pageName }) => pageName === 'The quay')).toHaveLength(times);
});

describe.each(everySemantics)('while the service hides an asset, and does %o', (semantics) => {
  const hides = (hidden: number) =>
    when(({ ids }) => ids.includes(hidden), { status: 404, body: '{"message":"no such file"}' });
  const home = { '/': ['Harbour', 1, 2, 3] } as const;
  const quay = { ...home, '/quay/': ['The quay', 2, 3] } as const;
  const both = { ...home, '/a/': ['A', 2, 3], '/quay/': ['The quay', 3] } as const;

  test.each([
    ['a renamed page', quay, { ...home, '/quay/': ['The old quay', 2, 3] }],
    [
      'a page that no longer shows it, next to a new one',
      quay,
      { ...home, '/quay/': ['The quay', 2], '/sea/': ['Sea', 3] },
    ],
    [
      'a renamed page that no longer shows it, before another that does',
      both,
      { ...home, '/a/': ['B', 2], '/quay/': ['The old quay', 3] },
    ],
  ] as const)('404 to a removal proves nothing: %s', async (_, before, after) => {
    usageSite = await openUsageSite({ semantics, absent: 404 });
    const next = manifestOf(after);
    await usageSite.report(manifestOf(before));
    usageSite.server.treat = hides(3);
    for (const run of ['first', 'second']) {
      const result = await usageSite.report(next, { concurrency: 1 });
      expect(result, run).toMatchObject({ outcome: 'unsent', waiting: 0 });
      expect(codes(result.findings)).toContain('usage-refused');
    }
    expect(await usageSite.ledger()).toContain('in-doubt');
    usageSite.server.treat = () => 'done';
    expect(await usageSite.report(next)).toMatchObject({ unsent: 0, outcome: 'done' });
    expect(usageSite.server.model.list()).toEqual(pairsOf(next));
    expect(await usageSite.report(next)).toMatchObject({ requests: 0 });
  });
});

describe.each(everySemantics)(
  'a removal that a page answers, by a service that does %o',
  (semantics) => {
    const page = (status: number) => ({
      status,
      body: '<html>Not found</html>',
      type: 'text/html',
    });
    const next = manifestOf({ '/': ['Harbour', 1, 2], '/quay/': ['The old quay', 2, 5] });

    test.each([404, 410])('with %i is in doubt, and sent again by the next run', async (status) => {
      usageSite = await openUsageSite({ semantics });
      await usageSite.report(shown);
      usageSite.server.treat = when(({ removed }) => removed, page(status));
      const result = await usageSite.report(next, { serviceAnswered: true });
      expect(result).toMatchObject({ removed: 0, unsent: 2, outcome: 'unsent' });
      expect(codes(result.findings)).toContain('usage-refused');
      expect(usageSite.server.model.list()).toEqual(expect.arrayContaining(pairsOf(next)));
      usageSite.server.treat = () => 'done';
      expect(await usageSite.report(next)).toMatchObject({
        removed: 1,
        unsent: 0,
        outcome: 'done',
      });
      expect(usageSite.server.model.list()).toEqual(pairsOf(next));
      expect(await usageSite.report(next)).toMatchObject({ requests: 0 });
    });

    test('each time with 404 ends with the next run', async () => {
      usageSite = await openUsageSite({ semantics });
      await usageSite.report(shown);
      usageSite.server.treat = when(({ removed }) => removed, page(404));
      const run = () => usageSite.report(withoutQuay, { serviceAnswered: true });
      expect(await run()).toMatchObject({ unsent: 2 });
      expect(await run()).toMatchObject({ removed: 2, outcome: 'done' });
      expect(await run()).toMatchObject({ requests: 0 });
    });
  },
);

test('404 to a removal ends the usage of a deleted asset once no page shows it', async () => {
  usageSite = await openUsageSite({ semantics: appending, absent: 404 });
  await usageSite.report(shown);
  usageSite.server.treat = when(({ ids }) => ids.includes(3), { status: 404 });
  await usageSite.report(renamed);
  const without3 = manifestOf({ '/': ['Harbour', 1, 2], '/quay/': ['The old quay', 2] });
  const result = await usageSite.report(without3, { serviceAnswered: true });
  expect(result).toMatchObject({ unsent: 0, outcome: 'done' });
  expect(await usageSite.report(without3)).toMatchObject({ requests: 0 });
});
