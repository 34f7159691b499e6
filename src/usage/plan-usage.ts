import { mediaAssetError } from '../errors.ts';
import type { Manifest } from '../scan/manifest.ts';
import type { Usage } from '../service/media-service.ts';
import { compare, type Ledger } from './ledger.ts';
import { type PageFields, type PairsChange, pageChanges } from './page-changes.ts';
import { type Purpose, pageSteps } from './page-steps.ts';

/** The fields of every usage that a site reports, apart from the page's own. */
export type SiteFields = Omit<PageFields, 'pageName'>;

/** The least list of requests that makes the service agree with a manifest. */
export interface Plan {
  /** In the order in which they are sent. */
  readonly requests: readonly PlannedRequest[];
  /** Counted in pairs. `limit`: so many removals are allowed. */
  readonly guard: {
    readonly removals: number;
    readonly known: number;
    readonly limit: number;
    readonly held: boolean;
  };
  /** Removals that the guard keeps back. */
  readonly held: readonly PlannedRequest[];
  /** Pairs that the service already lists as they are shown. */
  readonly unchanged: number;
}

export interface PlannedRequest extends Usage {
  readonly purpose: Purpose;
  /**
   * Requests of one step stand together and are sent one after the other. An id is reported only
   * if all of the step's removals of this id are confirmed. Each pair is in one step only.
   */
  readonly step: number;
}

/**
 * Plans what to send: new reports, then replacements page by page, then removals of what is gone.
 * A pair that may stand in the service in several variants, or in doubt, is removed under each of
 * them before it is reported again.
 *
 * `today` is the UTC day, `YYYY-MM-DD`, and the date of what was never reported before.
 *
 * @throws `scan-empty` for a manifest without pages: it would remove everything
 */
export function planUsage({
  manifest,
  ledger,
  fields,
  today,
  maxIdsPerRequest,
  allowRemovals,
}: {
  manifest: Manifest;
  ledger: Ledger;
  fields: SiteFields;
  today: string;
  maxIdsPerRequest: number;
  allowRemovals: boolean;
}): Plan {
  if (manifest.pages.length === 0) throw mediaAssetError('scan-empty', { dir: manifest.site });
  const { pages, known, unchanged } = siteChanges({ manifest, ledger, fields, today });

  const removals = pages
    .flatMap(({ changes }) => changes.filter(isGone))
    .reduce((sum, { ids }) => sum + ids.length, 0);
  const limit = Math.max(10, Math.ceil(known / 2));
  const held = removals > limit && !allowRemovals;
  const sent = held ? onlyChanges(pages, (change) => !isGone(change)) : pages;
  const requests = inOrder(sent, { maxIdsPerRequest, first: 0 });
  const next = (requests.at(-1)?.step ?? -1) + 1;
  return {
    requests,
    guard: { removals, known, limit, held },
    held: held ? inOrder(onlyChanges(pages, isGone), { maxIdsPerRequest, first: next }) : [],
    unchanged,
  };
}

interface SitePage {
  readonly page: string;
  readonly changes: readonly PairsChange[];
}

/** The pages on which something changes, in order of their URL. */
function siteChanges({
  manifest,
  ledger,
  fields,
  today,
}: {
  manifest: Manifest;
  ledger: Ledger;
  fields: SiteFields;
  today: string;
}): { pages: SitePage[]; known: number; unchanged: number } {
  const pages: SitePage[] = [];
  let known = 0;
  let unchanged = 0;
  const add = (page: string, assets: readonly { id: number }[], pageName: string) => {
    const found = pageChanges({
      ids: assets.map(({ id }) => id),
      fields: { ...fields, pageName },
      records: ledger.pages.get(page) ?? [],
      today,
    });
    known += found.known;
    unchanged += found.unchanged;
    // A copy has no room to grow, which for each page of a large site would be much.
    if (found.changes.length > 0) pages.push({ page, changes: found.changes.slice() });
  };
  const shown = new Set<string>();
  for (const { page, pageName, assets } of manifest.pages) {
    shown.add(page);
    add(page, assets, pageName);
  }
  for (const page of ledger.pages.keys()) if (!shown.has(page)) add(page, [], '');
  pages.sort((a, b) => compare(a.page, b.page));
  return { pages, known, unchanged };
}

function onlyChanges(
  pages: readonly SitePage[],
  test: (change: PairsChange) => boolean,
): SitePage[] {
  return pages.map(({ page, changes }) => ({ page, changes: changes.filter(test) }));
}

/** The requests for all changes, their steps numbered from `first` on. */
function inOrder(
  pages: readonly SitePage[],
  { maxIdsPerRequest, first }: { maxIdsPerRequest: number; first: number },
): PlannedRequest[] {
  const requests: PlannedRequest[] = [];
  let step = first;
  for (const purpose of ['new', 'replacement', 'gone'] as const) {
    for (const { page, changes } of pages) {
      for (const parts of pageSteps({ changes, purpose, maxIdsPerRequest })) {
        for (const { fields, ids, removed } of parts) {
          requests.push({ ...fields, page, ids, removed, purpose, step });
        }
        step += 1;
      }
    }
  }
  return requests;
}

function isGone({ report }: PairsChange): boolean {
  return report === undefined;
}
