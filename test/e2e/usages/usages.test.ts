/**
 * @module-tag any-astro
 */
import fastGlob from 'fast-glob';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { LoggedRequest } from '../../../src/emulator/request-log.ts';
import { pairsInHtml } from '../../support/ledger/pairs-in-html.ts';
import { heldIds } from '../../support/ledger/usage-fixtures.ts';
import { readWire } from '../../support/service/read-wire.ts';
import type { Run } from '../../support/site/site.ts';
import {
  downloads,
  type Snapshot,
  usagePosts,
  useSite,
} from '../../support/site/site-with-service.ts';

const site = 'https://harbour.example';

/** The usages of the fixture site, read off its sources by hand. */
const shown = [
  `4711 ${site}/`,
  `4712 ${site}/`,
  `4712 ${site}/quay/`,
  `4713 ${site}/404/`,
  `4713 ${site}/quay/`,
];

const setup = useSite('main-job');
/** The first build, its requests to the service, and the files it left. */
let first: Run & { readonly requests: readonly LoggedRequest[]; readonly left: Snapshot };

beforeAll(async () => {
  const run = await setup.build();
  first = { ...run, requests: setup.requests(), left: await setup.snapshot() };
});

beforeEach(() => setup.restore(first.left));

/** The pairs in the built site, found by a parser that shares no code with the scan. */
function pairsInOutput(): string[] {
  const pageOf = (file: string) =>
    `${site}/${file.replace(/(index)?\.html$/, (_, index) => (index ? '' : '/'))}`;
  return pairsInHtml({ dir: setup.site.dist, pageOf });
}

/** The interface's literal request that reports assets on a page of the fixture site. */
function reportOf(ids: number[], path: string, name: string) {
  return readWire('usage-report', {
    access_token: '<token>',
    ids,
    contact: 'harbour.example',
    project: 'harbour.example',
    description: '',
    date: new Date().toISOString().slice(0, 10),
    page: `${site}${path}`,
    page_name: name,
  });
}

describe('the first build', () => {
  test('reports every pair once, as the interface requires', async () => {
    expect(first.output).toContain('5 reported, 0 removed');
    expect(first.exitCode).toBe(0);
    expect(setup.pairs()).toEqual(shown);
    const posts = usagePosts(first.requests);
    const expected = await Promise.all([
      reportOf([4711, 4712], '/', 'Harbour'),
      reportOf([4712, 4713], '/quay/', 'The quay'),
      reportOf([4713], '/404/', 'Not found'),
    ]);
    expect(posts.map(({ body }) => body).sort()).toEqual(expected.map(({ body }) => body).sort());
    for (const { method, status, headers } of posts) {
      expect({ method, status }).toEqual({ method: 'POST', status: 200 });
      expect(headers).toMatchObject({
        authorization: 'Bearer <token>',
        'content-type': 'application/json',
      });
    }
  });

  test('requests a crop with x1, y1 and its size, and an image without a crop as the original', () => {
    // An extra request checks this crop if it comes before that of the rotated image.
    const proof = '200 /1/file/4712/download/-1?x1=128&y1=68&w=320&h=160';
    const requests = downloads(first.requests).filter((request) => request !== proof);
    expect(requests.sort()).toEqual([
      '200 /1/file/4711/download/0',
      '200 /1/file/4712/download/-1?x1=40&y1=20&w=240&h=160',
      '200 /1/file/4712/download/0',
      '200 /1/file/4713/download/-1?x1=0&y1=0&w=200&h=200',
      '200 /1/file/4713/download/0',
    ]);
  });

  test('leaves the same pairs in the service that another parser finds in the built pages', async () => {
    expect(setup.pairs()).toEqual(pairsInOutput());
    const answer = await setup.emulator.fetch('/1/file/4712/usage?fields=any');
    const listed = (await answer.json()) as { url: string; project: string; type: string }[];
    expect(listed.map(({ url }) => url).sort()).toEqual([`${site}/`, `${site}/quay/`]);
    expect(listed[0]).toMatchObject({ project: 'harbour.example', type: 'WEB' });
  });

  test('records its start in the ledger, as in the rules for the command', async () => {
    const [ledger = ''] = await fastGlob('.media-asset/ledger-*.json', { cwd: setup.site.dir });
    const [kept, rules] = await Promise.all(
      [ledger, '.media-asset/build.json'].map(async (file) =>
        JSON.parse(await setup.site.read(file)),
      ),
    );
    expect(kept.startedAt).toBe(rules.startedAt);
    expect(Date.parse(kept.startedAt)).toBeLessThan(Date.parse(kept.lastRun.at));
  });
});

