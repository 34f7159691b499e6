import { rm, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { manifestOf, pairsOf, site } from '../support/ledger/usage-fixtures.ts';
import { openUsageSite, type UsageSite } from '../support/ledger/usage-site.ts';

let harbour: UsageSite;

beforeEach(async () => {
  harbour = await openUsageSite();
});

afterEach(() => harbour.close());

const shown = manifestOf({ '/': ['Harbour', 1, 2], '/quay/': ['The quay', 2, 3] });
const withoutQuay = manifestOf({ '/': ['Harbour', 1, 2] });
const code = (code: string) => expect.objectContaining({ code });
const codes = (findings: readonly { code: string }[]) => findings.map((found) => found.code);

describe('a run', () => {
  test('reports everything for the first time, and says that there was no ledger', async () => {
    const result = await harbour.report(shown);
    expect(result).toMatchObject({
      reported: 4,
      removed: 0,
      requests: 2,
      unsent: 0,
      held: 0,
      outcome: 'done',
      reason: undefined,
    });
    expect(codes(result.findings)).toEqual(['ledger-missing']);
    expect(harbour.server.model.list()).toEqual(pairsOf(shown));
    expect(harbour.server.model.records).toContainEqual({
      id: 1,
      page: `${site}/`,
      pageName: 'Harbour',
      project: 'Harbour',
      contact: 'web@harbour.example',
      description: '',
      date: '2026-03-02',
    });
  });

  test('with nothing changed sends no request and touches no file', async () => {
    await harbour.report(shown);
    const ledger = await harbour.ledger();
    harbour.server.log.length = 0;
    const result = await harbour.report(shown);
    expect(result).toMatchObject({ reported: 0, requests: 0, outcome: 'done', findings: [] });
    expect(harbour.server.log).toEqual([]);
    expect(await harbour.ledger()).toBe(ledger);
    expect(await harbour.files()).toHaveLength(1);
  });

  test('of pages without assets writes no ledger', async () => {
    await harbour.report(manifestOf({ '/': ['Harbour'] }));
    expect(await harbour.files()).toEqual([]);
  });

  test('removes what is gone, and replaces what is renamed with its first date', async () => {
    await harbour.report(shown);
    harbour.now = Date.parse('2026-04-01T00:00:00Z');
    const next = manifestOf({ '/quay/': ['The old quay', 2, 3], '/tower/': ['Tower', 4] });
    const result = await harbour.report(next);
    expect(result).toMatchObject({ reported: 3, removed: 2, requests: 4, outcome: 'done' });
    expect(harbour.server.model.list()).toEqual(pairsOf(next));
    const dates = harbour.server.model.records.map(({ id, date }) => `${id} ${date}`);
    expect(dates.sort()).toEqual(['2 2026-03-02', '3 2026-03-02', '4 2026-04-01']);
  });

  test('reports progress, one step after the other', async () => {
    const seen: string[] = [];
    const many = manifestOf(
      Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`/${n}/`, ['Page', 1] as const])),
    );
    await harbour.report(many, { onProgress: ({ done, total }) => seen.push(`${done}/${total}`) });
    expect(seen).toEqual(Array.from({ length: 9 }, (_, n) => `${n + 1}/9`));
  });

  test('has only a few requests under way at once', async () => {
    const waiting: (() => void)[] = [];
    let most = 0;
    harbour.server.treat = async () => {
      // Nobody is answered until three have come.
      const turn = new Promise<void>((resolve) => waiting.push(resolve));
      most = Math.max(most, waiting.length);
      if (waiting.length === 3) for (const go of waiting.splice(0)) go();
      await turn;
      return 'done' as const;
    };
    const many = manifestOf(
      Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`/${n}/`, ['Page', 1] as const])),
    );
    await harbour.report(many, { concurrency: 3 });
    expect(most).toBe(3);
  });
});

describe('before a request', () => {
  test('its pairs are in doubt in the ledger, and no more than a window of them', async () => {
    const many = manifestOf(
      Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`/${n}/`, ['Page', 1] as const])),
    );
    const seen: { own: string | undefined; inDoubt: number }[] = [];
    harbour.server.treat = async ({ page }) => {
      const pages = JSON.parse((await harbour.ledger()) ?? '').pages as Record<
        string,
        { state: string }[]
      >;
      const states = Object.values(pages).map(([record]) => record?.state);
      const inDoubt = states.filter((state) => state === 'in-doubt').length;
      seen.push({ own: pages[page]?.[0]?.state, inDoubt });
      return 'done' as const;
    };
    await harbour.report(many, { windowSize: 4, concurrency: 2 });
    expect(seen.map(({ own }) => own)).toEqual(Array(9).fill('in-doubt'));
    expect(Math.max(...seen.map(({ inDoubt }) => inDoubt))).toBe(4);
  });

  test('a removal and its report are both in doubt', async () => {
    await harbour.report(shown);
    const seen: unknown[] = [];
    harbour.server.treat = async () => {
      seen.push(JSON.parse((await harbour.ledger()) ?? '').pages[`${site}/quay/`]);
      return 'done' as const;
    };
    await harbour.report(manifestOf({ '/': ['Harbour', 1, 2], '/quay/': ['Quay', 2, 3] }));
    const both = [
      expect.objectContaining({ pageName: 'Quay', state: 'in-doubt', ids: [2, 3] }),
      expect.objectContaining({ pageName: 'The quay', state: 'in-doubt', ids: [2, 3] }),
    ];
    expect(seen).toEqual([both, both]);
  });
});

