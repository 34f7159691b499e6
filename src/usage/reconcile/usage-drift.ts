import { equalFields, type LedgerRecord, type SentFields } from '../ledger/ledger.ts';
import { type Listed, listedFields, listedPairs } from './reconcile-ledger.ts';

/**
 * `missing`: shown, but not listed. `extra`: listed, but not shown. `repeated`: listed more than
 * once. `fields`: listed with other fields. `ledger`: the service is right, the ledger is wrong.
 * Without built pages, pairs in the ledger count as shown.
 */
export type DriftKind = 'missing' | 'extra' | 'repeated' | 'fields' | 'ledger';

export interface Drift {
  readonly page: string;
  readonly pageName: string;
  readonly id: number;
  readonly kind: DriftKind;
  /** How often the service lists it. */
  readonly listed: number;
}

export function usageDrift({ ledger, listing, manifest, fields, today }: Listed): Drift[] {
  const drift: Drift[] = [];
  const pairs = listedPairs(ledger, listing);
  const shown = new Map(manifest?.pages.map((page) => [page.page, page]));
  const pages = new Set([...pairs.keys(), ...shown.keys()]);
  for (const page of [...pages].sort()) {
    const usage = shown.get(page);
    const now = { ...fields, pageName: usage?.pageName ?? '', date: today };
    const named = new Map(pairs.get(page)?.map((pair) => [pair.id, pair]));
    const wanted = new Set(usage?.assets.filter((id) => listing.has(id)));
    for (const id of [...new Set([...named.keys(), ...wanted])].sort((a, b) => a - b)) {
      const { listed = [], known = [] } = named.get(id) ?? {};
      const standing = known.filter(({ state }) => state !== 'unsent');
      const as = listed.map((record) => listedFields(record, known, now));
      const kind = driftOf({
        as,
        known: standing,
        now: manifest && now,
        isWanted: manifest ? wanted.has(id) : standing.length > 0,
      });
      const pageName = usage?.pageName ?? as[0]?.pageName ?? known[0]?.pageName ?? '';
      if (kind) drift.push({ page, pageName, id, kind, listed: listed.length });
    }
  }
  return drift;
}

function driftOf({
  as,
  known,
  now,
  isWanted,
}: {
  as: readonly SentFields[];
  known: readonly LedgerRecord[];
  now: SentFields | undefined;
  isWanted: boolean;
}): DriftKind | undefined {
  const [listed] = as;
  if (!listed) return isWanted ? 'missing' : known.length > 0 ? 'ledger' : undefined;
  if (!isWanted) return 'extra';
  if (as.length > 1) return 'repeated';
  const [record] = known;
  // Each pair has its own date.
  const expected = now ? { ...now, date: listed.date } : record;
  if (expected && !equalFields(listed, expected)) return 'fields';
  const isKnown =
    known.length === 1 && record?.state === 'confirmed' && equalFields(record, listed);
  return isKnown ? undefined : 'ledger';
}
