import { existsSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { mediaAssetError } from '../../errors/errors.ts';
import type { SiteScan } from '../../scan/scan-site.ts';
import type { BuildRules } from '../../usage/build-rules.ts';
import { pagesDigest, scanPages } from '../../usage/site-usages.ts';
import { progressLine } from '../terminal/progress-line.ts';
import { noteFindings, type Terminal } from '../terminal/terminal.ts';

/**
 * Scans a folder of built HTML for a command: with a progress line, and findings as notes.
 *
 * @throws as `checkFolder` and `scanPages` do; `folder-mismatch` if it lacks pages of the build, or has
 * others
 */
export async function scanFolder(
  folder: string,
  rules: BuildRules,
  terminal: Terminal,
): Promise<SiteScan> {
  checkFolder(folder, rules, terminal);
  const progress = progressLine('Scanning pages', terminal);
  const dir = resolve(terminal.directory, folder);
  const scan = await scanPages(dir, rules, progress.show).finally(progress.end);
  if (rules.pages !== undefined && rules.pages !== pagesDigest(scan)) {
    throw mediaAssetError('folder-mismatch', { dir: folder, otherPages: true });
  }
  noteFindings(scan.findings, terminal);
  return scan;
}

/**
 * Refuses a folder that was not built with these rules: its pages would get the URLs of others, and
 * those that its own rules exclude would count. A folder that no build has left rules for is known to
 * be the wrong one only by the server that an adapter puts next to its pages.
 *
 * @throws `build-unfinished`, `folder-mismatch`
 */
function checkFolder(
  folder: string,
  { stamp, output, site, finished }: Pick<BuildRules, 'stamp' | 'output' | 'site' | 'finished'>,
  { directory }: Pick<Terminal, 'directory'>,
): void {
  if (finished === false) throw mediaAssetError('build-unfinished', { site });
  const given = resolve(directory, folder);
  if (stamp === undefined) {
    const isAround = ['server/entry.mjs', 'client'].every((name) => existsSync(join(given, name)));
    const output = join(folder, 'client').replaceAll(sep, '/');
    if (isAround) throw mediaAssetError('folder-mismatch', { dir: folder, output });
    return;
  }
  // A folder that is not there is for the scan to name.
  if (!existsSync(given) || (stamp && existsSync(join(given, stamp)))) return;
  const isNamed = output === undefined || resolve(directory, output) === given;
  throw mediaAssetError('folder-mismatch', { dir: folder, ...(!isNamed && { output, site }) });
}
