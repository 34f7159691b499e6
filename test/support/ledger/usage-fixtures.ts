import type { Manifest } from '../../../src/scan/manifest.ts';
import { removalsAlwaysAllowed } from '../../../src/usage/plan/plan-usage.ts';

export const site = 'https://harbour.example';
export const identity = { service: 'https://media.example', site, base: '/' };
export const siteFields = { project: 'Harbour', contact: 'web@harbour.example', description: '' };

/** A manifest from paths, each with its name and asset IDs: `{ '/quay/': ['The quay', 1, 2] }`. */
export function manifestOf(pages: Record<string, readonly [string, ...number[]]>): Manifest {
  return {
    site,
    base: '/',
    pages: Object.entries(pages)
      .map(([path, [pageName, ...ids]]) => ({
        page: `${site}${path}`,
        pageName,
        assets: ids.toSorted((a, b) => a - b),
      }))
      .sort((a, b) => (a.page < b.page ? -1 : 1)),
    findings: [],
  };
}

/** The pairs of a manifest as `page id name`, sorted. */
export function pairsOf({ pages }: Manifest): string[] {
  return pages
    .flatMap(({ page, pageName, assets }) => assets.map((id) => `${page} ${id} ${pageName}`))
    .sort();
}

/** The assets of a page whose removal the guard blocks, on a site with few others. */
export const heldIds: number[] = Array.from(
  { length: removalsAlwaysAllowed + 2 },
  (_, index) => index + 1,
);
