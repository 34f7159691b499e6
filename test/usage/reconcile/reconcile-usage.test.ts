import { rm } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { decodePath } from '../../../src/errors/decode-path.ts';
import type { Manifest } from '../../../src/scan/manifest.ts';
import type { Gap } from '../../../src/usage/ledger/gaps.ts';
import { formatLedger, loadLedger } from '../../../src/usage/ledger/stored-ledger.ts';
import { lookUpUsages, reconcileUsage } from '../../../src/usage/reconcile/reconcile-usage.ts';
import { everySemantics, type Semantics } from '../../support/ledger/service-model.ts';
import {
  heldIds,
  manifestOf,
  pairsOf,
  site,
  siteFields,
} from '../../support/ledger/usage-fixtures.ts';
import { openUsageSite, type UsageSite } from '../../support/ledger/usage-site.ts';

let usageSite: UsageSite;

beforeEach(async () => {
  usageSite = await openUsageSite();
});

const first = manifestOf({ '/': ['Harbour', 1, 2], '/quay/': ['The quay', 2, 3] });
const second = manifestOf({ '/': ['The harbour', 1, 4], '/tower/': ['Tower', 3] });
const oneDay = 24 * 60 * 60 * 1000;
const appending = { repeated: 'append', matches: 'all-fields', takes: 'first' } as const;

const common = (manifest: Manifest, ids: readonly number[]) => ({
  manifest,
  ids,
  fields: siteFields,
  service: usageSite.server.client(),
  store: usageSite.store,
  identity: usageSite.identity,
  clock: () => usageSite.now,
});

const reconcile = (manifest: Manifest, ids: readonly number[] = [1, 2, 3, 4]) =>
  reconcileUsage({ ...common(manifest, ids), allowRemovals: false });

const loseLedger = () => rm(usageSite.ledgerFile);

/** Another site's usages, and one of the same page by another system. */
function addForeign(): void {
  const fields = { ...siteFields, pageName: 'Other', date: '2025-01-01' };
  usageSite.server.model.records.push({ id: 1, page: 'https://other.example/', ...fields });
  usageSite.server.model.records.push({ id: 1, page: `${site}.evil.example/`, ...fields });
}

const own = () => usageSite.server.model.list().filter((pair) => pair.startsWith(`${site}/`));

describe.each(everySemantics)('with a service that does %o', (semantics: Semantics) => {
  test('a lost ledger is repaired after everything was reported again, on the same and on other days', async () => {
    usageSite = await openUsageSite({ semantics });
    addForeign();
    await usageSite.report(first);
    for (const days of [0, 0, 3]) {
      await loseLedger();
      usageSite.now += days * oneDay;
      await usageSite.report(first);
    }
    await loseLedger();
    // A repeated record that is taken out isn't a removal: the usage stays.
    expect(await reconcile(first)).toMatchObject({ removed: 0, outcome: 'done' });
    expect(own()).toEqual(pairsOf(first));
    expect(usageSite.server.model.records).toHaveLength(pairsOf(first).length + 2);
    expect(await usageSite.report(first)).toMatchObject({ requests: 0 });
  });
});

test('usages that were reported twice under a former name are all updated', async () => {
  usageSite = await openUsageSite({ semantics: appending });
  await usageSite.report(first);
  await loseLedger();
  await usageSite.report(first);
  const fields = { ...siteFields, project: 'Museum' };
  const run = { ...common(first, [1, 2, 3]), fields, allowRemovals: false };
  expect(await reconcileUsage(run)).toMatchObject({ outcome: 'done' });
  expect(own()).toEqual(pairsOf(first));
  const projects = usageSite.server.model.records.map(({ project }) => project);
  expect(new Set(projects)).toEqual(new Set(['Museum']));
});

describe('a service without differences', () => {
  test("receives no request, and the lost ledger gets the service's dates", async () => {
    usageSite = await openUsageSite({ semantics: appending });
    await usageSite.report(first);
    await loseLedger();
    usageSite.now += 40 * oneDay;
    usageSite.server.log.length = 0;
    expect(await reconcile(first)).toMatchObject({ requests: 0, outcome: 'done' });
    expect(usageSite.server.log).toEqual([]);
    expect(await usageSite.ledger()).toContain('"date":"2026-03-02"');
    expect(await usageSite.ledger()).not.toContain('in-doubt');
  });

  test('and without dates gets the day of the repair in the lost ledger', async () => {
    await usageSite.report(first);
    await loseLedger();
    for (const record of usageSite.server.model.records) Reflect.deleteProperty(record, 'date');
    usageSite.now += 40 * oneDay;
    expect(await reconcile(first)).toMatchObject({ requests: 0, outcome: 'done' });
    expect(await usageSite.ledger()).toContain('"date":"2026-04-11"');
  });

  test('and without usages leaves a ledger, so that the next build knows it was here', async () => {
    const nothing = manifestOf({ '/': ['Harbour'] });
    expect(await reconcile(nothing)).toMatchObject({ requests: 0, outcome: 'done' });
    expect(await usageSite.ledger()).toContain('"pages":{');
  });

  test('leaves a ledger without differences unchanged', async () => {
    await usageSite.report(first);
    const text = await usageSite.ledger();
    await reconcile(first);
    expect(await usageSite.ledger()).toBe(text);
  });
});

