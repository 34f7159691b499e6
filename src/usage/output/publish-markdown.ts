import { appendFile } from 'node:fs/promises';
import { type Finding, finding } from '../../errors/errors.ts';
import { oneLine } from '../../errors/wording.ts';
import { writeProblem } from '../../storage/file-problems.ts';
import { writeOutput } from '../../storage/replace-file.ts';
import type { Plan } from '../plan/plan-usage.ts';
import type { ReportResult } from '../report/report-result.ts';
import { countsText, type RenderOptions, renderPlan } from './render-plan.ts';

export interface MarkdownOptions extends Pick<RenderOptions, 'identity' | 'manifest' | 'names'> {
  /** The result of the plan, if it was sent. */
  readonly result?: (Parameters<typeof countsText>[0] & Pick<ReportResult, 'reason'>) | undefined;
}

/** Characters for the plan, so that it fits a comment. Further pages are counted. */
const room = 50_000;

/**
 * A plan as Markdown for a review comment or a job summary: as `media-asset plan` prints it, in a code
 * block, so that nothing in it is markup or notifies someone. Ends with a line break.
 */
export function planToMarkdown(plan: Plan, { result, ...options }: MarkdownOptions): string {
  // GitHub and GitLab colour lines that begin with a sign.
  const style = { ...options, indent: '' };
  let text = renderPlan(plan, style);
  for (const maxPages of [1000, 300, 100, 30, 0])
    if (text.length > room) text = renderPlan(plan, { ...style, maxPages });
  const end = result
    ? `${countsText(result, 'Nothing had to be sent.')} ${oneLine(result.reason ?? '')}`.trim()
    : 'Planned; nothing was sent.';
  return inBlock(`${text}\n\n${end}`);
}

/** Replaces a plan that couldn't be made, so that no one takes an older file for it. */
export const missingPlanToMarkdown = (reason: string) => inBlock(`No plan: ${oneLine(reason)}`);

/** A block in which nothing is markup. */
export function inBlock(block: string, title = 'Asset usages'): string {
  const longest = Math.max(2, ...Array.from(block.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `### ${title}\n\n${fence}diff\n${block}\n${fence}\n`;
}

/**
 * Adds Markdown to the job summary of GitHub Actions, if there is one, and writes it to `file`: to a
 * temporary file, then renamed. A summary that can't be written is a finding.
 */
export async function publishMarkdown(
  markdown: string,
  to: {
    /** Absolute. */
    file?: string | undefined;
    environment: Readonly<Record<string, string | undefined>>;
    onFinding: (found: Finding) => void;
  },
): Promise<void> {
  const { file, environment, onFinding } = to;
  const { GITHUB_STEP_SUMMARY: summary } = environment;
  try {
    if (summary) await appendFile(summary, `${markdown}\n`);
  } catch (cause) {
    const problem = writeProblem(cause);
    onFinding(finding('warning', 'file-unwritable', { path: summary ?? '', problem }));
  }
  if (file !== undefined) await writeOutput(file, markdown);
}
