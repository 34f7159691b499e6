import { beforeEach, describe, expect, test } from 'vitest';
import type { Usage } from '../../../src/service/requests.ts';
import { manifestOf, pairsOf, site, siteFields } from '../../support/ledger/usage-fixtures.ts';
import type { Treatment } from '../../support/ledger/usage-server.ts';
import { openUsageSite, type UsageSite } from '../../support/ledger/usage-site.ts';

let usageSite: UsageSite;

beforeEach(async () => {
  usageSite = await openUsageSite();
});

const shown = manifestOf({ '/': ['Harbour', 1, 2], '/quay/': ['The quay', 2, 3] });
const code = (code: string) => expect.objectContaining({ code });

test.each(['text/plain', 'text/html', 'application/json'])(
  'a report that is answered with `false` as %s is unsent',
  async (type) => {
    const one = manifestOf({ '/quay/': ['The quay', 3], '/': ['Harbour', 1] });
    usageSite.server.treat = ({ page }) =>
      page.endsWith('/quay/') ? { status: 200, body: 'false', type } : 'done';
    expect(await usageSite.report(one)).toMatchObject({ reported: 1, unsent: 1 });
    usageSite.server.treat = () => 'done';
    expect(await usageSite.report(one)).toMatchObject({ reported: 1, outcome: 'done' });
    expect(usageSite.server.model.list()).toEqual(pairsOf(one));
  },
);

test('a refused report goes in halves once the service has accepted one asset', async () => {
  usageSite.server.treat = ({ ids }) => (ids.includes(8) ? { status: 404 } : 'done');
  const one = manifestOf({ '/': ['Harbour', 1, 2, 3, 4, 5, 6, 7, 8] });
  expect(await usageSite.report(one)).toMatchObject({ reported: 7, unsent: 1 });
  const reports = usageSite.server.log.filter(({ removed }) => !removed);
  expect(reports.map(({ ids }) => ids)).toEqual([
    [1, 2, 3, 4, 5, 6, 7, 8],
    ...[[1], [2, 3, 4, 5], [6, 7, 8]],
    ...[[6, 7], [8]],
  ]);
});

describe('a refusal with 403', () => {
  const forbidden = ({ ids }: Usage): Treatment =>
    ids.includes(1) ? { status: 403, body: '{"message":"withdrawn"}' } : 'done';
  const without1 = manifestOf({ '/': ['Harbour', 2], '/quay/': ['The quay', 2, 3] });

  test('for one asset is a finding, and later requests are sent', async () => {
    usageSite.server.treat = forbidden;
    const result = await usageSite.report(shown, { concurrency: 1 });
    expect(result).toMatchObject({ reported: 3, unsent: 1, waiting: 0, outcome: 'unsent' });
    expect(result.findings).toContainEqual(
      expect.objectContaining({
        code: 'usage-refused',
        page: `${site}/`,
        message: expect.stringMatching(/asset 1 on .* with 403: .*withdrawn/),
      }),
    );
    expect(usageSite.server.model.list()).toEqual(pairsOf(without1));
    // From now on, its refusals say nothing about the credentials.
    for (const options of [{}, { serviceAnswered: true }]) {
      const again = await usageSite.report(shown, options);
      expect(again).toMatchObject({ requests: 2, unsent: 1, outcome: 'unsent' });
    }
    usageSite.server.treat = () => 'done';
    expect(await usageSite.report(shown)).toMatchObject({ reported: 1, outcome: 'done' });
    usageSite.server.treat = () => ({ status: 403 });
    const more = manifestOf({ '/': ['Harbour', 1, 2], '/quay/': ['The quay', 1, 2, 3] });
    await expect(usageSite.report(more)).rejects.toThrow(code('request-forbidden'));
  });

  test('of reports is about the credentials even if removals are accepted, and the next run reports all again', async () => {
    const pages = Array.from({ length: 60 }, (_, n) => [`/${n}/`, ['Page', n + 1]] as const);
    const many = manifestOf(Object.fromEntries(pages));
    await usageSite.report(many);
    usageSite.server.treat = ({ removed }) => (removed ? 'done' : { status: 403 });
    const fields = { ...siteFields, contact: 'Ada Berg' };
    await expect(usageSite.report(many, { fields, concurrency: 1 })).rejects.toThrow(
      code('request-forbidden'),
    );
    expect(usageSite.server.model.list()).toHaveLength(10);
    usageSite.server.treat = () => 'done';
    expect(await usageSite.report(many, { fields })).toMatchObject({ unsent: 0, outcome: 'done' });
    expect(usageSite.server.model.list()).toEqual(pairsOf(many));
  });

  test('of a removal alone is a finding if the service answers other calls', async () => {
    await usageSite.report(shown);
    usageSite.server.treat = forbidden;
    expect(await usageSite.report(without1)).toMatchObject({
      outcome: 'unsent',
      reason: expect.stringMatching(
        /^The service has refused to remove asset 1 on .* with 403: .*withdrawn/,
      ),
    });
    expect(await usageSite.report(without1, { serviceAnswered: true })).toMatchObject({
      outcome: 'unsent',
    });
    usageSite.server.list = () => 403;
    await expect(usageSite.report(without1)).rejects.toThrow(code('request-forbidden'));
    usageSite.server.treat = () => 'done';
    expect(await usageSite.report(without1)).toMatchObject({ removed: 1, outcome: 'done' });
  });

  test('is about the credentials if no report is accepted, with any other rights', async () => {
    usageSite.server.treat = () => ({ status: 403 });
    for (const options of [{}, { serviceAnswered: true }]) {
      await expect(usageSite.report(shown, options)).rejects.toThrow(code('request-forbidden'));
    }
    expect(await usageSite.ledger()).toContain('forbids');
    usageSite.server.treat = () => 'done';
    expect(await usageSite.report(shown)).toMatchObject({ reported: 4, outcome: 'done' });
  });

  test('in an interrupted run decides nothing', async () => {
    const ended = new AbortController();
    usageSite.server.treat = () => {
      ended.abort();
      return { status: 403 };
    };
    const result = await usageSite.report(shown, { concurrency: 1, signal: ended.signal });
    expect(result).toMatchObject({ unsent: 4, reason: 'The run was interrupted.' });
  });
});

