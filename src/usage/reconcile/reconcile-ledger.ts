import type { Manifest } from '../../scan/manifest.ts';
import type { UsageRecord } from '../../service/types.ts';
import {
  changeLedger,
  equalFields,
  type Ledger,
  type LedgerChange,
  type LedgerRecord,
  type SentFields,
  toSentFields,
} from '../ledger/ledger.ts';
import { ownPages } from '../ledger/ledger-identity.ts';
import type { SiteFields } from '../plan/plan-usage.ts';
import type { Listing } from './list-asset-usages.ts';

/** The service's list, with the ledger's records and the pages' usages. */
export interface Listed {
  readonly ledger: Ledger;
  readonly listing: Listing;
  readonly manifest: Pick<Manifest, 'pages'> | undefined;
  readonly fields: SiteFields;
  /** The UTC day, `YYYY-MM-DD`. */
  readonly today: string;
}

interface ListedPair {
  readonly id: number;
  readonly listed: readonly UsageRecord[];
  readonly known: readonly LedgerRecord[];
}

/**
 * Combines a listing and a ledger, ordered by page. Contains each pair that one of them names, of
 * the listed assets and of pages under this site and base.
 */
export function listedPairs(ledger: Ledger, listing: Listing): Map<string, ListedPair[]> {
  const isOwn = ownPages(ledger);
  const pages = new Map<string, Map<number, { listed: UsageRecord[]; known: LedgerRecord[] }>>();
  const pairOf = (page: string, id: number) => {
    const pairs = pages.get(page) ?? new Map();
    pages.set(page, pairs);
    const pair = pairs.get(id) ?? { listed: [], known: [] };
    pairs.set(id, pair);
    return pair;
  };
  for (const [id, records] of listing) {
    for (const record of records) {
      if (isOwn(record.page)) pairOf(record.page, id).listed.push(record);
    }
  }
  for (const [page, records] of ledger.pages) {
    for (const record of records) {
      for (const id of record.ids) if (listing.has(id)) pairOf(page, id).known.push(record);
    }
  }
  return new Map(
    [...pages]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([page, pairs]) => [
        page,
        [...pairs].sort(([a], [b]) => a - b).map(([id, pair]) => ({ id, ...pair })),
      ]),
  );
}

export interface Reconciled {
  readonly ledger: Ledger;
  /** Pairs that are listed several times with the same fields, so one removal may not be enough. */
  readonly repeated: readonly {
    readonly page: string;
    readonly id: number;
    /**
     * How often the pair is listed, with any fields. A removal may remove a record with other
     * fields than its own, so only the sum shows whether it removed one.
     */
    readonly times: number;
  }[];
}

/**
 * Puts a listing into a ledger. A pair that is listed once becomes confirmed. One that is listed
 * several times is in doubt under each variant, so that each is removed before the pair is reported
 * again. One that isn't listed becomes unsent if it's shown (or, without a manifest, was known),
 * which keeps its date. Otherwise it's forgotten.
 *
 * Fields that a listing leaves out come from the ledger, then from the fields of a new report.
 */
export function reconcileLedger(given: Listed): Reconciled {
  const { ledger, listing, manifest, fields, today } = given;
  const shown = new Map(manifest?.pages.map((page) => [page.page, page]));
  const changes: LedgerChange[] = [];
  const repeated: Reconciled['repeated'][number][] = [];
  for (const [page, pairs] of listedPairs(ledger, listing)) {
    const usage = shown.get(page);
    const ids = new Set(usage?.assets);
    const now = { ...fields, pageName: usage?.pageName ?? '', date: today };
    const records: Omit<LedgerChange, 'page'>[] = [];
    for (const pair of pairs) {
      const isWanted = manifest === undefined || ids.has(pair.id);
      const found = recordsOf(pair, { isWanted, now });
      records.push(...found.map((record) => ({ ...record, ids: [pair.id] })));
      if (mostAlike(pair, now) > 1) repeated.push({ page, id: pair.id, times: pair.listed.length });
    }
    const known = new Set(pairs.flatMap((pair) => pair.known));
    const looked = pairs.map(({ id }) => id);
    changes.push(
      ...[...known].map((record) => ({
        page,
        fields: toSentFields(record),
        ids: looked,
        state: undefined,
      })),
      ...together(records).map((record) => ({ page, ...record })),
    );
  }
  return { ledger: changeLedger(ledger, changes), repeated };
}

export function listedFields(
  listed: UsageRecord,
  known: readonly LedgerRecord[],
  now: SentFields,
): SentFields {
  const agrees = (record: SentFields) =>
    textFields.every((name) => textOf(listed[name], record[name]) === record[name]);
  const likely = known.find(agrees) ??
    known[0] ?? { ...now, pageName: now.pageName || (listed.pageName ?? '') };
  const [pageName, project, contact, description] = textFields.map((name) =>
    textOf(listed[name], likely[name]),
  ) as [string, string, string, string];
  return { pageName, project, contact, description, date: dayOf(listed.date) ?? likely.date };
}

const textFields = ['pageName', 'project', 'contact', 'description'] as const;

/** A listing trims texts, so texts that only differ in that are the same. */
function textOf(listed: string | undefined, likely: string): string {
  return listed === undefined || listed === likely.trim() ? likely : listed;
}

function dayOf(date: string | undefined): string | undefined {
  return date && /^\d{4}-\d{2}-\d{2}/.exec(date)?.[0];
}

function recordsOf(
  { listed, known }: ListedPair,
  { isWanted, now }: { isWanted: boolean; now: SentFields },
): Pick<LedgerChange, 'fields' | 'state'>[] {
  if (listed.length > 0) {
    const state = listed.length > 1 ? 'in-doubt' : 'confirmed';
    return listed.map((record) => ({ fields: listedFields(record, known, now), state }));
  }
  const [first] = known.toSorted((a, b) => (a.date < b.date ? -1 : 1));
  return first && isWanted ? [{ fields: toSentFields(first), state: 'unsent' }] : [];
}

/** How often a pair is listed with the same fields, at most. */
function mostAlike({ listed, known }: ListedPair, now: SentFields): number {
  const all = listed.map((record) => listedFields(record, known, now));
  return Math.max(0, ...all.map((one) => all.filter((other) => equalFields(one, other)).length));
}

/** The changes that lead to the same fields and state, combined into one. */
function together(records: readonly Omit<LedgerChange, 'page'>[]): Omit<LedgerChange, 'page'>[] {
  const same = Map.groupBy(records, ({ fields, state }) =>
    JSON.stringify([state, toSentFields(fields)]),
  );
  return [...same.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ ...first, ids: group.flatMap(({ ids }) => ids) }] : [];
  });
}
