import { rm, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Manifest } from '../../../src/scan/manifest.ts';
import { loadLedger } from '../../../src/usage/ledger/stored-ledger.ts';
import {
  heldIds,
  manifestOf,
  manyPages,
  pairsOf,
  site,
  siteFields,
} from '../../support/ledger/usage-fixtures.ts';
import { openUsageSite, type UsageSite } from '../../support/ledger/usage-site.ts';

let usageSite: UsageSite;

beforeEach(async () => {
  usageSite = await openUsageSite();
});

const shown = manifestOf({ '/': ['Harbour', 1, 2], '/quay/': ['The quay', 2, 3] });
const withoutQuay = manifestOf({ '/': ['Harbour', 1, 2] });
const few = manifestOf({ '/': ['Harbour', 1] });
const full = manifestOf({ '/': ['Harbour', 1], '/old/': ['Old', ...heldIds] });
const loaded = async () => (await loadLedger(usageSite.store, usageSite.identity)).ledger;
const code = (code: string) => expect.objectContaining({ code });
const codes = (findings: readonly { code: string }[]) => findings.map((found) => found.code);

describe('a run', () => {
  test('reports everything for the first time, with a notice about the missing ledger', async () => {
    const result = await usageSite.report(shown);
    const counts = { reported: 4, removed: 0, requests: 2, unsent: 0, held: 0 };
    expect(result).toMatchObject({ ...counts, outcome: 'done', reason: undefined });
    expect(codes(result.findings)).toEqual(['ledger-missing']);
    expect(usageSite.server.model.list()).toEqual(pairsOf(shown));
    expect(usageSite.server.model.records).toContainEqual({
      ...{ id: 1, page: `${site}/`, pageName: 'Harbour', date: '2026-03-02', ...siteFields },
    });
  });

  test('without changes sends no request and touches no file', async () => {
    await usageSite.report(shown);
    const ledger = await usageSite.ledger();
    usageSite.server.log.length = 0;
    const result = await usageSite.report(shown);
    expect(result).toMatchObject({ reported: 0, requests: 0, outcome: 'done', findings: [] });
    expect(usageSite.server.log).toEqual([]);
    expect(await usageSite.ledger()).toBe(ledger);
    expect(await usageSite.files()).toHaveLength(1);
  });

  test('of pages without assets writes no ledger', async () => {
    await usageSite.report(manifestOf({ '/': ['Harbour'] }));
    expect(await usageSite.files()).toEqual([]);
  });

  test('removes missing usages, and replaces renamed ones with their first date', async () => {
    await usageSite.report(shown);
    usageSite.now = Date.parse('2026-04-01T00:00:00Z');
    const next = manifestOf({ '/quay/': ['The old quay', 2, 3], '/tower/': ['Tower', 4] });
    const result = await usageSite.report(next);
    expect(result).toMatchObject({ reported: 3, removed: 2, requests: 4, outcome: 'done' });
    expect(usageSite.server.model.list()).toEqual(pairsOf(next));
    const dates = usageSite.server.model.records.map(({ id, date }) => `${id} ${date}`);
    expect(dates.sort()).toEqual(['2 2026-03-02', '3 2026-03-02', '4 2026-04-01']);
  });

  test('reports progress, one step after the other', async () => {
    const seen: string[] = [];
    const many = manyPages(9);
    await usageSite.report(many, {
      onProgress: ({ done, total }) => seen.push(`${done}/${total}`),
    });
    expect(seen).toEqual(Array.from({ length: 9 }, (_, n) => `${n + 1}/9`));
  });
});

describe('before a request', () => {
  test('its pairs are in doubt in the ledger, at most a window of them', async () => {
    const many = manyPages(9);
    const seen: { own: string | undefined; inDoubt: number }[] = [];
    usageSite.server.treat = async ({ page }) => {
      const pages = JSON.parse((await usageSite.ledger()) ?? '').pages as Record<
        string,
        { state: string }[]
      >;
      const states = Object.values(pages).map(([record]) => record?.state);
      const inDoubt = states.filter((state) => state === 'in-doubt').length;
      seen.push({ own: pages[page]?.[0]?.state, inDoubt });
      return 'done' as const;
    };
    await usageSite.report(many, { windowSize: 4, concurrency: 2 });
    expect(seen.map(({ own }) => own)).toEqual(Array(9).fill('in-doubt'));
    expect(Math.max(...seen.map(({ inDoubt }) => inDoubt))).toBe(4);
  });
});

