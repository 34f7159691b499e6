import { appendFile } from 'node:fs/promises';
import { type Finding, finding, hintWithCode } from '../../errors/errors.ts';

type Variables = Readonly<Record<string, string | undefined>>;

export function isOnGithub({ GITHUB_ACTIONS }: Variables): boolean {
  return GITHUB_ACTIONS === 'true';
}

export type Annotation = Pick<Finding, 'code' | 'severity' | 'message' | 'hint'>;

/** The workflow command that shows a finding as an annotation: one line, whatever it says. */
export function workflowCommand({ code, severity, message, hint }: Annotation): string {
  const text = `${message} ${hintWithCode({ code, hint })}`;
  return `::${severity} title=${escapeProperty(code)}::${escapeData(text)}`;
}

/**
 * A text that holds no command to the host that reads the log: a page's title or a service's answer may
 * look like one. GitHub Actions, Azure Pipelines and TeamCity take `::name …::` at the start of a line,
 * and `##[name]`, `##vso[…]` and `##teamcity[…]` anywhere. Each of them gets a space in its middle.
 */
export function neutralizeCommands(text: string): string {
  return text
    .replace(/^((?:[^\S\n\r]|\u0085)*:)(?=:[^\n\r]*::)/gm, '$1 ')
    .replace(/##(?=\w*\[)/g, '# #');
}

/** The same for JSON: its strings stay as they are. */
export function neutralizeCommandsInJson(json: string): string {
  return json.replaceAll('##', '#\\u0023');
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
