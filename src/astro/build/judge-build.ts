import type { AstroIntegrationLogger } from 'astro';
import { finding } from '../../errors/errors.ts';
import { logFinding } from '../log-finding.ts';
import type { Session } from '../session.ts';
import type { Unscanned } from './build-summary.ts';

/**
 * What every build ends with. If no page is prerendered, nothing has waited for the checks yet.
 *
 * @throws what concerns all assets; `asset-unknown` or `asset-withdrawn`, naming the pages
 */
export async function judgeBuild(
  session: Session,
  { routes, islands }: Unscanned,
  logger: AstroIntegrationLogger,
): Promise<void> {
  await session.prepared();
  session.markdown.throwIfFailed();
  judgeRefusals(session, logger);
  await session.images.tidy();
  const places = session.markdown.unpublished(session.published);
  const [place] = places;
  if (place === undefined || routes.length + islands.length === 0) return;
  logFinding(logger, finding('warning', 'markdown-on-demand', place, { places, routes, islands }));
}

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
