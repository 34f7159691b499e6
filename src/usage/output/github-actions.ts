import { appendFile } from 'node:fs/promises';
import { type Finding, finding } from '../../errors/errors.ts';

type Variables = Readonly<Record<string, string | undefined>>;

export function isOnGithub({ GITHUB_ACTIONS }: Variables): boolean {
  return GITHUB_ACTIONS === 'true';
}

export type Annotation = Pick<Finding, 'code' | 'severity' | 'message' | 'hint'>;

/** The workflow command that shows a finding as an annotation: one line, whatever it says. */
export function workflowCommand({ code, severity, message, hint }: Annotation): string {
  const tag = `[${code}]`;
  const text = `${message} ${hint}${hint.endsWith(tag) ? '' : ` ${tag}`}`;
  return `::${severity} title=${escapeProperty(code)}::${escapeData(text)}`;
}

/**
 * Adds Markdown to the summary of the job, where there is one. Gives the finding
 * `file-unwritable` where it could not be written: that is no reason to fail.
 */
export async function appendJobSummary(
  markdown: string,
  { GITHUB_STEP_SUMMARY: path }: Variables,
): Promise<Finding[]> {
  if (!path) return [];
  try {
    await appendFile(path, `${markdown}\n`);
    return [];
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    return [finding('warning', 'file-unwritable', path, { path, problem })];
  }
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
