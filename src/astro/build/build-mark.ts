import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mediaAssetError } from '../../errors/errors.ts';
import { isBelow } from '../../scan/read/site-files.ts';
import { type BuildRules, readBuildRules, writeBuildRules } from '../../usage/build-rules.ts';
import type { Session } from '../session.ts';
import { siteRules } from './site-rules.ts';

/** What a build's mark is made from. */
type BuildSession = Pick<Session, 'buildId' | 'config' | 'options' | 'service'>;

/** The file that tells the command line about the site's builds, in the project's folder. */
function buildRulesPath({ config }: Pick<Session, 'config'>): string {
  return join(fileURLToPath(config.root), '.media-asset/build.json');
}

/** The rules of this build, with what tells it from the others of the project. */
function markedRules(session: BuildSession): BuildRules {
  return { ...siteRules(session), build: session.buildId, outDir: outDirOf(session) };
}

/**
 * Takes the mark that another build has left for the folder that this one empties, and which has no
 * address to leave one of its own: what is in there from now on are not that build's pages.
 */
async function spoilMark(session: BuildSession): Promise<void> {
  const path = buildRulesPath(session);
  // A broken mark lets nothing be reported either.
  const found = await readBuildRules(path).catch(() => undefined);
  if (!found || !sharesFolder(session, found)) return;
  await writeBuildRules(path, { ...found, build: session.buildId, finished: false });
}

/**
 * Whether the project's mark is this build's own. It is not, once another one has begun.
 *
 * @throws `build-unfinished` where that one has emptied this one's folder, or a part of it
 */
export async function ownsMark(session: BuildSession): Promise<boolean> {
  const found = await readBuildRules(buildRulesPath(session));
  if (found === undefined || found.build === session.buildId) return true;
  if (!sharesFolder(session, found)) return false;
  const { site } = siteRules(session);
  throw mediaAssetError('build-unfinished', { site, begunSince: true });
}

/** Whether the build of a mark empties this one's folder, a part of it, or a folder around it. */
function sharesFolder(session: BuildSession, { outDir }: BuildRules): boolean {
  const root = fileURLToPath(session.config.root);
  const own = outDirOf(session);
  // A build of an earlier version does not name its folder.
  const [ours, theirs] = [resolve(root, own), resolve(root, outDir ?? own)];
  return isBelow(ours, theirs) || isBelow(theirs, ours);
}

/** From the project's folder. */
function outDirOf({ config: { root, outDir } }: BuildSession): string {
  return relative(fileURLToPath(root), fileURLToPath(outDir));
}

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
