import { countOf } from '../../errors/wording.ts';
import type { Plan } from '../plan/plan-usage.ts';
import type { ReportResult } from '../report/report-result.ts';
import { escapeMarkdown } from './publish-markdown.ts';
import { type RenderOptions, renderPlan } from './render-plan.ts';

export interface MarkdownOptions
  extends Pick<RenderOptions, 'identity' | 'manifest' | 'names' | 'rights'> {
  /** The result of the plan, if it was sent. */
  readonly result?:
    | Pick<ReportResult, 'reported' | 'removed' | 'requests' | 'unsent' | 'reason'>
    | undefined;
}

/** Characters for the plan, so that it fits a comment. Further pages are counted. */
const room = 50_000;

const heading = '### Asset usages';

/** Replaces a plan that couldn't be made. */
export function missingPlanToMarkdown(reason: string): string {
  return `${heading}\n\n**No plan:** ${escapeMarkdown(reason)}\n`;
}

/**
 * A plan as Markdown for a review comment or a job summary: as `media-asset plan` prints it, in a code
 * block, so that no title is markup or notifies someone. Ends with a line break.
 */
export function planToMarkdown(plan: Plan, { result, ...options }: MarkdownOptions): string {
  let text = renderPlan(plan, options);
  for (const maxPages of [1000, 300, 100, 30, 0])
    if (text.length > room) text = renderPlan(plan, { ...options, maxPages });
  // The addresses of pages with rights that end can be long too.
  if (text.length > room) text = `${text.slice(0, text.lastIndexOf('\n', room))}\n…`;
  // GitHub and GitLab colour lines that begin with a sign.
  const shown = text.replace(/^ {2}(?=[-+~!] \d|[-+~!] -\d)/gm, '');
  const longest = Math.max(2, ...Array.from(shown.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${[heading, `${fence}diff\n${shown}\n${fence}`, ...closing(result)].join('\n\n')}\n`;
}

function closing(result: MarkdownOptions['result']): string[] {
  if (!result) return ['Planned; nothing was sent.'];
  const { reported, removed, requests, unsent, reason = '' } = result;
  const sent = `${countOf(reported, 'usage')} reported, ${removed} removed, in ${countOf(requests, 'request')}`;
  return [
    ...(unsent > 0
      ? [`**Unsent:** ${unsent}, kept for the next run. ${escapeMarkdown(reason)}`]
      : []),
    ...(unsent === 0 || reported + removed > 0 ? [`Sent: ${sent}.`] : []),
  ];
}
