import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mediaAssetError } from '../errors.ts';
import { isBelow } from '../scan/site-files.ts';
import { type BuildRules, readBuildRules } from '../usage/build-rules.ts';
import type { Session } from './session.ts';
import { siteRules } from './site-rules.ts';

/** What a build's mark is made from. */
export type BuildSession = Pick<Session, 'buildId' | 'config' | 'options' | 'service'>;

/** The file that tells the command line about the site's builds, in the project's folder. */
export function buildRulesPath({ config }: Pick<Session, 'config'>): string {
  return join(fileURLToPath(config.root), '.media-asset/build.json');
}

/** The rules of this build, with what tells it from the others of the project. */
export function markedRules(session: BuildSession): BuildRules {
  const { root, outDir } = session.config;
  return {
    ...siteRules(session),
    build: session.buildId,
    outDir: relative(fileURLToPath(root), fileURLToPath(outDir)),
  };
}

/**
 * Whether the project's mark is this build's own. It is not, once another one has begun.
 *
 * @throws `build-unfinished` where that one has emptied this one's folder, or a part of it
 */
export async function ownsMark(session: BuildSession): Promise<boolean> {
  const { build, outDir: own = '', site } = markedRules(session);
  const found = await readBuildRules(buildRulesPath(session));
  if (found === undefined || found.build === build) return true;
  const root = fileURLToPath(session.config.root);
  // A build of an earlier version does not name its folder.
  const [ours, theirs] = [resolve(root, own), resolve(root, found.outDir ?? own)];
  if (!isBelow(ours, theirs) && !isBelow(theirs, ours)) return false;
  throw mediaAssetError('build-unfinished', { site, begunSince: true });
}
