import { type Finding, finding, mediaAssetError } from '../../errors/errors.ts';
import type { LedgerSite } from '../../errors/usage-errors.ts';
import { compare } from '../../scan/compare.ts';
import { emptyLedger, type Ledger } from './ledger.ts';
import { type LedgerIdentity, ledgerIdentity } from './ledger-identity.ts';
import { parseLedger } from './ledger-json.ts';
import type { StateStore } from './state-store.ts';

export interface LoadedLedger {
  readonly ledger: Ledger;
  /** The tag of the stored state. `undefined` if there was none. */
  readonly tag: string | undefined;
  /** Whether the store has no ledger of this service, so that nothing was reported. */
  readonly isFirst: boolean;
  readonly findings: readonly Finding[];
}

/**
 * Reads the ledger of a site. Without one, returns an empty ledger and the notice `ledger-missing`,
 * which names the ledgers of other sites in the store: `site` or `base` may have changed.
 *
 * @throws `ledger-broken`, `ledger-newer`, `ledger-foreign`, `ledger-unreadable`, `store-unreachable`
 */
export async function loadLedger(
  store: StateStore,
  identity: LedgerIdentity,
): Promise<LoadedLedger> {
  const path = store.name;
  const own = ledgerIdentity(identity);
  const state = await store.read();
  if (state === undefined) {
    const others = await otherSites(store, own);
    const findings = [finding('notice', 'ledger-missing', { others })];
    return { ledger: emptyLedger(own), tag: undefined, isFirst: others.length === 0, findings };
  }
  const { problem } = state;
  if (problem !== undefined) throw mediaAssetError('ledger-broken', { path, problem });
  const ledger = parseLedger(state.text, path);
  const [found, expected] = [nameOf(ledgerIdentity(ledger)), nameOf(own)];
  if (found !== expected) throw mediaAssetError('ledger-foreign', { path, found, expected });
  return { ledger: { ...ledger, ...own }, tag: state.tag, isFirst: false, findings: [] };
}

/** The sites with another ledger in the store, and usages in the same service. */
async function otherSites(store: StateStore, { service }: LedgerIdentity): Promise<LedgerSite[]> {
  const states = await store.others().catch(() => []);
  return states
    .flatMap(({ text }) => {
      try {
        return parseLedger(text, store.name);
      } catch {
        return [];
      }
    })
    .filter((ledger) => ledger.service === service && ledger.pages.size > 0)
    .map(({ site, base }) => ({ site, base }))
    .sort((a, b) => compare(a.site + a.base, b.site + b.base));
}

function nameOf({ service, site, base }: LedgerIdentity): string {
  return `${site}${base} in ${service}`;
}