describe('the guard', () => {
  const many = manifestOf({
    '/': ['Harbour', 1],
    '/old/': ['Old', ...Array.from({ length: 12 }, (_, n) => n + 1)],
  });
  const few = manifestOf({ '/': ['Harbour', 1], '/new/': ['New', 5] });

  beforeEach(() => harbour.report(many));

  test('holds removals, and sends the rest', async () => {
    const result = await harbour.report(few);
    expect(result).toMatchObject({ reported: 1, removed: 0, held: 12, unsent: 0, outcome: 'held' });
    expect(codes(result.findings)).toEqual(['removals-held']);
    expect(harbour.server.model.list()).toEqual([...pairsOf(many), `${site}/new/ 5 New`].sort());
    expect(await harbour.report(few)).toMatchObject({ requests: 0, held: 12, outcome: 'held' });
  });

  test('lets them out once a person allows it', async () => {
    await harbour.report(few);
    const result = await harbour.report(few, { allowRemovals: true });
    expect(result).toMatchObject({ removed: 12, held: 0, outcome: 'done' });
    expect(harbour.server.model.list()).toEqual(pairsOf(few));
  });

  test('keeps held pairs, and knows them when their page comes back', async () => {
    await harbour.report(few);
    harbour.server.log.length = 0;
    const back = manifestOf({
      '/new/': ['New', 5],
      ...{ '/': ['Harbour', 1], '/old/': ['Old', ...Array.from({ length: 12 }, (_, n) => n + 1)] },
    });
    expect(await harbour.report(back)).toMatchObject({ requests: 0, outcome: 'done' });
  });
});

describe('nothing is sent, and nothing is changed,', () => {
  test.each([
    ['with a broken ledger', '{"version":1,"pages":', 'ledger-broken'],
    ['with a ledger of a newer version', '{"version":3}', 'ledger-newer'],
    [
      'with the ledger of another site',
      '{"version":1,"service":"https://media.example","site":"https://other.example","base":"","revision":1,"pages":{}}',
      'ledger-foreign',
    ],
  ])('%s', async (_, text, expected) => {
    await harbour.report(shown);
    harbour.server.log.length = 0;
    await writeFile(harbour.ledgerFile, text);
    await expect(harbour.report(withoutQuay)).rejects.toThrow(code(expected));
    expect(harbour.server.log).toEqual([]);
    expect(await harbour.ledger()).toBe(text);
    expect(harbour.server.model.list()).toEqual(pairsOf(shown));
  });

  test('with a manifest without pages', async () => {
    await harbour.report(shown);
    harbour.server.log.length = 0;
    await expect(harbour.report(manifestOf({}))).rejects.toThrow(code('scan-empty'));
    expect(harbour.server.log).toEqual([]);
  });

  test('with a page of another site in the manifest', async () => {
    const [page] = shown.pages;
    const pages = [{ ...page, page: 'https://other.example/', pageName: 'Other', assets: [] }];
    await expect(harbour.report({ ...shown, pages })).rejects.toThrow(code('ledger-foreign'));
    expect(harbour.server.log).toEqual([]);
  });

  test('while another run is reporting', async () => {
    const lease = await harbour.store.lock();
    await expect(harbour.report(shown)).rejects.toThrow(code('ledger-busy'));
    expect(harbour.server.log).toEqual([]);
    await lease.release();
    expect(await harbour.report(shown)).toMatchObject({ outcome: 'done' });
  });

  test('when the ledger cannot be written', async () => {
    const store = {
      ...harbour.store,
      lock: async () => ({
        ...(await harbour.store.lock()),
        write: () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' })),
      }),
    };
    await expect(harbour.report(shown, { store })).rejects.toThrow('no space left');
    expect(harbour.server.log).toEqual([]);
    expect(await harbour.files()).toEqual([]);
  });
});

test('two runs at once: one reports, the other sends nothing', async () => {
  const refused = Promise.withResolvers<void>();
  harbour.server.treat = async () => {
    await refused.promise;
    return 'done' as const;
  };
  const run = () => harbour.report(shown).finally(refused.resolve);
  const runs = await Promise.allSettled([run(), run()]);
  expect(runs.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(harbour.server.log).toHaveLength(2);
  expect(harbour.server.model.list()).toEqual(pairsOf(shown));
});

test('a run whose lock was taken over stops before its next request, and writes nothing more', async () => {
  let marked: string | undefined;
  harbour.server.treat = async () => {
    marked = await harbour.ledger();
    await rm(`${harbour.ledgerFile}.lock`);
    await harbour.store.lock();
    return 'done' as const;
  };
  const run = harbour.report(shown, { concurrency: 1 });
  await expect(run).rejects.toThrow(code('ledger-busy'));
  expect(harbour.server.log).toHaveLength(1);
  expect(await harbour.ledger()).toBe(marked);
  expect(marked).toContain('in-doubt');
});

test('a signal ends a run cleanly: what was under way is recorded, the rest is sent by the next run', async () => {
  const end = new AbortController();
  harbour.server.treat = (_, index) => {
    if (index === 0) end.abort();
    return 'done';
  };
  const result = await harbour.report(shown, { concurrency: 1, signal: end.signal });
  expect(result).toMatchObject({ reported: 2, unsent: 2, requests: 1, outcome: 'unsent' });
  expect(result.reason).toBe('The run was interrupted.');
  expect(await harbour.ledger()).not.toContain('in-doubt');
  expect(await harbour.report(shown)).toMatchObject({ reported: 2, requests: 1, outcome: 'done' });
  expect(harbour.server.model.list()).toEqual(pairsOf(shown));
});
