import { realpath, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { mediaAssetError } from '../../errors/errors.ts';
import { isBelow } from '../../scan/read/site-files.ts';
import type { SiteScan } from '../../scan/scan-site.ts';
import type { BuildRules } from '../../usage/build-rules.ts';
import { scanPages } from '../../usage/site-usages.ts';
import type { SiteFlags } from '../settings/site-settings.ts';
import { progressLine } from '../terminal/progress-line.ts';
import { noteFindings, type Terminal } from '../terminal/terminal.ts';

/**
 * Scans a folder of built HTML for a command: with a progress line, and findings as notes. A site
 * that the flags name may be another one than the last build's.
 *
 * @throws as `checkOutput` and `scanPages` do
 */
export async function scanFolder(
  folder: string,
  { rules, flags }: { rules: BuildRules; flags: SiteFlags },
  terminal: Terminal,
): Promise<SiteScan> {
  const site = flags.site === undefined ? rules.site : undefined;
  const { directory } = terminal;
  await checkOutput(folder, { output: rules.output, site, directory });
  const progress = progressLine('Scanning pages', terminal);
  const scan = await scanPages(resolve(directory, folder), rules, progress.show).finally(
    progress.end,
  );
  noteFindings(scan.findings, terminal);
  return scan;
}

/**
 * Refuses a folder that the last build has not filled: its pages would get the addresses of others. It
 * may hold the folder of the pages, as `dist` holds the `dist/client` of a site with an adapter, lie in
 * it, or be another build's.
 *
 * @param output where the last build has put its pages, from `directory`; where no build of this
 * site has said so, a folder of an adapter is known by what it holds
 * @throws `folder-mismatch`
 */
export async function checkOutput(
  folder: string,
  {
    output,
    site,
    directory,
  }: {
    output: string | undefined;
    /** The site of the last build; `undefined` where the command names one. */
    site: string | undefined;
    directory: string;
  },
): Promise<void> {
  const given = await realPath(resolve(directory, folder));
  const built = given && (output ? resolve(directory, output) : await clientFolder(given));
  // What was built may have been moved since: then the folder does not hold it.
  const pages = built && (await realPath(built));
  if (!given || !pages || given === pages) return;
  if (isBelow(given, pages)) {
    const pagesFolder = join(folder, relative(given, pages)).replaceAll(sep, '/');
    throw mediaAssetError('folder-mismatch', { dir: folder, output: pagesFolder });
  }
  if (output && site) throw mediaAssetError('folder-mismatch', { dir: folder, output, site });
}

async function clientFolder(folder: string): Promise<string | undefined> {
  const entry = await stat(join(folder, 'server', 'entry.mjs')).catch(() => undefined);
  return entry?.isFile() ? join(folder, 'client') : undefined;
}

/** `undefined` for what is not there, or cannot be reached: the scan says which. */
function realPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}
