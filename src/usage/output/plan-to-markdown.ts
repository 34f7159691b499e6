import { describe } from '../../errors/errors.ts';
import { countOf } from '../../errors/wording.ts';
import {
  type AssetNames,
  assetLabel,
  morePages,
  type PlanLine,
  type PlanPage,
  pairsIn,
  planPages,
} from '../plan/plan-pages.ts';
import type { Plan } from '../plan/plan-usage.ts';
import type { ReportResult } from '../report/report-result.ts';
import { escapeMarkdown, markdownLink, markdownTable, tableRow } from './escape-markdown.ts';
import { type RightsNote, rightsMarkdown } from './rights-notes.ts';

export interface MarkdownOptions {
  /** The result of the plan, if it was sent. */
  readonly result?:
    | Pick<ReportResult, 'reported' | 'removed' | 'requests' | 'unsent' | 'reason'>
    | undefined;
  readonly names?: AssetNames | undefined;
  readonly rights?: readonly RightsNote[] | undefined;
}

/** Characters for the table's rows, so that it fits a comment. Further pages are counted. */
const room = 50_000;

/** Assets in a cell. Further ones are counted. */
const mostIds = 50;

const columns: readonly [sign: PlanLine['sign'], title: string, meaning: string][] = [
  ['+', 'publishes', 'the page now shows the asset'],
  ['-', 'unpublishes', 'the page no longer shows the asset'],
  ['~', 'reports again', "the page still shows the asset, and the service's entry is updated"],
  ['!', 'held', 'the page no longer shows the asset, and you have to approve the removal'],
];

const heading = '### Asset usages';

/** Replaces a plan that couldn't be made. */
export function missingPlanToMarkdown(reason: string): string {
  return `${heading}\n\n**No plan:** ${escapeMarkdown(reason)}\n`;
}

/**
 * A plan as Markdown for a review comment or a job summary: the assets that each page publishes and
 * un-publishes. Ends with a line break.
 */
export function planToMarkdown(
  plan: Plan,
  { result, names, rights }: MarkdownOptions = {},
): string {
  const pages = planPages(plan);
  const aboutRights = rightsMarkdown(rights, names);
  if (pages.length === 0) {
    const nothing = 'Nothing changes: the service already lists what the pages show.';
    return `${[heading, nothing, ...aboutRights].join('\n\n')}\n`;
  }
  const lines = pages.flatMap((page) => page.lines);
  let left = room;
  const beyond = pages.findIndex((page) => {
    left -= rowOf(page, columns, names).length + 1;
    return left < 0;
  });
  const visible = beyond < 0 ? pages : pages.slice(0, beyond);
  const hidden = pages.slice(visible.length);
  const signs = new Set(visible.flatMap((page) => page.lines).map(({ sign }) => sign));
  const shown = columns.filter(([sign]) => signs.has(sign));
  const words = shown.map(([, title, meaning]) => `*${title}*: ${meaning}`).join('; ');
  return [
    heading,
    counts(lines),
    `Each number is the ID of an asset in the Media Asset Service. ${words}.`,
    markdownTable(
      ['page', ...shown.map(([, title]) => title)],
      visible.map((page) => rowOf(page, shown, names)),
    ),
    ...(hidden.length > 0 ? [`${morePages(hidden)}. \`media-asset plan\` shows all.`] : []),
    ...closing(plan, result),
    ...aboutRights,
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

function rowOf(
  { page, pageName, lines }: PlanPage,
  shown: typeof columns,
  names: AssetNames | undefined,
): string {
  const cells = shown.map(([sign]) => {
    const same = lines.filter((line) => line.sign === sign);
    const ids = same.flatMap((line) => line.ids).sort((a, b) => a - b);
    const notes = [...new Set(same.map(({ note }) => note))].filter((note) => note && sign === '~');
    const rest = ids.length > mostIds ? ` and ${ids.length - mostIds} more` : '';
    const why = notes.length > 0 ? ` (${escapeMarkdown(notes.join('; '))})` : '';
    const labels = ids.slice(0, mostIds).map((id) => escapeMarkdown(assetLabel(id, names)));
    return ids.length > 0 ? `${labels.join(', ')}${rest}${why}` : '';
  });
  return tableRow([markdownLink(pageName, page), ...cells]);
}

function counts(lines: readonly PlanLine[]): string {
  const [again, held] = [pairsIn(lines, '~'), pairsIn(lines, '!')];
  const parts = [
    `publishes ${countOf(pairsIn(lines, '+'), 'usage')}`,
    `unpublishes ${pairsIn(lines, '-')}`,
    ...(again > 0 ? [`reports ${again} again`] : []),
    ...(held > 0 ? [`holds ${countOf(held, 'removal')}`] : []),
  ];
  return `This change **${parts.join(', ')}**.`;
}

function closing({ guard }: Plan, result: MarkdownOptions['result']): string[] {
  const { message, hint } = describe('removals-held', guard);
  const held = guard.held ? [`**Held:** ${message} ${hint}`] : [];
  if (!result) return [...held, 'Planned; nothing was sent.'];
  const { reported, removed, requests, unsent, reason = '' } = result;
  const sent = `${countOf(reported, 'usage')} reported, ${removed} removed, in ${countOf(requests, 'request')}`;
  return [
    ...held,
    ...(unsent > 0
      ? [`**Unsent:** ${unsent}, kept for the next run. ${escapeMarkdown(reason)}`]
      : []),
    ...(unsent === 0 || reported + removed > 0 ? [`Sent: ${sent}.`] : []),
  ];
}