describe('the guard', () => {
  const next = manifestOf({ '/': ['Harbour', 1], '/new/': ['New', 5] });

  beforeEach(() => usageSite.report(full));

  test('blocks removals, and sends the rest', async () => {
    const result = await usageSite.report(next);
    const held = { held: heldIds.length, outcome: 'held' };
    expect(result).toMatchObject({ reported: 1, removed: 0, unsent: 0, ...held });
    expect(codes(result.findings)).toEqual(['removals-held']);
    expect(usageSite.server.model.list()).toEqual([...pairsOf(full), `${site}/new/ 5 New`].sort());
    expect(await usageSite.report(next)).toMatchObject({ requests: 0, ...held });
  });
});

describe('nothing is sent or changed', () => {
  test.each([
    ['with a broken ledger', '{"version":1,"pages":', 'ledger-broken'],
    ['with a ledger of a newer version', '{"version":4}', 'ledger-broken'],
  ])('%s', async (_, text, expected) => {
    await usageSite.report(shown);
    usageSite.server.log.length = 0;
    await writeFile(usageSite.ledgerFile, text);
    await expect(usageSite.report(withoutQuay)).rejects.toThrow(code(expected));
    expect(usageSite.server.log).toEqual([]);
    expect(await usageSite.ledger()).toBe(text);
    expect(usageSite.server.model.list()).toEqual(pairsOf(shown));
  });

  test('with a page of another site in the manifest', async () => {
    const [page] = shown.pages;
    const pages = [{ ...page, page: 'https://other.example/', pageName: 'Other', assets: [] }];
    await expect(usageSite.report({ ...shown, pages })).rejects.toThrow(code('ledger-foreign'));
    expect(usageSite.server.log).toEqual([]);
  });

  test("when the ledger can't be written", async () => {
    const store = {
      ...usageSite.store,
      lock: async () => ({
        ...(await usageSite.store.lock()),
        write: () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' })),
      }),
    };
    await expect(usageSite.report(shown, { store })).rejects.toThrow('no space left');
    expect(usageSite.server.log).toEqual([]);
    expect(await usageSite.files()).toEqual([]);
  });
});

test('a run whose lock was taken over stops before its next request, and writes nothing more', async () => {
  let marked: string | undefined;
  usageSite.server.treat = async () => {
    marked = await usageSite.ledger();
    await rm(`${usageSite.ledgerFile}.lock`);
    await usageSite.store.lock();
    return 'done' as const;
  };
  const run = usageSite.report(shown, { concurrency: 1 });
  await expect(run).rejects.toThrow(code('ledger-busy'));
  expect(usageSite.server.log).toHaveLength(1);
  expect(await usageSite.ledger()).toBe(marked);
  expect(marked).toContain('in-doubt');
});

describe('runs of builds that started at different times', () => {
  const [first, second, third] = ['11:00:00', '12:00:00', '12:30:00'].map(
    (time) => `2026-03-02T${time}.000Z`,
  );
  const next = manifestOf({ '/': ['Harbour', 1], '/tower/': ['Tower', 4] });
  const report = (startedAt: string | undefined, manifest: Manifest, rollback = false) =>
    usageSite.report(manifest, { startedAt, rollback });
  const refused = code('report-older-build');
  beforeEach(() => {
    usageSite.now = Date.parse('2026-03-02T13:00:00Z');
  });
  const listed = () => usageSite.server.model.list();

  test('refuse an older one, and send nothing of it', async () => {
    await report(second, shown);
    usageSite.server.log.length = 0;
    await expect(report(first, next)).rejects.toThrow(refused);
    expect(usageSite.server.log).toEqual([]);
    expect(await report(second, next)).toMatchObject({ outcome: 'done' });
    expect(listed()).toEqual(pairsOf(next));
  });

  test('refuse one that is older than an unchanged build', async () => {
    await report(first, shown);
    const { lastRun } = await loaded();
    expect(await report(third, shown)).toMatchObject({ requests: 0 });
    await expect(report(second, next)).rejects.toThrow(refused);
    expect(await loaded()).toMatchObject({ startedAt: third, lastRun });
  });

  test('refuse one that another run has overtaken while it waited', async () => {
    await report(first, shown);
    const store = {
      ...usageSite.store,
      async lock() {
        await report(third, next);
        return usageSite.store.lock();
      },
    };
    await expect(usageSite.report(shown, { store, startedAt: second })).rejects.toThrow(refused);
    expect(listed()).toEqual(pairsOf(next));
  });

  test('refuse an older one after a run that was interrupted', async () => {
    await report(first, shown);
    usageSite.server.treat = () => ({ status: 503 });
    expect(await report(third, next)).toMatchObject({ outcome: 'unsent' });
    usageSite.server.treat = () => 'done';
    await expect(report(second, shown)).rejects.toThrow(refused);
  });

  test('let a rollback pass, and a build after it', async () => {
    await report(third, next);
    expect(await report(first, shown, true)).toMatchObject({ outcome: 'done' });
    expect(await report(first, shown)).toMatchObject({ requests: 0 });
    expect(await report(second, next)).toMatchObject({ outcome: 'done' });
    expect(listed()).toEqual(pairsOf(next));
  });

  test('let pages pass whose build is unknown, and still refuse an older build', async () => {
    await report(second, shown);
    expect(await report(undefined, next)).toMatchObject({ outcome: 'done' });
    await expect(report(first, shown)).rejects.toThrow(refused);
  });
});

