import type { AstroIntegrationLogger } from 'astro';
import type { Finding } from '../errors.ts';
import { isOnGithub, workflowCommand } from '../usage/github-reporter.ts';

/** Prints a finding in the log of the build or the dev server; in GitHub Actions as an annotation. */
export function logFinding(logger: AstroIntegrationLogger, finding: Finding): void {
  if (isOnGithub(process.env)) {
    // A logger begins its lines with the time: GitHub would not know the command.
    process.stdout.write(`${workflowCommand(finding)}\n`);
    return;
  }
  const level = ({ error: 'error', warning: 'warn', notice: 'info' } as const)[finding.severity];
  logger[level](`${finding.message} ${finding.hint} [${finding.code}]`);
}
