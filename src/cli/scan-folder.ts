import { resolve } from 'node:path';
import { type SiteScan, scanSite } from '../scan/scan-site.ts';
import type { BuildRules } from '../usage/build-rules.ts';
import { checkOutput } from './check-output.ts';
import { progressLine } from './progress-line.ts';
import type { SiteFlags } from './site-rules.ts';
import { noteFindings, type Terminal } from './terminal.ts';

/**
 * Scans a folder of built HTML for a command: with a progress line, and findings as notes. A site
 * that the flags name may be another one than the last build's.
 *
 * @throws as `checkOutput` and `scanSite` do
 */
export async function scanFolder(
  folder: string,
  { rules, flags }: { rules: BuildRules; flags: SiteFlags },
  terminal: Terminal,
): Promise<SiteScan> {
  const site = flags.site === undefined ? rules.site : undefined;
  await checkOutput(folder, { output: rules.output, site, directory: terminal.directory });
  const progress = progressLine('Scanning pages', terminal);
  const scan = await scanSite({
    dir: resolve(terminal.directory, folder),
    rules,
    serviceOrigins: rules.service ? [rules.service] : [],
    onProgress: progress.show,
  }).finally(progress.end);
  noteFindings(scan.findings, terminal);
  return scan;
}
