import type { Ledger } from './ledger.ts';

export type LedgerStatus = ReturnType<typeof ledgerStatus>;

/**
 * Counts the pairs of a ledger by state. `inDoubt`: the service may list it, even twice. `unsent`: it
 * was removed to be replaced, and its report is still to come.
 */
export function ledgerStatus({ pages, ...head }: Ledger) {
  const { service, site, base, unsentSince, lastRun } = head;
  const pairs = { confirmed: 0, inDoubt: 0, unsent: 0 };
  for (const records of pages.values()) {
    const states = records.flatMap(({ ids, state }) => ids.map((id) => ({ id, state })));
    for (const same of Map.groupBy(states, ({ id }) => id).values()) {
      const state = same[0]?.state;
      const isSure = same.length === 1 && (state === 'confirmed' || state === 'unsent');
      pairs[isSure ? state : 'inDoubt'] += 1;
    }
  }
  return { service, site, base, pages: pages.size, pairs, unsentSince, lastRun };
}
