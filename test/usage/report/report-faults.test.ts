import { beforeEach, describe, expect, test } from 'vitest';
import { appending } from '../../support/ledger/service-model.ts';
import {
  codes,
  refuse,
  renamed,
  shown,
  when,
  withoutQuay,
} from '../../support/ledger/usage-faults.ts';
import { manifestOf, manyPages, pairsOf } from '../../support/ledger/usage-fixtures.ts';
import type { Treatment } from '../../support/ledger/usage-server.ts';
import { openUsageSite, type UsageSite } from '../../support/ledger/usage-site.ts';

let usageSite: UsageSite;

beforeEach(async () => {
  usageSite = await openUsageSite();
});

const code = (code: string) => expect.objectContaining({ code });

describe('an unreachable service', () => {
  test('keeps pairs as they were, and the next run sends them', async () => {
    usageSite = await openUsageSite({ semantics: appending });
    await usageSite.report(shown);
    const down = await openUsageSite();
    await down.server.close();
    const service = down.server.client();
    const result = await usageSite.report(renamed, { service });
    expect(result).toMatchObject({ reported: 0, unsent: 2, outcome: 'unsent' });
    expect(result.reason).toContain("couldn't be reached");
    expect(codes(result.findings)).toEqual(['usage-unsent']);
    expect(await usageSite.ledger()).not.toContain('in-doubt');
    expect(await usageSite.report(renamed)).toMatchObject({ reported: 2, outcome: 'done' });
    expect(usageSite.server.model.list()).toEqual(pairsOf(renamed));
  });

  test('gets three requests, then no more', async () => {
    usageSite.server.treat = () => ({ status: 503 });
    const many = manyPages(50);
    const result = await usageSite.report(many, { concurrency: 1, windowSize: 10 });
    expect(result).toMatchObject({ requests: 3, unsent: 50, outcome: 'unsent' });
    expect(await usageSite.ledger()).toContain('in-doubt');
    const { pages } = JSON.parse((await usageSite.ledger()) ?? '');
    expect(Object.keys(pages)).toHaveLength(3);
  });

  test("that comes back between two failures isn't given up", async () => {
    usageSite.server.treat = (_, index) => (index % 3 === 2 ? 'done' : { status: 429 });
    const many = manyPages(9);
    const result = await usageSite.report(many, { concurrency: 1 });
    expect(result).toMatchObject({ requests: 9, reported: 3, unsent: 6 });
    expect(await usageSite.ledger()).not.toContain('in-doubt');
  });

  test.each([
    [
      'a report',
      manifestOf({ '/': ['Harbour', 1, 2, 4], '/quay/': ['The quay', 2, 3] }),
      /^Fix the asset/,
    ],
    [
      'a removal',
      manifestOf({ '/': ['Harbour', 1, 2], '/quay/': ['The quay', 2] }),
      /^Remove the usage in the service, then run `media-asset reconcile <folder>`/,
    ],
  ])(
    'counts %s that the service refuses, each from its own first refusal, and says what to do',
    async (_, next, hint) => {
      const oneDay = 24 * 60 * 60 * 1000;
      await usageSite.report(shown);
      const more = manifestOf({ '/sea/': ['Sea', 5] });
      const both = { ...next, pages: [...next.pages, ...more.pages] };
      usageSite.server.treat = refuse(422);
      for (const days of [0, 7]) {
        usageSite.now += days * oneDay;
        const result = await usageSite.report(next);
        expect(result).toMatchObject({ unsent: 1, waiting: 0, outcome: 'unsent' });
        expect(codes(result.findings)).toEqual(['usage-refused', 'usage-unsent']);
        expect(result.findings[0]?.hint).toMatch(hint);
        expect(result.failure).toBeUndefined();
        const strict = await usageSite.report(next, { onError: 'fail' });
        expect(strict.failure).toMatchObject({ code: 'usage-unsent' });
      }
      usageSite.now += 1;
      const result = await usageSite.report(both);
      expect(result).toMatchObject({ unsent: 2, outcome: 'failed' });
      expect(result.failure).toMatchObject({
        code: 'usage-unsent-too-long',
        message: expect.stringMatching(
          /^2 usages unsent, the first since 2026-03-02T.*, longer than 7 days/,
        ),
      });
      usageSite.server.treat = when(({ ids }) => ids.includes(5), { status: 422 });
      usageSite.now += 7 * oneDay;
      expect(await usageSite.report(both)).toMatchObject({ unsent: 1, outcome: 'unsent' });
      usageSite.now += 1;
      expect(await usageSite.report(both)).toMatchObject({ unsent: 1, outcome: 'failed' });
    },
  );

  test('ages a report that fails after its removal was refused', async () => {
    await usageSite.report(shown);
    usageSite.server.treat = ({ removed }) => ({ status: removed ? 409 : 500 });
    expect(await usageSite.report(renamed)).toMatchObject({ unsent: 2, waiting: 2 });
    usageSite.now += 8 * 24 * 60 * 60 * 1000;
    expect(await usageSite.report(renamed)).toMatchObject({ unsent: 2, outcome: 'failed' });
  });

  test('is forgotten once nothing is unsent', async () => {
    await usageSite.report(withoutQuay);
    usageSite.server.treat = () => ({ status: 429 });
    await usageSite.report(shown);
    expect(await usageSite.ledger()).toContain('unsentSince');
    usageSite.now += 30 * 24 * 60 * 60 * 1000;
    expect(await usageSite.report(withoutQuay)).toMatchObject({ requests: 0, outcome: 'done' });
    expect(await usageSite.ledger()).not.toContain('unsentSince');
  });
});

