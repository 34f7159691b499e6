import { resolve } from 'node:path';
import { type SiteScan, scanSite } from '../scan/scan-site.ts';
import type { BuildRules } from '../usage/build-rules.ts';
import { checkOutput } from './check-output.ts';
import { progressLine } from './progress-line.ts';
import { noteFindings, type Terminal } from './terminal.ts';

/**
 * Scans a folder of built HTML for a command: with a progress line, and findings as notes.
 *
 * @throws as `checkOutput` and `scanSite` do
 */
export async function scanFolder(
  folder: string,
  rules: BuildRules,
  terminal: Terminal,
): Promise<SiteScan> {
  await checkOutput(folder, { output: rules.output, directory: terminal.directory });
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
