import { countOf, oneLine } from '../../../errors/wording.ts';
import { manifestToJson } from '../../../scan/manifest.ts';
import type { SiteScan } from '../../../scan/scan-site.ts';
import { readSiteSettings, type SiteFlags } from '../../settings/site-settings.ts';
import type { Command, Terminal } from '../../terminal/terminal.ts';
import { scanFolder } from '../../usage/scan-folder.ts';

export const scan: Command<SiteFlags, [folder: string]> = async (flags, terminal, folder) => {
  const { rules } = await readSiteSettings(flags, terminal);
  const found = await scanFolder(folder, { ...rules, pages: undefined }, terminal);
  terminal.print(manifestToJson(found), () => scanText(found, terminal));
};

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
