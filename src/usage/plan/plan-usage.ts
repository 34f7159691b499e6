import { mediaAssetError } from '../../errors/errors.ts';
import { compare } from '../../scan/compare.ts';
import type { Manifest } from '../../scan/manifest.ts';
import type { Usage } from '../../service/types.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type PageFields, type PairsChange, pageChanges } from './page-changes.ts';
import { type Purpose, pageSteps } from './page-steps.ts';

/** The fields of every usage that a site reports, apart from the page's own. */
export type SiteFields = Omit<PageFields, 'pageName'>;

/** The least list of requests that makes the service agree with a manifest. */
export interface Plan {
  /** In the order in which they are sent: those of one purpose stand together. */
  readonly steps: readonly PlannedStep[];
  /** Counted in pairs. `limit`: so many removals are allowed. */
  readonly guard: {
    readonly removals: number;
    readonly known: number;
    readonly limit: number;
    readonly held: boolean;
  };
  /** Removals that the guard keeps back. */
  readonly held: readonly PlannedStep[];
  /** Pairs that the service already lists as they are shown. */
  readonly unchanged: number;
}

/**
 * Requests about one page that are sent one after the other. An id is reported once
 * all of the step's removals of this id are answered. Each pair is in one step only.
 */
export interface PlannedStep {
  readonly page: string;
  readonly purpose: Purpose;
  readonly requests: readonly Usage[];
}

/** So many removals are never held back, however few pairs are known. */
export const removalsAlwaysAllowed = 10;

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
  const limit = Math.max(removalsAlwaysAllowed, Math.ceil(known / 2));
  const held = removals > limit && !allowRemovals;
  const sent = held ? onlyChanges(pages, (change) => !isGone(change)) : pages;
  return {
    steps: refusedLast(inOrder(sent, maxIdsPerRequest), ledger),
    guard: { removals, known, limit, held },
    held: held ? inOrder(onlyChanges(pages, isGone), maxIdsPerRequest) : [],
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

/** The steps for all changes: what is new, what is replaced, what is gone; each page by page. */
function inOrder(pages: readonly SitePage[], maxIdsPerRequest: number): PlannedStep[] {
  const steps: PlannedStep[] = [];
  for (const purpose of ['new', 'replacement', 'gone'] as const) {
    for (const { page, changes } of pages) {
      for (const step of pageSteps({ changes, purpose, maxIdsPerRequest })) {
        const requests = step.map(({ fields, ids, removed }) => ({
          ...fields,
          page,
          ids,
          removed,
        }));
        steps.push({ page, purpose, requests });
      }
    }
  }
  return steps;
}

/**
 * Of one purpose, what the service has refused in the last run comes last: what it takes then proves
 * that it refuses these alone.
 */
function refusedLast(steps: PlannedStep[], { lastRun }: Ledger): PlannedStep[] {
  if (!lastRun || lastRun.refused.length === 0) return steps;
  const refused = new Set(lastRun.refused.map(({ page, id }) => `${id} ${page}`));
  const wasRefused = ({ page, requests }: PlannedStep) =>
    requests.some(({ ids }) => ids.some((id) => refused.has(`${id} ${page}`)));
  return [...Map.groupBy(steps, ({ purpose }) => purpose).values()].flatMap((same) => [
    ...same.filter((step) => !wasRefused(step)),
    ...same.filter(wasRefused),
  ]);
}

export function requestsOf(steps: readonly PlannedStep[]): Usage[] {
  return steps.flatMap(({ requests }) => requests);
}

function isGone({ report }: PairsChange): boolean {
  return report === undefined;
}

/** The JSON form of a plan: the contract of `media-asset plan --json`. */
export function planToJson({ steps, guard }: Plan) {
  return {
    version: 1,
    requests: requestsOf(steps).map(({ removed, page, pageName, ids }) => ({
      removed,
      page,
      pageName,
      ids,
    })),
    guard,
  };
}
