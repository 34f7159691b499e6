import type { UsageRecord } from '../service/media-service.ts';
import type { Ledger } from './ledger.ts';
import { type LedgerIdentity, ownPages } from './ledger-identity.ts';
import type { Listing } from './list-usages.ts';
import type { SiteFields } from './plan-usage.ts';

/** A usage below this site and base that another project has reported. */
export interface OtherUsage extends Pick<UsageRecord, 'page' | 'pageName' | 'project' | 'contact'> {
  readonly id: number;
}

/** The projects and contacts whose usages are this site's, trimmed as in a listing. */
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
 * Takes out of a listing what another project has reported below the same site and base, as a site
 * at `/` finds those of one at `/shop`. A usage is this site's where the service gives no project and
 * no contact, and where each of both that it gives is one of the site's own names.
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
