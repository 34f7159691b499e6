import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeBuildRules } from '../usage/build-rules.ts';
import type { Session } from './session.ts';
import { siteRules } from './site-rules.ts';

/** The file that tells the command line about the site's builds, in the project's folder. */
export function buildRulesPath({ config }: Pick<Session, 'config'>): string {
  return join(fileURLToPath(config.root), '.media-asset/build.json');
}

/**
 * Begins a build: notes that the output is not whole from now on, so that `media-asset report` does
 * not take the pages that a failed build lacks for gone, and lets the work on assets begin.
 */
export async function beginBuild(session: Session): Promise<void> {
  if (session.config.site) {
    await writeBuildRules(buildRulesPath(session), { ...siteRules(session), finished: false });
  }
  session.markdown.throwIfFailed();
  session.prepare();
}
