import type { AstroIntegrationLogger } from 'astro';
import type { Finding } from '../errors.ts';
import { type Annotation, isOnGithub, workflowCommand } from '../usage/github-actions.ts';

/** Prints a finding in the log of the build or the dev server; in GitHub Actions as an annotation. */
export function logFinding(logger: AstroIntegrationLogger, finding: Finding): void {
  if (isOnGithub(process.env)) {
    writeAnnotation(finding);
    return;
  }
  const level = ({ error: 'error', warning: 'warn', notice: 'info' } as const)[finding.severity];
  const { message, hint, code } = finding;
  // The hint of a thrown error has its code already.
  const end = hint.endsWith(`[${code}]`) ? '' : ` [${code}]`;
  // A list has no stop that would part it from the hint.
  logger[level](`${message}${message.includes('\n') ? '\n' : ' '}${hint}${end}`);
}

/**
 * GitHub knows a command at the beginning of a line only: a logger begins its lines with the time,
 * and Astro leaves the line of a page open while it renders it.
 */
export function writeAnnotation(annotation: Annotation): void {
  process.stdout.write(`\n${workflowCommand(annotation)}\n`);
}
