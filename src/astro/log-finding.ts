import type { AstroIntegrationLogger } from 'astro';
import type { Finding } from '../errors.ts';

/** Prints a finding in the log of the build or the dev server. */
export function logFinding(logger: AstroIntegrationLogger, finding: Finding): void {
  const level = ({ error: 'error', warning: 'warn', notice: 'info' } as const)[finding.severity];
  logger[level](`${finding.message} ${finding.hint} [${finding.code}]`);
}
