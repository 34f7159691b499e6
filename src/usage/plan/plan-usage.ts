import { compare } from '../../errors/compare.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import type { Manifest, PageUsage } from '../../scan/manifest.ts';
import type { Usage } from '../../service/requests.ts';
import { compareFields, equalFields, type Ledger, type LedgerRecord } from '../ledger/ledger.ts';

/** The fields that all usages of a site share. */
export type SiteFields = Pick<Usage, 'project' | 'contact' | 'description'>;

/** The least list of requests that makes the service agree with a manifest. */
export type Plan = Readonly<ReturnType<typeof planUsage>>;

/**
 * Requests for one page that are sent one after the other: removals, then reports. An asset is
 * reported after the step's removals of it are answered. Each pair is in one step only.
 */
export interface PlannedStep {
  readonly page: string;
  /** A replacement removes usages and reports them again. */
  readonly purpose: (typeof purposes)[number];
  readonly requests: readonly Usage[];
}

/** In sending order. */
const purposes = ['new', 'replacement', 'gone'] as const;

/** This many removals are never held, however few pairs are known. */
const removalsAlwaysAllowed = 10;

/** What is sent for some assets of a page: removals, then a report if the page shows them. */
type Change = readonly Usage[];

/**
 * Plans the requests: new reports, then replacements page by page, then removals of gone pairs. A
 * pair that the service may list in several variants is removed under each of them before it's
 * reported again.
 *
 * `today` is the UTC day, `YYYY-MM-DD`: the date of usages that were never reported before.
 */
export function planUsage(asked: {
  manifest: Pick<Manifest, 'site' | 'pages'>;
  ledger: Ledger;
  fields: SiteFields;
  today: string;
  maxIdsPerRequest: number;
  allowRemovals: boolean;
}) {
  const { manifest, ledger, fields, today, maxIdsPerRequest, allowRemovals } = asked;
  if (manifest.pages.length === 0) throw mediaAssetError('scan-empty', { dir: manifest.site });
  const shown = new Set(manifest.pages.map(({ page }) => page));
  const gone = [...ledger.pages.keys()].filter((page) => !shown.has(page));
  const empty = gone.map((page) => ({ page, pageName: '', assets: [] }));
  const pages: Change[][] = [];
  let known = 0;
  let unchanged = 0;
  for (const page of [...manifest.pages, ...empty]) {
    const records = ledger.pages.get(page.page) ?? [];
    const found = pageChanges(page, { records, fields, today });
    known += found.known;
    unchanged += found.unchanged;
    if (found.changes.length > 0) pages.push(found.changes);
  }
  pages.sort((a, b) => compare(pageOf(a), pageOf(b)));

  const removals = pages.flat().filter(isGone).flatMap(idsOf).length;
  const limit = Math.max(removalsAlwaysAllowed, Math.ceil(known / 2));
  const held = removals > limit && !allowRemovals;
  const stepsOf = (test: (change: Change) => boolean) => {
    const steps = pages.flatMap((changes) => pageSteps(changes.filter(test), maxIdsPerRequest));
    return inOrder(steps, ledger);
  };
  return {
    /** In sending order, grouped by purpose. */
    steps: stepsOf((change) => !held || !isGone(change)),
    /** Counted in pairs. `limit` is the number of allowed removals. */
    guard: { removals, known, limit, held },
    /** Removals that the guard holds. */
    held: held ? stepsOf(isGone) : [],
    /** Pairs that the service already lists as they are shown. */
    unchanged,
  };
}

/** Compares a page with what the service was told. `known`: pairs that it lists or may list. */
function pageChanges(
  { page, pageName, assets }: PageUsage,
  told: { records: readonly LedgerRecord[]; fields: SiteFields; today: string },
): { changes: Change[]; known: number; unchanged: number } {
  const { records, fields, today } = told;
  const shown = new Set(assets);
  const changes: Change[] = [];
  let known = 0;
  let unchanged = 0;
  for (const ids of groupsOf([assets, ...records.map(({ ids }) => ids)])) {
    const [id = 0] = ids;
    const variants = records.filter((record) => record.ids.includes(id));
    const standing = variants.filter(({ state }) => state !== 'unsent');
    const [record] = standing;
    if (record) known += ids.length;
    const removals = standing.map(({ state: _, ...usage }) => ({ ...usage, ids, removed: true }));
    if (!shown.has(id)) {
      if (record) changes.push(removals);
      continue;
    }
    const date = variants.map((variant) => variant.date).sort()[0] ?? today;
    const report: Usage = { page, pageName, ...fields, date, ids, removed: false };
    const isRight = record?.state === 'confirmed' && equalFields(record, report);
    if (isRight && standing.length === 1) unchanged += ids.length;
    else changes.push([...removals, report]);
  }
  return { changes, known, unchanged };
}

