import { countOf, oneLine } from '../errors/wording.ts';
import { manifestToJson } from '../scan/manifest.ts';
import type { SiteScan } from '../scan/scan-site.ts';
import { scanFolder } from './scan-folder.ts';
import { readSite, type SiteFlags } from './site-rules.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

/** `media-asset scan <folder>`: the assets that each built page shows. */
export async function scan(
  flags: SiteFlags,
  terminal: Terminal,
  folder: string,
): Promise<ExitCode> {
  const { rules } = await readSite(flags, terminal);
  const found = await scanFolder(folder, { rules, flags }, terminal);
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
    return `${paint.bold(oneLine(pageName))}  ${paint.dim(page)}\n  ${ids.join(', ')}`;
  });
  const usages = withAssets.reduce((sum, { assets }) => sum + assets.length, 0);
  const ids = new Set(withAssets.flatMap(({ assets }) => assets.map(({ id }) => id)));
  const totals = [
    `${countOf(counts.pages, 'page')} scanned`,
    `${countOf(ids.size, 'asset')} in ${countOf(usages, 'usage')} on ${countOf(withAssets.length, 'page')}`,
    ...(counts.redirects > 0 ? [`${countOf(counts.redirects, 'redirect')} left out`] : []),
    ...(counts.excluded > 0 ? [`${countOf(counts.excluded, 'page')} excluded`] : []),
  ];
  return [...blocks, `${totals.join(', ')}.`].join('\n');
}