describe('a replacement', () => {
  test("whose removal has no answer isn't reported", async () => {
    usageSite = await openUsageSite({ semantics: appending });
    await usageSite.report(shown);
    usageSite.server.log.length = 0;
    usageSite.server.treat = when(({ removed }) => removed, 'reset');
    expect(await usageSite.report(renamed)).toMatchObject({ reported: 0, unsent: 2 });
    expect(usageSite.server.log.map(({ removed }) => removed)).toEqual([true]);
    expect(usageSite.server.model.list()).toEqual(pairsOf(shown));
  });

  test("whose report wasn't sent keeps its date for the next run, which sends only that", async () => {
    await usageSite.report(shown);
    usageSite.now += 40 * 24 * 60 * 60 * 1000;
    usageSite.server.treat = when(({ removed }) => !removed, { status: 429 });
    expect(await usageSite.report(renamed)).toMatchObject({ unsent: 2, outcome: 'unsent' });
    usageSite.server.treat = () => 'done';
    usageSite.server.log.length = 0;
    expect(await usageSite.report(renamed)).toMatchObject({ reported: 2, requests: 1 });
    expect(usageSite.server.log).toMatchObject([
      { removed: false, date: '2026-03-02', ids: [2, 3] },
    ]);
    expect(usageSite.server.model.list()).toEqual(pairsOf(renamed));
  });

  test.each([403, 409, 429, 500, 503])(
    'that a service never removes, with %s, is reported once, and its removal requested once in each run',
    async (status) => {
      usageSite = await openUsageSite({ semantics: appending });
      const one = (name: string) => manifestOf({ '/': ['Harbour', 1], '/quay/': [name, 2] });
      await usageSite.report(one('Quay'));
      usageSite.server.treat = when(({ removed }) => removed, { status });
      for (let run = 0; run < 4; run += 1) {
        const counts = { reported: 0, removed: 0, unsent: 1 };
        const requests = run === 0 ? 2 : 1;
        const result = await usageSite.report(one('Kai'), { serviceAnswered: true });
        expect(result).toMatchObject({ ...counts, requests, outcome: 'unsent' });
        expect(codes(result.findings)).toContain('usage-unsent');
        expect(usageSite.server.model.records).toHaveLength(3);
      }
      // Another name is another report. The former one isn't sent twice.
      for (const name of ['Pier', 'Kai', 'Quay']) await usageSite.report(one(name));
      expect(usageSite.server.model.records).toHaveLength(4);
      usageSite.server.treat = () => 'done';
      expect(await usageSite.report(one('Pier'))).toMatchObject({ unsent: 0, outcome: 'done' });
      expect(usageSite.server.model.list()).toEqual(pairsOf(one('Pier')));
      expect(await usageSite.report(one('Pier'))).toMatchObject({ requests: 0 });
    },
  );

  test('keeps every variant in doubt until the removals of all have an answer', async () => {
    // This service removes the oldest variant, whichever one the request names.
    usageSite = await openUsageSite({ semantics: { ...appending, takes: 'first' } });
    const one = (name: string) => manifestOf({ '/': ['Harbour', 1], '/quay/': [name, 2] });
    await usageSite.report(one('Quay'));
    usageSite.server.treat = when(({ removed }) => removed, { status: 409 });
    await usageSite.report(one('Kai'));
    usageSite.server.treat = when(
      ({ removed, pageName }) => removed && pageName === 'Quay',
      'reset',
    );
    await usageSite.report(one('Pier'));
    const listed = usageSite.server.model.records.map(({ pageName }) => pageName);
    expect(listed).toEqual(['Harbour', 'Kai']);
    for (const name of listed) expect(await usageSite.ledger()).toContain(name);
    usageSite.server.treat = () => 'done';
    expect(await usageSite.report(one('Pier'))).toMatchObject({ unsent: 0, outcome: 'done' });
    expect(usageSite.server.model.list()).toEqual(pairsOf(one('Pier')));
  });

  test("doesn't block others if every removal fails, and is given up if the service is down", async () => {
    usageSite = await openUsageSite({ semantics: appending });
    const pages = (name: string) => manyPages(20, { name, ids: () => [1, 2] });
    await usageSite.report(pages('Harbour'));
    usageSite.server.treat = () => ({ status: 503 });
    const once = { concurrency: 1 };
    expect(await usageSite.report(pages('Quay'), once)).toMatchObject({ requests: 6, unsent: 40 });
    usageSite.server.treat = when(({ removed }) => removed, { status: 503 });
    expect(await usageSite.report(pages('Quay'))).toMatchObject({ unsent: 40 });
    for (const treat of [usageSite.server.treat, () => ({ status: 503 })]) {
      usageSite.server.treat = treat;
      const again = await usageSite.report(pages('Quay'), once);
      expect(again).toMatchObject({ requests: 3, unsent: 40 });
    }
  });

  test.each([429, 500])(
    'stops once three reports fail with %s, although every removal is accepted',
    async (status) => {
      const pages = (name: string) => manyPages(9, { name });
      await usageSite.report(pages('Harbour'));
      usageSite.server.treat = when(({ removed }) => !removed, { status });
      const result = await usageSite.report(pages('Quay'), { concurrency: 1 });
      expect(result).toMatchObject({ requests: 6, unsent: 9 });
      expect(usageSite.server.model.list()).toHaveLength(6);
    },
  );
});

describe("an answer that another request can't fix", () => {
  test.each<[string, Treatment, string]>([
    ['401', { status: 401 }, 'request-unauthorized'],
    [
      'an HTML page',
      { status: 200, body: '<!doctype html><p>Sign in', type: 'text/html' },
      'answer-html',
    ],
    ['broken JSON', { status: 200, body: '{"ok":' }, 'answer-unexpected'],
    ['a redirect', { status: 302 }, 'redirect-refused'],
  ])('%s ends the run at once, and its results are recorded', async (_, treatment, expected) => {
    usageSite = await openUsageSite({ semantics: appending });
    const many = manyPages(9);
    usageSite.server.treat = (_, index) => (index === 2 ? treatment : 'done');
    await expect(usageSite.report(many, { concurrency: 1 })).rejects.toThrow(code(expected));
    expect(usageSite.server.log).toHaveLength(3);
    usageSite.server.treat = () => 'done';
    expect(await usageSite.report(many)).toMatchObject({ reported: 7, outcome: 'done' });
    expect(usageSite.server.model.list()).toEqual(pairsOf(many));
  });
});
