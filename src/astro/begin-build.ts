import { writeBuildRules } from '../usage/build-rules.ts';
import { type BuildSession, buildRulesPath, markedRules, spoilMark } from './build-mark.ts';
import type { Session } from './session.ts';

/**
 * Begins a build: notes that the output is not whole from now on, so that `media-asset report` does
 * not take the pages that a failed build lacks for gone, and lets the work on assets begin.
 */
export async function beginBuild(
  session: BuildSession & Pick<Session, 'markdown' | 'prepare'>,
): Promise<void> {
  if (session.config.site) {
    await writeBuildRules(buildRulesPath(session), { ...markedRules(session), finished: false });
  } else {
    await spoilMark(session);
  }
  session.markdown.throwIfFailed();
  session.prepare();
}
