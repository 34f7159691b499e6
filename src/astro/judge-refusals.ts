import type { AstroIntegrationLogger } from 'astro';
import { logFinding } from './log-finding.ts';
import type { Session } from './session.ts';

/**
 * Ends a build whose pages show refused assets, or says each of them once where the site publishes
 * such pages.
 *
 * @returns whether none was refused
 * @throws `asset-unknown` or `asset-withdrawn`, naming the pages
 */
export function judgeRefusals(
  { refusals, options }: Pick<Session, 'refusals' | 'options'>,
  logger: AstroIntegrationLogger,
): boolean {
  const refused = refusals.toError();
  if (refused && options.unavailable === 'fail') throw refused;
  for (const found of refusals.takeFindings()) logFinding(logger, found);
  return refused === undefined;
}
