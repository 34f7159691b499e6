import type { AstroIntegrationLogger } from 'astro';
import { finding } from '../errors.ts';
import type { Unscanned } from './build-summary.ts';
import { judgeRefusals } from './judge-refusals.ts';
import { logFinding } from './log-finding.ts';
import type { Session } from './session.ts';

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