describe('the ledger records about its last run', () => {
  test('its end and its results', async () => {
    await usageSite.report(shown);
    expect((await loaded()).lastRun).toEqual({
      at: '2026-03-02T08:00:00.000Z',
      ...{ reported: 4, removed: 0, requests: 2, unsent: 0, held: 0, refusals: 0, refused: [] },
    });
  });

  test.each([
    [422, 'no such file'],
    [422, 'it was answered with 422: no such file'],
    [403, 'The service forbids it (403): no such file'],
  ])("the usages refused with %i, with the service's own words: %s", async (status, message) => {
    usageSite.server.treat = ({ ids }) =>
      ids.includes(3) ? { status, body: JSON.stringify({ message }) } : 'done';
    await usageSite.report(shown);
    const refused = [{ page: `${site}/quay/`, id: 3, removed: false, status, text: message }];
    expect((await loaded()).lastRun).toMatchObject({ unsent: 1, refusals: 1, refused });
  });

  test.each([
    ['the reason for unsent usages', 503, /503/],
    ['the error that stopped it', 401, /token/],
  ])('%s', async (_, status, reason) => {
    usageSite.server.treat = () => ({ status });
    await usageSite.report(shown).catch(() => {});
    const { lastRun } = await loaded();
    expect(lastRun).toMatchObject({ unsent: 4, reason: expect.stringMatching(reason) });
  });

  test('blocked usages, once, until they are no longer blocked', async () => {
    await usageSite.report(full);
    await usageSite.report(few);
    expect((await loaded()).lastRun).toMatchObject({ requests: 0, held: heldIds.length });
    const text = await usageSite.ledger();
    usageSite.now += 1000;
    await usageSite.report(few);
    expect(await usageSite.ledger()).toBe(text);
    await usageSite.report(full);
    expect((await loaded()).lastRun).toMatchObject({ requests: 0, held: 0 });
  });
});

test('an interruption ends a run cleanly: the rest is unsent, and the next run sends it', async () => {
  const ended = new AbortController();
  usageSite.server.treat = () => {
    ended.abort();
    return 'done';
  };
  const options = { signal: ended.signal, concurrency: 1 };
  const reason = 'The run was interrupted.';
  const first = { reported: 2, requests: 1, unsent: 2, outcome: 'unsent', reason };
  expect(await usageSite.report(shown, options)).toMatchObject(first);
  const none = { reported: 0, requests: 0, unsent: 2, outcome: 'unsent', reason };
  expect(await usageSite.report(shown, options)).toMatchObject(none);
  usageSite.server.treat = () => 'done';
  expect(await usageSite.report(shown)).toMatchObject({ reported: 2, outcome: 'done' });
  expect(usageSite.server.model.list()).toEqual(pairsOf(shown));
});

test('an unsent report is forgotten once its usage is no longer shown', async () => {
  await usageSite.report(shown);
  usageSite.server.treat = ({ removed }) => (removed ? 'done' : { status: 429 });
  await usageSite.report(manifestOf({ '/': ['Harbour', 1, 2], '/quay/': ['The old quay', 2, 3] }));
  usageSite.server.treat = () => 'done';
  await usageSite.report(withoutQuay);
  expect([...(await loaded()).pages.keys()]).toEqual([`${site}/`]);
});
