import type { LastRun } from './last-run.ts';
import type { Ledger, LedgerRecord } from './ledger.ts';

/** What a ledger knows, counted. */
export interface LedgerStatus {
  readonly service: string;
  readonly site: string;
  readonly base: string;
  readonly pages: number;
  /** Each pair in one of these. `inDoubt`: it may be listed, once or more, or not at all. */
  readonly pairs: {
    readonly confirmed: number;
    readonly inDoubt: number;
    /** Taken out for a replacement that is still to be reported. */
    readonly unsent: number;
  };
  /** Since when something waits to be sent that the service does not refuse, ISO 8601 in UTC. */
  readonly unsentSince: string | undefined;
  /** `undefined`: no run has been recorded yet. */
  readonly lastRun: LastRun | undefined;
}

/** Counts what a ledger holds. */
export function ledgerStatus({
  service,
  site,
  base,
  pages,
  unsentSince,
  lastRun,
}: Ledger): LedgerStatus {
  const pairs = { confirmed: 0, inDoubt: 0, unsent: 0 };
  for (const records of pages.values()) {
    for (const state of stateOfEach(records).values()) pairs[state] += 1;
  }
  return { service, site, base, pages: pages.size, pairs, unsentSince, lastRun };
}

/** A pair with several records is in doubt, whatever each of them says. */
function stateOfEach(
  records: readonly LedgerRecord[],
): ReadonlyMap<number, keyof LedgerStatus['pairs']> {
  const states = new Map<number, keyof LedgerStatus['pairs']>();
  for (const { ids, state } of records) {
    const one = state === 'in-doubt' ? 'inDoubt' : state;
    for (const id of ids) states.set(id, states.has(id) ? 'inDoubt' : one);
  }
  return states;
}