describe('a service that lists page URLs', () => {
  const island = manifestOf({ '/p%C3%A5-%C3%B6n/': ['The isle', 1], '/100%/': ['All', 1, 2] });

  test.each<[string, (page: string) => string]>([
    ['decoded', (page) => decodePath(page)],
    ['with lower-case escapes', (page) => page.replace(/%\w\w/g, (one) => one.toLowerCase())],
    ['without the last slash', (page) => page.replace(/\/$/, '')],
    ['decoded and without the last slash', (page) => decodePath(page).replace(/\/$/, '')],
  ])('%s, and takes both for one, has no drift and keeps its usages', async (_, spell) => {
    usageSite.server.treat = (usage) => {
      Object.assign(usage, { page: spell(usage.page) });
      return 'done';
    };
    await usageSite.report(island);
    const listed = own();
    expect(listed).toEqual(pairsOf(island).map((pair) => pair.replace(/\S+/, spell)));
    expect((await lookUpUsages({ ...common(island, []), others: [] })).drift).toEqual([]);
    for (const lose of [() => {}, loseLedger]) {
      await lose();
      expect(await reconcile(island)).toMatchObject({ requests: 0, outcome: 'done' });
      expect(own()).toEqual(listed);
      expect(await usageSite.report(island)).toMatchObject({ requests: 0 });
    }
    const empty = manifestOf({ '/': ['Harbour'] });
    expect(await reconcile(empty)).toMatchObject({ outcome: 'done' });
    expect(own()).toEqual([]);
  });

  test.each<[string, Manifest, string]>([
    ['of an earlier report, next to the right one', first, '/quay'],
    [
      'of a page that no longer shows the asset',
      manifestOf({ '/quay/': ['The quay', 3] }),
      '/quay',
    ],
    ['of a page that the site has never had', first, '/100%'],
  ])('as sent, with a usage %s, loses that one', async (_, shown, path) => {
    await usageSite.report(shown);
    const record = { id: 2, page: site + path, pageName: 'Old', date: '2026-03-01', ...siteFields };
    usageSite.server.model.records.push(record);
    expect(await reconcile(shown)).toMatchObject({ removed: 1, reported: 0, outcome: 'done' });
    expect(own()).toEqual(pairsOf(shown));
  });

  test('as sent is told of a new spelling', async () => {
    await usageSite.report(manifestOf({ '/quay': ['The quay', 2] }));
    const slashed = manifestOf({ '/quay/': ['The quay', 2] });
    expect(await reconcile(slashed)).toMatchObject({ removed: 1, reported: 1, outcome: 'done' });
    expect(own()).toEqual(pairsOf(slashed));
  });
});

describe('a usage that the service has lost', () => {
  test('is reported again with its first date', async () => {
    await usageSite.report(first);
    usageSite.server.model.records.length = 0;
    usageSite.now += 40 * oneDay;
    expect(await reconcile(first)).toMatchObject({ reported: 4, removed: 0 });
    const dates = usageSite.server.model.records.map(({ date }) => date);
    expect(new Set(dates)).toEqual(new Set(['2026-03-02']));
  });

  test('and that is no longer shown is forgotten without a request', async () => {
    await usageSite.report(first);
    usageSite.server.model.records.length = 0;
    usageSite.server.log.length = 0;
    const shown = manifestOf({ '/': ['Harbour'] });
    expect(await reconcile(shown)).toMatchObject({ requests: 0, outcome: 'done' });
    expect((await loadLedger(usageSite.store, usageSite.identity)).ledger.pages.size).toBe(0);
  });
});

test('the guard blocks removals that follow from a listing', async () => {
  const ids = [...heldIds, 1001];
  await usageSite.report(manifestOf({ '/': ['Harbour', ...ids] }));
  await loseLedger();
  const shown = manifestOf({ '/': ['Harbour', 1] });
  expect(await reconcile(shown, ids)).toMatchObject({ held: ids.length - 1, outcome: 'held' });
  expect(own()).toHaveLength(ids.length);
});

