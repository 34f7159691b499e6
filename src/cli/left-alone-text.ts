import { countOf, oneLine } from '../errors/wording.ts';
import type { OtherUsage } from '../usage/split-listing.ts';

/** Names shown; the rest is counted. */
const most = 10;

/**
 * What another project has reported, name by name, and how to count it as this site's own: one
 * paragraph, or none where there is nothing. `manifest`: what the built pages show, where they are
 * known.
 */
export function leftAloneText(
  usages: readonly OtherUsage[],
  manifest: { readonly pages: readonly { readonly page: string }[] } | undefined,
): string[] {
  if (usages.length === 0) return [];
  const built = new Set(manifest?.pages.map(({ page }) => page));
  const named = [...Map.groupBy(usages, nameOf)];
  const lines = named.slice(0, most).map(([name, same]) => {
    const pages = [...new Set(same.map(({ page }) => page))].sort();
    const here = pages.filter((page) => built.has(page)).length;
    const where = `${countOf(same.length, 'usage')} on ${countOf(pages.length, 'page')}, such as ${pages[0]}`;
    return `  ${name}: ${where}${here > 0 ? ` (${here} of them built here)` : ''}`;
  });
  return [
    [
      `${countOf(usages.length, 'usage')} of another project or contact, left alone:`,
      ...lines,
      ...(named.length > most ? [`  and ${named.length - most} other names`] : []),
      'If this site reported them under an earlier name, run this first: media-asset reconcile --all --project <name> --contact <name>',
    ].join('\n'),
  ];
}

function nameOf({ project, contact }: OtherUsage): string {
  return [
    ...(project === undefined ? [] : [`project ${JSON.stringify(oneLine(project))}`]),
    ...(contact === undefined ? [] : [`contact ${JSON.stringify(oneLine(contact))}`]),
  ].join(', ');
}
