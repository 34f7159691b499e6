import { mediaAssetError } from '../errors.ts';
import type { Usage } from '../service/media-service.ts';
import { compare, type Ledger } from './ledger.ts';
import type { Manifest } from './manifest.ts';
import { type PageFields, type PairsChange, pageChanges } from './page-changes.ts';
import { type PageSteps, pageSteps, type Step } from './page-steps.ts';

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

/** `replacement`: the requests of its step take usages out and put them in again. */
export interface PlannedRequest extends Usage {
  readonly purpose: 'new' | 'replacement' | 'gone';
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
  const steps = (sent: (change: PairsChange) => boolean) =>
    pages.map(({ page, changes }) =>
      pageSteps({ page, changes: changes.filter(sent), maxIdsPerRequest }),
    );
  const requests = inOrder(
    steps((change) => !(held && isGone(change))),
    0,
  );
  return {
    requests,
    guard: { removals, known, limit, held },
    held: held ? inOrder(steps(isGone), (requests.at(-1)?.step ?? -1) + 1) : [],
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
    if (found.changes.length > 0) pages.push({ page, changes: found.changes });
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

function inOrder(pages: readonly PageSteps[], first: number): PlannedRequest[] {
  const phases = (['new', 'replacement', 'gone'] as const).flatMap((purpose) =>
    pages.flatMap((steps) => steps[purpose].map((step): [typeof purpose, Step] => [purpose, step])),
  );
  return phases.flatMap(([purpose, requests], index) =>
    requests.map((usage) => ({ ...usage, purpose, step: first + index })),
  );
}

function isGone({ report }: PairsChange): boolean {
  return report === undefined;
}
