import type { UsageRecord } from '../service/media-service.ts';
import type { Ledger, LedgerRecord } from './ledger.ts';
import { ownPages } from './ledger-identity.ts';
import type { Listing } from './list-usages.ts';

/** What the service and the ledger say of one pair. */
export interface ListedPair {
  readonly id: number;
  readonly listed: readonly UsageRecord[];
  readonly known: readonly LedgerRecord[];
}

/**
 * Brings a listing and a ledger together, page by page and in order: each pair that one of them
 * names, of the assets that were listed and of pages under this site and base.
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
