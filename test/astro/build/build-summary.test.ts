import type { IntegrationResolvedRoute } from 'astro';
import { expect, test } from 'vitest';
import {
  type BuildSummary,
  buildSummaryLines,
  onDemandRoutes,
} from '../../../src/astro/build/build-summary.ts';

const quiet: BuildSummary = {
  scan: {
    counts: { pages: 12, redirects: 0, excluded: 0 },
    pages: [{ assets: [1, 2, 3] }, { assets: [3, 4] }],
  },
  work: { made: 0, taken: 0, reused: 52, checks: 4, downloads: 0, stale: 0, missing: 0 },
  usages: { kind: 'off', reason: 'Reporting is switched off.' },
  unscanned: { routes: [], islands: [] },
};

test('the summary of a build counts scanned pages, assets, renditions and requests', () => {
  expect(buildSummaryLines(quiet)).toEqual([
    'pages       12 scanned',
    'assets      4 assets in 5 usages',
    'renditions  0 made, 52 reused',
    'service     4 checks, 0 downloads',
    'usages      Reporting is switched off.',
  ]);
});

const one = { pages: 1, redirects: 1, excluded: 2 };
const work = { made: 0, taken: 0, reused: 0, checks: 1, downloads: 1, stale: 1, missing: 2 };
const islands = Array.from({ length: 500 }, (_, index) => `/tide/${index}/`);

test.each<[Partial<BuildSummary>, string[]]>([
  [
    { scan: { counts: one, pages: [{ assets: [1] }] }, work },
    [
      'pages       1 scanned, 1 redirect, 2 excluded\n',
      'assets      1 asset in 1 usage\n',
      'service     1 check, 1 download, 1 asset stale, 2 assets missing\n',
    ],
  ],
  [
    { unscanned: { routes: ['/search', '/[...rest]'], islands: ['/tide/'] } },
    [
      'not scanned 2 on-demand routes: /search, /[...rest]\n',
      'not scanned server islands on 1 page: /tide/\n',
    ],
  ],
  [{ unscanned: { routes: [], islands } }, ['/tide/9/ and 490 more\n']],
  [
    { next: { until: '2027-01-31', ids: [4711], pages: 3, unknown: [] } },
    ['next end    2027-01-31: asset 4711 on 3 pages\n'],
  ],
  [{ next: { ids: [], pages: 0, unknown: [] } }, ['next end    none\n']],
  [
    { next: { ids: [], pages: 0, unknown: [1, 2] } },
    ['next end    none known; unknown for 2 assets (1, 2)\n'],
  ],
])('the summary of %j has %j', (changes, lines) => {
  const summary = `${buildSummaryLines({ ...quiet, ...changes }).join('\n')}\n`;
  for (const line of lines) expect(summary).toContain(line);
});

const sent = {
  ...({ kind: 'sent', reported: 0, removed: 0, requests: 0, unsent: 0, held: 0 } as const),
  reason: undefined,
};

test.each<[string, BuildSummary['usages'], string[]]>([
  ['nothing changed', sent, ['usages      nothing changed, no request sent']],
  [
    'sent',
    { ...sent, reported: 3, removed: 1, requests: 1 },
    ['usages      3 reported, 1 removed, in 1 request'],
  ],
  [
    'held',
    { ...sent, held: 3 },
    ['usages      nothing was sent', 'held        3 removals, more than the guard allows'],
  ],
  [
    'held after a request',
    { ...sent, reported: 1, requests: 1, held: 1 },
    [
      'usages      1 reported, 0 removed, in 1 request',
      'held        1 removal, more than the guard allows',
    ],
  ],
  [
    'unsent without a reason',
    { ...sent, unsent: 1 },
    ['usages      nothing was sent', 'unsent      1 usage, kept for the next run'],
  ],
  [
    'partly unsent',
    { ...sent, reported: 2, requests: 3, unsent: 1, reason: 'The service could not be reached.' },
    [
      'usages      2 reported, 0 removed, in 3 requests',
      'unsent      1 usage, kept for the next run',
      '            The service could not be reached.',
    ],
  ],
  [
    'planned',
    { kind: 'planned', reason: 'This is a local build.', enable: 'To report it, set …' },
    ['usages      not sent: This is a local build.', '            To report it, set …'],
  ],
  [
    'failed',
    { kind: 'failed', reason: 'The store of the ledger is down.' },
    ['usages      failed: The store of the ledger is down.'],
  ],
])("the summary's lines on usages: %s", (_, usages, lines) => {
  expect(buildSummaryLines({ ...quiet, usages }).slice(4)).toEqual(lines);
});

test("the project's pages that are rendered on demand are its on-demand routes", () => {
  const route = { type: 'page', isPrerendered: false, origin: 'project' } as const;
  const routes = [
    { ...route, pattern: '/search' },
    { ...route, pattern: '/about', isPrerendered: true },
    { ...route, pattern: '/data.json', type: 'endpoint' },
    { ...route, pattern: '/_server-islands/[name]', origin: 'internal' },
  ] as unknown as IntegrationResolvedRoute[];
  expect(onDemandRoutes(routes)).toEqual(['/search']);
});
