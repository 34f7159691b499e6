import { countOf, oneLine } from '../../errors/wording.ts';
import { type PlanLine, type PlanPage, pairsIn, planPages } from '../plan/plan-pages.ts';
import type { Plan } from '../plan/plan-usage.ts';
import type { ReportResult } from '../report/report-result.ts';

export interface MarkdownOptions {
  /** What has become of the plan, where it has been sent. */
  readonly result?:
    | Pick<ReportResult, 'reported' | 'removed' | 'requests' | 'unsent' | 'reason'>
    | undefined;
  /** Characters that the pages may take; the rest is counted. @default 50000, a comment's room */
  readonly room?: number;
  /** Ids shown in a cell; the rest is counted. @default 50 */
  readonly ids?: number;
}

const columns: readonly [sign: PlanLine['sign'], title: string, meaning: string][] = [
  ['+', 'publishes', 'the page shows the asset from now on'],
  ['-', 'un-publishes', 'it no longer does'],
  ['~', 'reports anew', 'it still does, and the entry is brought up to date'],
  ['!', 'held', 'it no longer does, and a person has to allow the removal'],
];

const heading = '### Asset usages';

/** What stands in the place of a plan that could not be made. */
export function missingPlanToMarkdown(reason: string): string {
  return `${heading}\n\n**No plan:** ${escapeMarkdown(reason)}\n`;
}

/**
 * A plan as Markdown for a review comment or a job's summary: which assets each page publishes and
 * no longer publishes. Ends with a line break.
 */
export function planToMarkdown(
  plan: Plan,
  { result, room = 50_000, ids = 50 }: MarkdownOptions = {},
): string {
  const pages = planPages(plan);
  if (pages.length === 0) {
    return `${heading}\n\nNothing changes: the service already lists what the pages show.\n`;
  }
  const lines = pages.flatMap((page) => page.lines);
  const shown = columns.filter(([sign]) => lines.some((line) => line.sign === sign));
  const rows: string[] = [];
  let left = room;
  for (const page of pages) {
    const row = rowOf(page, { shown, ids });
    left -= row.length + 1;
    if (left < 0) break;
    rows.push(row);
  }
  const hidden = pages.slice(rows.length);
  const words = shown.map(([, title, meaning]) => `*${title}*: ${meaning}`).join('; ');
  const more = `… and ${countOf(hidden.length, 'more page')} with ${countOf(pairsIn(hidden.flatMap((page) => page.lines)), 'usage')}. \`media-asset plan\` shows all.`;
  return [
    heading,
    counts(lines),
    `The numbers are ids of assets in the Media Asset Service, which lists the pages that show each. ${words}.`,
    [
      tableRow(['page', ...shown.map(([, title]) => title)]),
      tableRow(['---', ...shown.map(() => '---')]),
      ...rows,
    ].join('\n'),
    ...(hidden.length > 0 ? [more] : []),
    ...closing(plan, result),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

function rowOf(
  { page, pageName, lines }: PlanPage,
  { shown, ids: most }: { shown: typeof columns; ids: number },
): string {
  const cells = shown.map(([sign]) => {
    const same = lines.filter((line) => line.sign === sign);
    const ids = same.flatMap((line) => line.ids).sort((a, b) => a - b);
    const notes = [...new Set(same.map(({ note }) => note))].filter((note) => note && sign === '~');
    const rest = ids.length > most ? ` and ${ids.length - most} more` : '';
    const why = notes.length > 0 ? ` (${escapeMarkdown(notes.join('; '))})` : '';
    return ids.length > 0 ? `${ids.slice(0, most).join(', ')}${rest}${why}` : '';
  });
  return tableRow([markdownLink(pageName, page), ...cells]);
}

function counts(lines: readonly PlanLine[]): string {
  const pairs = (sign: PlanLine['sign']) => pairsIn(lines.filter((line) => line.sign === sign));
  const parts = [
    `publishes ${countOf(pairs('+'), 'usage')}`,
    `un-publishes ${pairs('-')}`,
    ...(pairs('~') > 0 ? [`reports ${pairs('~')} anew`] : []),
    ...(pairs('!') > 0 ? [`holds ${countOf(pairs('!'), 'removal')}`] : []),
  ];
  return `This change **${parts.join(', ')}**.`;
}

function closing({ guard }: Plan, result: MarkdownOptions['result']): string[] {
  const held = `**Held:** ${countOf(guard.removals, 'removal')} of ${guard.known} known usages, more than the guard allows (${guard.limit}). If the pages are really gone, build once with \`MEDIA_ASSET_ALLOW_REMOVALS=1\`, or run \`media-asset report\` once with \`--allow-removals\`.`;
  if (!result) return [...(guard.held ? [held] : []), 'Planned; nothing was sent.'];
  const { reported, removed, requests, unsent, reason = '' } = result;
  const sent = `${countOf(reported, 'usage')} reported, ${removed} removed, in ${countOf(requests, 'request')}`;
  return [
    ...(guard.held ? [held] : []),
    `Sent: ${sent}.`,
    ...(unsent > 0
      ? [`**Unsent:** ${unsent}, kept for the next run. ${escapeMarkdown(reason)}`]
      : []),
  ];
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** A space of no width. */
const apart = '\u200b';

/**
 * A text that stands in GitHub's and GitLab's Markdown as it is, in a table too: no markup, no HTML,
 * no line break, and no one is notified by it.
 */
function escapeMarkdown(text: string): string {
  return oneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]()#+\-!|~$]/g, '\\$&')
    .replace(/[@#](?=\S)|:\/\/|\bwww\./g, `$&${apart}`);
}

/** A link whose text is a name of the site's own. */
function markdownLink(text: string, url: string): string {
  return `[${escapeMarkdown(text.trim() || url)}](<${url.replace(/[\s<>|\\`\p{Cc}]/gu, encodeURIComponent)}>)`;
}