describe('a further build', () => {
  test('without changes, checks each asset, downloads and reports nothing, and shows the progress of long work', {
    tags: ['slow'],
  }, async () => {
    const clock = new URL('../../support/process/jumping-clock.ts', import.meta.url).href;
    const { output } = await setup.buildAlone({ NODE_OPTIONS: `--import=${clock}` });

    expect(output).toContain('nothing changed, no request sent');
    expect(output).toMatch(/checking assets: 2 of 3$/m);
    expect(output).toMatch(/images: \d of 8$/m);
    const requests = setup.requests();
    expect(usagePosts(requests)).toEqual([]);
    const checks = downloads(requests);
    expect(checks.every((check) => check.startsWith('304 '))).toBe(true);
    const ids = checks.map((check) => /file\/(\d+)/.exec(check)?.[1]);
    expect([...new Set(ids)].sort()).toEqual(['4711', '4712', '4713']);
    expect(setup.pairs()).toEqual(shown);
  });

  test('names the assets in its plan, like the command without the cache', async () => {
    const [whole, tower] = [
      /<MediaAsset id=\{4711\}[^>]*>/,
      '<MediaAsset id={4714} alt="A tower" />',
    ];
    await setup.site.edit('src/pages/index.astro', whole, tower);
    const { output } = await setup.build({ MEDIA_ASSET_REPORT: 'deploy' });
    await setup.site.remove('node_modules/.astro');
    const { stdout } = await setup.command('plan', 'dist');
    for (const plan of [output, stdout]) {
      expect(plan).toContain('  + 4714 tower\n');
      expect(plan).toMatch(/ {2}- 4711 harbour$/m);
    }
  });

  test('removes the usages of a deleted page, and no others', async () => {
    await setup.site.remove('src/pages/quay.astro');
    const { output } = await setup.build();

    expect(output).toContain('0 reported, 2 removed, in 1 request');
    expect(setup.pairs()).toEqual(shown.filter((pair) => !pair.endsWith('/quay/')));
    const [post, ...others] = usagePosts(setup.requests());
    expect(others).toEqual([]);
    expect(JSON.parse(post?.body ?? '')).toMatchObject({
      removed: 'true',
      id: [4712, 4713],
      web: { page: `${site}/quay/`, pageName: 'The quay' },
    });
  });

  test("blocks removals that exceed the guard's limit, and sends them once a person allows it", {
    tags: ['slow'],
  }, async () => {
    const source = await setup.site.read('src/pages/quay.astro');
    const pages = Math.ceil(heldIds.length / 2);
    for (let page = 1; page <= pages; page++) {
      await setup.site.write(`src/pages/moorings/${page}.astro`, source);
    }
    await setup.build();
    const listed = setup.pairs();
    expect(listed).toHaveLength(shown.length + 2 * pages);
    await setup.site.remove('src/pages/moorings');

    const held = await setup.build();
    expect(held.output).toContain('removals-held');
    expect(held.output).toContain(`${2 * pages} of ${listed.length} known usages`);
    expect(setup.pairs()).toEqual(listed);

    await setup.build({ MEDIA_ASSET_ALLOW_REMOVALS: '1' });
    expect(setup.pairs()).toEqual(shown);
  });
});