/** The IDs of all lists, grouped by the lists that have them. */
function groupsOf(lists: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const [shown = []] = lists;
  // On most pages, all lists are the same.
  const isShown = (ids: readonly number[]) =>
    ids.length === shown.length && ids.every((id, index) => id === shown[index]);
  if (lists.every(isShown)) return shown.length > 0 ? [shown] : [];
  const sets = lists.map((ids) => new Set(ids));
  const all = [...new Set(lists.flat())].sort((a, b) => a - b);
  return [...Map.groupBy(all, (id) => sets.map((set) => set.has(id)).join()).values()];
}

/** Combines the changes of a page that serve one purpose into as few requests as possible. */
function pageSteps(changes: readonly Change[], maxIdsPerRequest: number): PlannedStep[] {
  const isReplacement = (change: Change) => change.length > 1 && !isGone(change);
  // Most pages have one change, which needs no keys.
  const replacements = changes.length > 1 ? changes.filter(isReplacement) : [];
  const replaced = new Set(replacements.flat().map(keyOf));
  // New and gone pairs join a replacement if its requests have the same fields.
  const joins = (change: Change) =>
    replaced.size > 0 && change.every((request) => replaced.has(keyOf(request)));
  const purposeOf = (change: Change) =>
    isReplacement(change) || joins(change) ? 'replacement' : isGone(change) ? 'gone' : 'new';
  return [...Map.groupBy(changes, purposeOf)].flatMap(([purpose, same]) =>
    portions(same, maxIdsPerRequest).map((portion) => ({
      page: pageOf(portion),
      purpose,
      requests: combine(portion),
    })),
  );
}

function portions(changes: readonly Change[], size: number): Change[][] {
  const portions: Change[][] = [];
  let room = 0;
  for (const change of changes) {
    const { length } = idsOf(change);
    for (let from = 0; from < length; ) {
      if (room === 0) portions.push([]);
      room ||= size;
      const to = Math.min(from + room, length);
      const part = (usage: Usage) => ({ ...usage, ids: usage.ids.slice(from, to) });
      portions.at(-1)?.push(to - from === length ? change : change.map(part));
      room -= to - from;
      from = to;
    }
  }
  return portions;
}

/** One request for all IDs with the same fields: removals, then reports, each sorted by fields. */
function combine(changes: readonly Change[]): readonly Usage[] {
  const [first, ...others] = changes;
  if (first && others.length === 0) return first;
  const requests = [...Map.groupBy(changes.flat(), keyOf).values()].flatMap(([request, ...more]) =>
    request
      ? { ...request, ids: [request, ...more].flatMap(({ ids }) => ids).sort((a, b) => a - b) }
      : [],
  );
  return requests.sort((a, b) => Number(b.removed) - Number(a.removed) || compareFields(a, b));
}

function keyOf({ ids: _, ...fields }: Usage): string {
  return JSON.stringify(fields);
}

function pageOf([change]: readonly Change[]): string {
  return change?.[0]?.page ?? '';
}

function idsOf([request]: Change): readonly number[] {
  return request?.ids ?? [];
}

function isGone(change: Change): boolean {
  return change.every(({ removed }) => removed);
}

/**
 * New, replaced, gone. Each purpose goes page by page, and ends with what the last run saw refused: if
 * the service accepts others first, the refusals are about these assets alone.
 */
function inOrder(steps: readonly PlannedStep[], { lastRun }: Ledger): PlannedStep[] {
  const refused = new Set(lastRun?.refused.map(({ page, id }) => `${id} ${page}`));
  const wasRefused = ({ page, requests }: PlannedStep) =>
    refused.size > 0 && requests.some(({ ids }) => ids.some((id) => refused.has(`${id} ${page}`)));
  return purposes.flatMap((purpose) => {
    const own = steps.filter((step) => step.purpose === purpose);
    return [...own.filter((step) => !wasRefused(step)), ...own.filter(wasRefused)];
  });
}

export function requestsOf(steps: readonly PlannedStep[]): Usage[] {
  return steps.flatMap(({ requests }) => requests);
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
