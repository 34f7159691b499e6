import type { Command } from 'commander';
import { countOf, oneLine } from '../../../errors/wording.ts';
import type { SiteScan } from '../../../scan/scan-site.ts';
import { example, siteOptions, type ToAction } from '../../command-options.ts';
import type { SiteFlags } from '../../settings/site-settings.ts';
import { type ExitCode, exitCodes, type Terminal } from '../../terminal/terminal.ts';

export function declareScan(program: Command, run: ToAction): void {
  siteOptions(program.command('scan'))
    .description('List the assets on each built page.')
    .addHelpText('after', example('media-asset scan dist --site https://www.example.org'))
    .action(run(scan));
}

async function scan(flags: SiteFlags, terminal: Terminal, folder: string): Promise<ExitCode> {
  const { manifestToJson } = await import('../../../scan/manifest.ts');
  const { scanFolder } = await import('../../usage/scan-folder.ts');
  const { readSiteSettings } = await import('../../settings/site-settings.ts');
  const { rules } = await readSiteSettings(flags, terminal);
  const found = await scanFolder(folder, { ...rules, pages: undefined }, terminal);
  terminal.print(manifestToJson(found), () => scanText(found, terminal));
  return exitCodes.done;
}

function scanText({ pages, counts }: SiteScan, { paint }: Terminal): string {
  const withAssets = pages.filter(({ assets }) => assets.length > 0);
  const blocks = withAssets.map(
    ({ page, pageName, assets }) =>
      `${paint.bold(oneLine(pageName))}  ${paint.dim(page)}\n  ${assets.join(', ')}`,
  );
  const usages = withAssets.reduce((sum, { assets }) => sum + assets.length, 0);
  const ids = new Set(withAssets.flatMap(({ assets }) => assets));
  const totals = [
    `${countOf(counts.pages, 'page')} scanned`,
    `${countOf(ids.size, 'asset')} in ${countOf(usages, 'usage')} on ${countOf(withAssets.length, 'page')}`,
    ...(counts.redirects > 0 ? [`${countOf(counts.redirects, 'redirect')} left out`] : []),
    ...(counts.excluded > 0 ? [`${countOf(counts.excluded, 'page')} excluded`] : []),
  ];
  return [...blocks, `${totals.join(', ')}.`].join('\n');
}
