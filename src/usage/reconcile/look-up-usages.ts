import type { Finding } from '../../errors/errors.ts';
import type { Manifest } from '../../scan/manifest.ts';
import type { MediaService, UsageRecord } from '../../service/types.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type LedgerIdentity, ownPages } from '../ledger/ledger-identity.ts';
import { loadLedger } from '../ledger/load-ledger.ts';
import type { StateStore } from '../ledger/state-store.ts';
import type { SiteFields } from '../plan/plan-usage.ts';
import { type Listing, listAssetUsages } from './list-asset-usages.ts';

interface LookedUp {
  readonly ledger: Ledger;
  /** Without the usages that are left alone. */
  readonly listing: Listing;
  /** Usages that another project has reported below this site and base. */
  readonly leftAlone: readonly OtherUsage[];
  readonly findings: readonly Finding[];
  /** The number of requested assets. */
  readonly assets: number;
  /** The listed assets that the ledger or a page names, or that are listed on the site's pages. */
  readonly ids: readonly number[];
}

/**
 * Requests the usages of the assets that the ledger or a page names, and of `others`. Changes
 * nothing.
 *
 * @throws like `listAssetUsages`; the `ledger-…` codes
 */
export async function lookUpUsages({
  service,
  store,
  identity,
  fields,
  manifest,
  others,
  onProgress,
  signal,
}: {
  service: Pick<MediaService, 'baseUrl' | 'usages'>;
  store: StateStore;
  identity: LedgerIdentity;
  fields: SiteFields;
  manifest: Pick<Manifest, 'pages'> | undefined;
  others: readonly number[];
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
  signal?: AbortSignal | undefined;
}): Promise<LookedUp> {
  const { ledger } = await loadLedger(store, identity);
  const known = [...ledger.pages.values()].flatMap((records) => records.flatMap(({ ids }) => ids));
  const shown = manifest?.pages.flatMap(({ assets }) => assets) ?? [];
  const named = new Set([...known, ...shown]);
  const asked = [...new Set([...named, ...others])].sort((a, b) => a - b);
  const listed = await listAssetUsages({ service, ids: asked, onProgress, signal });
  const { findings } = listed;
  const names = ownNames(ledger, fields);
  const { listing, leftAlone } = splitListing(listed.listing, { identity, names });
  const isOwn = ownPages(identity);
  const isListed = (id: number) => listing.get(id)?.some(({ page }) => isOwn(page)) ?? false;
  // Requesting only the refused assets again would look like a service that lists nothing.
  const ids = asked.filter((id) => listing.has(id) && (named.has(id) || isListed(id)));
  return { ledger, listing, leftAlone, findings, assets: asked.length, ids };
}

/** A usage below this site and base that another project has reported. */
export interface OtherUsage extends Pick<UsageRecord, 'page' | 'pageName' | 'project' | 'contact'> {
  readonly id: number;
}

/** The projects and contacts whose usages belong to this site, trimmed like in a listing. */
export interface OwnNames {
  readonly projects: ReadonlySet<string>;
  readonly contacts: ReadonlySet<string>;
}

/** The names that this site reports under, and those that its ledger holds. */
export function ownNames(ledger: Ledger, fields: SiteFields): OwnNames {
  const known = [fields, ...[...ledger.pages.values()].flat()];
  return {
    projects: new Set(known.map(({ project }) => project.trim())),
    contacts: new Set(known.map(({ contact }) => contact.trim())),
  };
}

/**
 * Removes usages from a listing that another project has reported below the same site and base. For
 * example, a site at `/` finds those of one at `/shop`. A usage belongs to this site if the service
 * gives no project and no contact, or if each one that it gives is one of the site's own names.
 */
export function splitListing(
  listing: Listing,
  { identity, names: { projects, contacts } }: { identity: LedgerIdentity; names: OwnNames },
): { listing: Listing; leftAlone: OtherUsage[] } {
  const isBelow = ownPages(identity);
  const isOther = ({ page, project, contact }: UsageRecord) =>
    isBelow(page) &&
    ((project !== undefined && !projects.has(project.trim())) ||
      (contact !== undefined && !contacts.has(contact.trim())));
  const leftAlone = [...listing].flatMap(([id, records]) =>
    records
      .filter(isOther)
      .map(({ page, pageName, project, contact }) => ({ page, pageName, id, project, contact })),
  );
  const own = [...listing].map(
    ([id, records]) => [id, records.filter((record) => !isOther(record))] as const,
  );
  return { listing: new Map(own), leftAlone };
}
