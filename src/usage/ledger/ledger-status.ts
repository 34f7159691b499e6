import type { Ledger, LedgerRecord } from './ledger.ts';

/**
 * Counts the pairs of a ledger by state. `inDoubt`: the service may list it, even twice. `unsent`: it
 * was removed to be replaced, and its report is still to come.
 */
export function ledgerStatus({ pages, ...head }: Ledger) {
  const { service, site, base, unsentSince, lastRun } = head;
  const pairs = { confirmed: 0, inDoubt: 0, unsent: 0 };
  for (const records of pages.values()) {
    for (const state of stateOfEach(records).values()) pairs[state] += 1;
  }
  return { service, site, base, pages: pages.size, pairs, unsentSince, lastRun };
}

export type LedgerStatus = ReturnType<typeof ledgerStatus>;

/** A pair with several records is in doubt, whatever their states. */
function stateOfEach(
  records: readonly LedgerRecord[],
): ReadonlyMap<number, keyof LedgerStatus['pairs']> {
  const states = new Map<number, keyof LedgerStatus['pairs']>();
  for (const { ids, state } of records) {
    const one = state === 'in-doubt' || state === 'unremoved' ? 'inDoubt' : state;
    for (const id of ids) states.set(id, states.has(id) ? 'inDoubt' : one);
  }
  return states;
}
