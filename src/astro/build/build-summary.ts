import type { IntegrationResolvedRoute } from 'astro';
import type { PublisherAssets } from '../../assets/publisher-assets.ts';
import { countOf, listNames } from '../../errors/wording.ts';
import type { PageUsage } from '../../scan/manifest.ts';
import type { SiteScan } from '../../scan/scan-site.ts';
import { type NextEnd, nextEndText } from '../../usage/next-end.ts';
import type { ReportResult } from '../../usage/report/report-result.ts';
import type { BuildNotes } from './build-notes.ts';

export interface BuildSummary {
  readonly scan: Pick<SiteScan, 'counts'> & {
    readonly pages: readonly Pick<PageUsage, 'assets'>[];
  };
  readonly work: Omit<ReturnType<PublisherAssets['counts']>, 'assets'>;
  /** `undefined` if the site reads no rights. */
  readonly next?: NextEnd | undefined;
  readonly usages: UsageSummary;
  readonly unscanned: Readonly<BuildNotes['unscanned']>;
}

export function onDemandRoutes(routes: readonly IntegrationResolvedRoute[]): string[] {
  const onDemand = routes.filter(({ type, isPrerendered }) => type === 'page' && !isPrerendered);
  return onDemand.filter(({ origin }) => origin !== 'internal').map(({ pattern }) => pattern);
}

type SentUsages = { readonly kind: 'sent' } & Pick<
  ReportResult,
  'reported' | 'removed' | 'requests' | 'unsent' | 'held' | 'reason'
>;

export type UsageSummary =
  | SentUsages
  | { readonly kind: 'planned'; readonly reason: string; readonly enable: string }
  /** An error occurred. It fails the build unless it's an outage. */
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'off'; readonly reason: string };

type Row = [name: string, text: string];

export function buildSummaryLines(summary: BuildSummary): string[] {
  const { scan, work, next, unscanned } = summary;
  const shown = scan.pages.flatMap(({ assets }) => assets);
  const { pages, redirects, excluded } = scan.counts;
  const counts = [
    `${pages} scanned`,
    redirects > 0 && countOf(redirects, 'redirect'),
    excluded > 0 && `${excluded} excluded`,
  ];
  const { routes, islands } = unscanned;
  const rows: (Row | false)[] = [
    ['pages', sentence(counts)],
    ['assets', `${countOf(new Set(shown).size, 'asset')} in ${countOf(shown.length, 'usage')}`],
    [
      'renditions',
      sentence([
        `${work.made} made`,
        `${work.reused} reused`,
        work.taken > 0 && `${work.taken} from the live site`,
      ]),
    ],
    [
      'service',
      sentence([
        countOf(work.checks, 'check'),
        countOf(work.downloads, 'download'),
        work.stale > 0 && `${countOf(work.stale, 'asset')} stale`,
        work.missing > 0 && `${countOf(work.missing, 'asset')} missing`,
      ]),
    ],
    next !== undefined && ['next end', nextEndText(next)],
    ...usageRows(summary.usages),
    routes.length > 0 && [
      'not scanned',
      `${countOf(routes.length, 'on-demand route')}: ${listNames(routes)}`,
    ],
    islands.length > 0 && [
      'not scanned',
      `server islands on ${countOf(islands.length, 'page')}: ${listNames(islands)}`,
    ],
  ];
  return rows.flatMap((row) => (row ? `${row[0].padEnd(12)}${row[1]}` : []));
}

function usageRows(usages: UsageSummary): Row[] {
  if (usages.kind === 'off') return [['usages', usages.reason]];
  if (usages.kind === 'failed') return [['usages', `failed: ${usages.reason}`]];
  if (usages.kind === 'planned') {
    return [
      ['usages', `not sent: ${usages.reason}`],
      ['', usages.enable],
    ];
  }
  const { reported, removed, requests, unsent, held, reason } = usages;
  const done =
    requests > 0
      ? `${reported} reported, ${removed} removed, in ${countOf(requests, 'request')}`
      : unsent + held > 0
        ? 'nothing was sent'
        : 'nothing changed, no request sent';
  const rows: Row[] = [['usages', done]];
  if (unsent > 0) {
    rows.push(['unsent', `${countOf(unsent, 'usage')}, kept for the next run`]);
    if (reason) rows.push(['', reason]);
  }
  // The warning has the next step.
  if (held > 0) rows.push(['held', `${countOf(held, 'removal')}, more than the guard allows`]);
  return rows;
}

function sentence(parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false).join(', ');
}
