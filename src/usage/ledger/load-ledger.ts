import { type Finding, finding, mediaAssetError } from '../../errors/errors.ts';
import { emptyLedger, type Ledger } from './ledger.ts';
import { type LedgerIdentity, ledgerIdentity } from './ledger-identity.ts';
import { parseLedger } from './ledger-json.ts';
import type { StateStore } from './state-store.ts';

export interface LoadedLedger {
  readonly ledger: Ledger;
  /** The tag of the stored state. `undefined` if there was none. */
  readonly tag: string | undefined;
  readonly findings: readonly Finding[];
}

/**
 * Reads the ledger of a site. Without one, returns an empty ledger and the notice `ledger-missing`.
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
    const findings = [finding('notice', 'ledger-missing', path, undefined)];
    return { ledger: emptyLedger(own), tag: undefined, findings };
  }
  const { problem } = state;
  if (problem !== undefined) throw mediaAssetError('ledger-broken', { path, problem });
  const reading = parseLedger(state.text);
  switch (reading.kind) {
    case 'newer':
      throw mediaAssetError('ledger-newer', { path, version: reading.version });
    case 'broken': {
      const { problem, cause } = reading;
      throw mediaAssetError('ledger-broken', { path, problem }, { cause });
    }
    case 'ledger': {
      const { ledger } = reading;
      const found = ledgerIdentity(ledger);
      if (nameOf(found) !== nameOf(own)) {
        const expected = nameOf(own);
        throw mediaAssetError('ledger-foreign', { path, found: nameOf(found), expected });
      }
      return { ledger: { ...ledger, ...own }, tag: state.tag, findings: [] };
    }
  }
}

function nameOf({ service, site, base }: LedgerIdentity): string {
  return `${site}${base} in ${service}`;
}
