import type { UsageRecord } from '../service/media-service.ts';
import type { Ledger } from './ledger.ts';
import { ownPages } from './ledger-identity.ts';
import type { Listing } from './list-usages.ts';
import type { SiteFields } from './plan-usage.ts';

/** A usage below this site and base that another project has reported. */
export interface OtherUsage extends Pick<UsageRecord, 'page' | 'pageName' | 'project' | 'contact'> {
  readonly id: number;
}

/**
 * Takes out of a listing what another project has reported below the same site and base, as a site
 * at `/` finds those of one at `/shop`. A usage is this project's where the service gives no project
 * and no contact, and where each of both that it gives is one that this project reports under, the
 * ledger holds, or `formerly` names.
 */
export function splitListing({
  ledger,
  listing,
  fields,
  formerly = [],
}: {
  ledger: Ledger;
  listing: Listing;
  fields: SiteFields;
  formerly?: readonly string[] | undefined;
}): { listing: Listing; leftAlone: OtherUsage[] } {
  const isBelow = ownPages(ledger);
  const known = [fields, ...[...ledger.pages.values()].flat()];
  const projects = namesIn([...known.map(({ project }) => project), ...formerly]);
  const contacts = namesIn([...known.map(({ contact }) => contact), ...formerly]);
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

/** As a listing gives them: it trims texts. */
function namesIn(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.trim()));
}