describe('a service that refuses every usage', () => {
  const ids = Array.from({ length: 100 }, (_, n) => n + 1);
  const onePage = manifestOf({ '/': ['Harbour', ...ids] });
  const manyPages = manifestOf(
    Object.fromEntries(ids.map((id) => [`/${id}/`, ['Page', 1, 2, 3, 4, 5]] as const)),
  );

  test.each([
    ['404 for 100 assets', 404, onePage, 50],
    ['404 for 5 assets on 100 pages', 404, manyPages, 200],
    ['400 for 100 assets', 400, onePage, 50],
  ] as const)(
    "with %s, doesn't get all requests, and is named",
    async (_, status, manifest, refused) => {
      usageSite.server.treat = () => ({ status, body: '{"message":"no such file"}' });
      for (const run of ['first', 'second']) {
        usageSite.server.log.length = 0;
        await expect(usageSite.report(manifest), run).rejects.toMatchObject({
          code: 'usages-refused',
          message: expect.stringMatching(
            new RegExp(`refused ${refused} usages.* with ${status}: .*no such`),
          ),
        });
        expect(usageSite.server.log.length, run).toBeLessThan(6 * refused + 20);
      }
      usageSite.server.treat = () => 'done';
      expect(await usageSite.report(manifest)).toMatchObject({ unsent: 0, outcome: 'done' });
      expect(usageSite.server.model.list()).toEqual(pairsOf(manifest));
    },
  );

  test('but accepts one gets all requests, and all refusals are named', async () => {
    usageSite.server.treat = ({ ids }) => (ids.some((id) => id < 100) ? { status: 400 } : 'done');
    const pages = manifestOf({ '/': ['Harbour', 100], '/a/': ['A', ...ids], '/b/': ['B', 98, 99] });
    const { findings, ...result } = await usageSite.report(pages, { concurrency: 1 });
    expect(result).toMatchObject({ reported: 2, unsent: 101, outcome: 'unsent' });
    expect(findings.filter((found) => found.code === 'usage-refused')).toHaveLength(101);
    expect(findings).toContainEqual(
      expect.objectContaining({
        code: 'usage-unsent',
        message: expect.stringContaining('101 usages unsent'),
      }),
    );
  });

  test('of one asset on many pages still gets all others', async () => {
    usageSite.server.treat = ({ ids }) => (ids.includes(3) ? { status: 400 } : 'done');
    const logo = Object.fromEntries(ids.map((id) => [`/${id}/`, ['Page', 3]] as const));
    const first = manifestOf({ ...logo, '/news/': ['News', 1, 2] });
    expect(await usageSite.report(first)).toMatchObject({ reported: 2, unsent: 100, waiting: 0 });
    expect(await usageSite.report(first)).toMatchObject({ unsent: 100, outcome: 'unsent' });
    const less = manifestOf({ ...logo, '/news/': ['News', 1] });
    expect(await usageSite.report(less)).toMatchObject({ removed: 1, unsent: 100 });
    expect(usageSite.server.model.list()).toEqual(pairsOf(manifestOf({ '/news/': ['News', 1] })));
  });

  test('that came first gets the later ones first in the next run', async () => {
    usageSite.server.treat = ({ ids }) => (ids.some((id) => id < 100) ? { status: 400 } : 'done');
    const pages = manifestOf({ '/a/': ['A', ...ids.slice(0, 60)], '/b/': ['B', 100] });
    const failed = expect(usageSite.report(pages, { concurrency: 1 })).rejects;
    await failed.toThrow(code('usages-refused'));
    expect(await usageSite.report(pages)).toMatchObject({ reported: 1, unsent: 60 });
    expect(await usageSite.report(pages)).toMatchObject({ unsent: 60, outcome: 'unsent' });
  });

  test('only in removals gets each of them, because the service may have lost the usages too', async () => {
    await usageSite.report(manyPages);
    usageSite.server.treat = () => ({ status: 400 });
    const none = manifestOf({ '/1/': ['Page', 1, 2, 3, 4, 5] });
    const result = await usageSite.report(none, { allowRemovals: true });
    expect(result).toMatchObject({ unsent: 495, outcome: 'unsent' });
  });
});

test.each([
  ['unsent', 500, 1],
  ['refused', 400, 0],
])(
  'a refusal that is too old fails a run, also next to a usage that is %s since today',
  async (_, status, waiting) => {
    const day = 24 * 60 * 60 * 1000;
    usageSite.server.treat = ({ ids }) => (ids.includes(1) ? { status: 400 } : 'done');
    expect(await usageSite.report(shown)).toMatchObject({ unsent: 1, outcome: 'unsent' });
    usageSite.now += 8 * day;
    const more = manifestOf({ '/': ['Harbour', 1, 2, 4], '/quay/': ['The quay', 2, 3] });
    usageSite.server.treat = ({ ids }) => ({ status: ids.includes(1) ? 400 : status });
    const result = await usageSite.report(more, { concurrency: 1 });
    expect(result).toMatchObject({ unsent: 2, waiting, outcome: 'failed' });
    expect(result.failure).toMatchObject({
      code: 'usage-unsent-too-long',
      details: { unsent: 2, since: '2026-03-02T08:00:00.000Z' },
    });
  },
);
