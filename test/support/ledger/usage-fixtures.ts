import type { Manifest } from '../../../src/scan/manifest.ts';
import {
  changeLedger,
  emptyLedger,
  type Ledger,
  type RecordState,
} from '../../../src/usage/ledger/ledger.ts';
import { ledgerIdentity } from '../../../src/usage/ledger/ledger-identity.ts';

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

/** This many removals are never held, however few pairs are known. */
export const removalsAlwaysAllowed = 10;

/** The assets of a page whose removal the guard blocks, on a site with few others. */
export const heldIds: number[] = Array.from(
  { length: removalsAlwaysAllowed + 2 },
  (_, index) => index + 1,
);

/** A manifest with this many pages, `/0/` and on, each with an asset or more. */
export function manyPages(
  count: number,
  { name = 'Page', ids = () => [1] }: { name?: string; ids?: (n: number) => number[] } = {},
): Manifest {
  return manifestOf(
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`/${n}/`, [name, ...ids(n)]])),
  );
}

/** A record of a ledger. The state is `confirmed`, and the other fields are the site's, by default. */
export type Known = readonly [
  path: string,
  pageName: string,
  ids: readonly number[],
  state?: RecordState,
  fields?: { project?: string; contact?: string; description?: string; date?: string },
];

/** The date of known records. */
export const earlier = '2025-11-30';

export function ledgerOf(...records: readonly Known[]): Ledger {
  return changeLedger(
    emptyLedger(ledgerIdentity(identity)),
    records.map(([path, pageName, ids, state = 'confirmed', fields = {}]) => ({
      page: `${site}${path}`,
      ...{ ...siteFields, date: earlier, pageName, ...fields },
      ids,
      state,
    })),
  );
}

/** The same pages on another site. */
export function onSite(manifest: Manifest, site: string): Manifest {
  const pages = manifest.pages.map((one) => ({
    ...one,
    page: `${site}${new URL(one.page).pathname}`,
  }));
  return { ...manifest, site, pages };
}
