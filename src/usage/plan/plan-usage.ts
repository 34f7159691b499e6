import { mediaAssetError } from '../../errors/errors.ts';
import { compare } from '../../scan/compare.ts';
import type { Manifest } from '../../scan/manifest.ts';
import type { Usage } from '../../service/types.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type PageFields, type PairsChange, pageChanges } from './page-changes.ts';
import { type Purpose, pageSteps } from './page-steps.ts';

/** The fields that all usages of a site share. */
export type SiteFields = Omit<PageFields, 'pageName'>;

/** The least list of requests that makes the service agree with a manifest. */
export interface Plan {
  /** In sending order, grouped by purpose. */
  readonly steps: readonly PlannedStep[];
  /** Counted in pairs. `limit` is the number of allowed removals. */
  readonly guard: {
    readonly removals: number;
    readonly known: number;
    readonly limit: number;
    readonly held: boolean;
  };
  /** Removals that the guard holds. */
  readonly held: readonly PlannedStep[];
  /** Pairs that the service already lists as they are shown. */
  readonly unchanged: number;
}

/**
 * Requests for one page that are sent one after the other. An asset is reported after the step's
 * removals of it are answered. Each pair is in one step only.
 */
export interface PlannedStep {
  readonly page: string;
  readonly purpose: Purpose;
  readonly requests: readonly Usage[];
}

/** This many removals are never held, however few pairs are known. */
export const removalsAlwaysAllowed = 10;

/**
 * Plans the requests: new reports, then replacements page by page, then removals of gone pairs. A
 * pair that the service may list in several variants is removed under each of them before it's
 * reported again.
 *
 * `today` is the UTC day, `YYYY-MM-DD`: the date of usages that were never reported before.
 *
 * @throws `scan-empty` for a manifest without pages, because it would remove everything
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
  const add = (page: string, ids: readonly number[], pageName: string) => {
    const found = pageChanges({
      ids,
      fields: { ...fields, pageName },
      records: ledger.pages.get(page) ?? [],
      today,
    });
    known += found.known;
    unchanged += found.unchanged;
    // A copy has no spare capacity, which saves memory on large sites.
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

/** The steps for all changes: new, replaced, gone. Each purpose goes page by page. */
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
 * Moves usages that the last run saw refused to the end of their purpose. If the service accepts
 * others first, the refusals are about these assets alone.
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
