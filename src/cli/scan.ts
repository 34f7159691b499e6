import { manifestToJson } from '../usage/manifest.ts';
import type { SiteScan } from '../usage/scan-site.ts';
import { scanFolder } from './scan-folder.ts';
import { type SiteFlags, siteRules } from './site-rules.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

/** `media-asset scan <folder>`: the assets that each built page shows. */
export async function scan(
  flags: SiteFlags,
  terminal: Terminal,
  folder: string,
): Promise<ExitCode> {
  const rules = await siteRules(flags, terminal);
  const found = await scanFolder(folder, rules, terminal);
  terminal.out(
    flags.json ? JSON.stringify(manifestToJson(found), undefined, 2) : scanText(found, terminal),
  );
  return exitCodes.done;
}

/** The manifest as people read it: each page with its assets, then a line of counts. */
function scanText({ pages, counts }: SiteScan, { paint }: Terminal): string {
  const withAssets = pages.filter(({ assets }) => assets.length > 0);
  const blocks = withAssets.map(({ page, pageName, assets }) => {
    const ids = assets.map(({ id, occurrences }) =>
      occurrences > 1 ? `${id} (${occurrences}×)` : id,
    );
    return `${paint.bold(pageName)} ${paint.dim(page)}\n  ${ids.join(', ')}`;
  });
  const usages = withAssets.reduce((sum, { assets }) => sum + assets.length, 0);
  const ids = new Set(withAssets.flatMap(({ assets }) => assets.map(({ id }) => id)));
  const totals = [
    `${counts.pages} pages scanned`,
    `${ids.size} assets in ${usages} usages on ${withAssets.length} pages`,
    ...(counts.redirects > 0 ? [`${counts.redirects} redirects left out`] : []),
    ...(counts.excluded > 0 ? [`${counts.excluded} pages excluded`] : []),
  ];
  return [...blocks, `${totals.join(', ')}.`].join('\n');
}
