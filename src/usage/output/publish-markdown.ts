import { appendFile } from 'node:fs/promises';
import { type Finding, finding, mediaAssetError } from '../../errors/errors.ts';
import { oneLine } from '../../errors/wording.ts';
import { outputProblem, writeProblem } from '../../storage/file-problems.ts';
import { writeOutput } from '../../storage/replace-file.ts';

/** Checks that Markdown can be written to a path. Throws `file-unwritable`. */
export async function assertMarkdownWritable(path: string): Promise<void> {
  const problem = await outputProblem(path);
  if (problem) throw mediaAssetError('file-unwritable', { path, problem });
}

/**
 * Adds Markdown to the job summary of GitHub Actions, if there is one, and writes it to `file`: to a
 * temporary file, then renamed. A summary that can't be written is a finding.
 */
export async function publishMarkdown(
  markdown: string,
  {
    file,
    environment,
    onFinding,
  }: {
    /** Absolute. */
    file?: string | undefined;
    environment: Readonly<Record<string, string | undefined>>;
    onFinding: (found: Finding) => void;
  },
): Promise<void> {
  const { GITHUB_STEP_SUMMARY: summary } = environment;
  try {
    if (summary) await appendFile(summary, `${markdown}\n`);
  } catch (cause) {
    const problem = writeProblem(cause);
    onFinding(finding('warning', 'file-unwritable', { path: summary ?? '', problem }));
  }
  if (file === undefined) return;
  await assertMarkdownWritable(file);
  await writeOutput(file, markdown);
}

/** A zero-width space. */
const apart = '\u200b';

/**
 * Escapes a text for GitHub's and GitLab's Markdown, also in a table. The text can't add markup,
 * HTML or line breaks, and notifies no one.
 */
export function escapeMarkdown(text: string): string {
  return oneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]()#+\-!|~$]/g, '\\$&')
    .replace(/[@#](?=\S)|:\/\/|\bwww\./g, `$&${apart}`);
}
