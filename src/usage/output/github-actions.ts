import type { Environment } from '../../config/options.ts';
import { type Finding, hintWithCode } from '../../errors/errors.ts';

export function isOnGithub({ GITHUB_ACTIONS }: Environment): boolean {
  return GITHUB_ACTIONS === 'true';
}

export type Annotation = Pick<Finding, 'code' | 'severity' | 'message' | 'hint'>;

/** The workflow command that shows a finding as an annotation, always one line. */
export function workflowCommand({ code, severity, message, hint }: Annotation): string {
  const text = `${message} ${hintWithCode({ code, hint })}`;
  const title = escapeData(code).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${severity} title=${title}::${escapeData(text)}`;
}

/**
 * Changes a text so that it contains no command for the host that reads the log. A page's title or
 * a service's answer may look like one. GitHub Actions, Azure Pipelines and TeamCity accept
 * `::name …::` at the start of a line, and `##[name]`, `##vso[…]` and `##teamcity[…]` anywhere.
 * Each of them gets a space in its middle.
 */
export function neutralizeCommands(text: string): string {
  return text
    .replace(/^((?:[^\S\n\r]|\u0085)*:)(?=:[^\n\r]*::)/gm, '$1 ')
    .replace(/##(?=\w*\[)/g, '# #');
}

/** The same for JSON, without changing its strings. */
export function neutralizeCommandsInJson(json: string): string {
  return json.replaceAll('##', '#\\u0023');
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
