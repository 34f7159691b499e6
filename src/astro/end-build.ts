import { isAbsolute, sep } from 'node:path';
import { writeBuildRules } from '../usage/build-rules.ts';
import { type BuildSession, buildRulesPath, markedRules, ownsMark } from './build-mark.ts';

/**
 * Ends a build whose pages are scanned: notes that its output is whole. Leaves alone what another
 * build has noted since: the last one to begin is the one that the command line knows.
 *
 * @param folder the built pages, from the project's folder
 * @throws `build-unfinished` where another build has begun in this one's folder
 */
export async function endBuild(session: BuildSession, folder: string): Promise<void> {
  if (!session.config.site || !(await ownsMark(session))) return;
  const output = isAbsolute(folder) ? undefined : folder.replaceAll(sep, '/') || '.';
  await writeBuildRules(buildRulesPath(session), {
    ...markedRules(session),
    output,
    finished: true,
  });
}