describe('repeated usages', () => {
  const ids = Array.from({ length: 30 }, (_, n) => n + 1);
  const twice = async (manifest: Manifest) => {
    await usageSite.report(manifest);
    await loseLedger();
    await usageSite.report(manifest);
    await loseLedger();
  };
  const perPage = () =>
    own().reduce<Record<string, number>>((counts, pair) => {
      const path = new URL(pair.split(' ')[0] ?? '').pathname;
      return Object.assign(counts, { [path]: (counts[path] ?? 0) + 1 });
    }, {});

  test('are repaired despite the guard if they are shown, and blocked by it otherwise', async () => {
    usageSite = await openUsageSite({ semantics: appending });
    const [a, b] = [['A', ...ids] as const, ['B', ...ids] as const];
    await twice(manifestOf({ '/': ['Harbour', ...ids], '/a/': a, '/b/': b }));
    const shown = manifestOf({ '/': ['Harbour', ...ids] });
    expect(await reconcile(shown, ids)).toMatchObject({ held: 60, outcome: 'held' });
    expect(perPage()).toEqual({ '/': 30, '/a/': 60, '/b/': 60 });
  });

  test('that are no longer shown are removed as often as they are listed', async () => {
    usageSite = await openUsageSite({ semantics: appending });
    await twice(manifestOf({ '/': ['Harbour', ...ids], '/a/': ['A', 1, 2] }));
    const shown = manifestOf({ '/': ['Harbour', ...ids] });
    expect(await reconcile(shown, ids)).toMatchObject({ outcome: 'done' });
    expect(perPage()).toEqual({ '/': 30 });
    expect(await usageSite.report(shown)).toMatchObject({ requests: 0 });
  });
});

test("a service that accepts removals without effect doesn't cause endless requests", async () => {
  usageSite = await openUsageSite({ semantics: appending });
  await usageSite.report(first);
  await loseLedger();
  await usageSite.report(first);
  usageSite.server.treat = ({ removed }) => (removed ? { status: 200 } : 'done');
  await expect(reconcile(first)).rejects.toMatchObject({ code: 'usages-not-removed' });
});

describe('assets whose usages are not listed', () => {
  test.each([403, 404, 410])(
    'with %i keep their records in the ledger, and are named',
    async (status) => {
      await usageSite.report(first);
      const text = await usageSite.ledger();
      usageSite.server.list = (id) => (id === 3 ? status : 'records');
      const { findings, requests } = await reconcile(first);
      expect(findings).toMatchObject([{ code: 'listing-refused', asset: 3 }]);
      expect({ requests, text: await usageSite.ledger() }).toEqual({ requests: 0, text });
    },
  );

  test('as a whole keep their records in the ledger and its gap, and nothing of them is missing', async () => {
    await usageSite.report(first);
    const { ledger, tag } = await loadLedger(usageSite.store, usageSite.identity);
    const gap = { site, kind: 'gap', reason: 'lost', detail: 'b1', at: '2026-03-02T08:00:00.000Z' };
    const lease = await usageSite.store.lock();
    await lease.write([formatLedger({ ...ledger, gap: gap as Gap })], tag);
    await lease.release();
    const text = await usageSite.ledger();
    const { records } = usageSite.server.model;
    for (const record of records.filter(({ id }) => id === 3)) {
      Object.assign(record, { page: undefined, pageUrl: record.page });
    }
    const looked = await lookUpUsages({ ...common(first, []), others: [] });
    expect(looked).toMatchObject({ drift: [], unlisted: 1, ids: [1, 2] });
    const { findings, requests } = await reconcileUsage({
      ...common(first, [1, 2, 3]),
      ...{ isWhole: true, allowRemovals: true },
    });
    expect(findings.map(({ code, asset }) => [code, asset])).toEqual([
      ['listing-refused', 3],
      ['ledger-gap', undefined],
    ]);
    expect({ requests, text: await usageSite.ledger() }).toEqual({ requests: 0, text });
  });

  test("aren't requested again after the look-up of a whole library was refused", async () => {
    usageSite.server.list = (id) => (id === 9 ? 404 : 'records');
    const unknown = manifestOf({ '/': ['Harbour', 9] });
    const looked = await lookUpUsages({ ...common(unknown, []), others: [1, 2] });
    expect(looked.findings).toMatchObject([{ code: 'listing-refused', asset: 9 }]);
    expect(looked.ids).toEqual([]);
    expect(await reconcile(unknown, looked.ids)).toMatchObject({ reported: 1 });
  });

  test.each([405, 501])(
    'with %i are an error although others are listed, because the service has no such call',
    async (status) => {
      await usageSite.report(first);
      usageSite.server.list = (id) => (id === 3 ? status : 'records');
      await expect(reconcile(first)).rejects.toMatchObject({ code: 'usages-not-listed' });
    },
  );

  test.each([
    [403, 'request-forbidden'],
    [404, 'usages-not-listed'],
    [405, 'usages-not-listed'],
    [501, 'usages-not-listed'],
  ])('are an error if there are no others, with %i: %s', async (status, code) => {
    await usageSite.report(first);
    const text = await usageSite.ledger();
    usageSite.server.list = () => status;
    await expect(reconcile(second)).rejects.toMatchObject({ code });
    expect(await usageSite.ledger()).toBe(text);
    expect(own()).toEqual(pairsOf(first));
  });
});
