import { existsSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { mediaAssetError } from '../../errors/errors.ts';
import { readSiteFile } from '../../scan/read/read-site-file.ts';
import { type SiteScan, scanSite } from '../../scan/scan-site.ts';
import { type BuildRules, pagesDigest } from '../../usage/build-rules.ts';
import { parseWitness, witnessFile } from '../../usage/ledger/live-witness.ts';
import { progressLine } from '../terminal/progress-line.ts';
import { noteFindings, type Terminal } from '../terminal/terminal.ts';

/** Scans a folder of built HTML, with a progress line and findings. */
export async function scanFolder(
  folder: string,
  rules: BuildRules,
  terminal: Terminal,
  onPage?: Parameters<typeof scanSite>[0]['onPage'],
): Promise<SiteScan> {
  checkFolder(folder, rules, terminal);
  const dir = resolve(terminal.directory, folder);
  const onProgress = progressLine('Scanning pages', terminal);
  const scan = await scanSite({ dir, rules, onProgress, onPage });
  if (rules.pages !== undefined && rules.pages !== pagesDigest(scan))
    throw mediaAssetError('folder-mismatch', { dir: folder, has: 'other pages or images' });
  noteFindings(scan.findings, terminal);
  return scan;
}

/**
 * Refuses a folder that wasn't built with these rules, because its pages would get wrong URLs and
 * excluded pages would count, or of another build. Without a build's stamp, only an adapter's output
 * folder (with `server` and `client`) is recognized as wrong.
 */
function checkFolder(
  folder: string,
  { stamp, output, site, finished, build }: BuildRules,
  { directory }: Pick<Terminal, 'directory'>,
): void {
  if (finished === false) throw mediaAssetError('build-unfinished', { site });
  const given = resolve(directory, folder);
  const other = output !== undefined && resolve(directory, output) !== given && { output, site };
  if (!existsSync(given)) throw mediaAssetError('folder-missing', { dir: folder, ...other });
  if (stamp === undefined) {
    const isAround = ['server/entry.mjs', 'client'].every((name) => existsSync(join(given, name)));
    const output = join(folder, 'client').replaceAll(sep, '/');
    if (isAround) throw mediaAssetError('folder-mismatch', { dir: folder, output });
    return;
  }
  if (!stamp || !existsSync(join(given, stamp)))
    throw mediaAssetError('folder-mismatch', { dir: folder, ...other });
  const own = parseWitness(readSiteFile(join(given, witnessFile))?.toString() ?? '');
  if (build && own?.kind === 'read' && own.build !== build)
    throw mediaAssetError('folder-mismatch', { dir: folder, has: 'another media-asset.json' });
}
