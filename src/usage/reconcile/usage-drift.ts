import { equalFields } from '../ledger/ledger.ts';
import { type Listed, listedPairs } from './reconcile-ledger.ts';

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

export function usageDrift(given: Listed): Drift[] {
  return listedPairs(given).flatMap((pair) => {
    const kind = driftOf(pair);
    if (!kind) return [];
    const { page, id, listed, known, now } = pair;
    const pageName = now.pageName || (listed[0] ?? known[0])?.pageName || '';
    return { page, pageName, id, kind, listed: listed.length };
  });
}

function driftOf({
  listed: [listed, ...others],
  known: all,
  now,
  isShown,
}: ReturnType<typeof listedPairs>[number]): DriftKind | undefined {
  const known = all.filter(({ state }) => state !== 'unsent');
  const [record] = known;
  const isWanted = isShown ?? record !== undefined;
  if (!listed) return isWanted ? 'missing' : record && 'ledger';
  if (!isWanted) return 'extra';
  if (others.length > 0) return 'repeated';
  // Each pair has its own date.
  const expected = isShown === undefined ? record : { ...now, date: listed.date };
  if (expected && !equalFields(listed, expected)) return 'fields';
  const isKnown =
    known.length === 1 && record?.state === 'confirmed' && equalFields(record, listed);
  return isKnown ? undefined : 'ledger';
}
