import { type Finding, finding, type MediaAssetError, mediaAssetError } from '../errors.ts';
import { emptyLedger, type Ledger } from './ledger.ts';
import { type LedgerIdentity, ledgerIdentity } from './ledger-identity.ts';
import { parseLedger } from './ledger-json.ts';
import type { StateStore } from './state-store.ts';

export interface LoadedLedger {
  readonly ledger: Ledger;
  /** The tag of the stored state that it was read from; `undefined` where there was none. */
  readonly tag: string | undefined;
  readonly findings: readonly Finding[];
}

/**
 * Reads the ledger of a site; an empty one, with the notice `ledger-missing`, where there is none.
 * Changes nothing, except that a run that is to write keeps a copy of a broken ledger aside
 * (`keepsBroken`).
 *
 * @throws `ledger-broken` (the original stays), `ledger-newer`, `ledger-foreign`,
 * `ledger-unreadable`, `store-unreachable`
 */
export async function loadLedger(
  store: StateStore,
  identity: LedgerIdentity,
  { keepsBroken = false }: { keepsBroken?: boolean } = {},
): Promise<LoadedLedger> {
  const path = store.name;
  const own = ledgerIdentity(identity);
  const state = await store.read();
  if (state === undefined) {
    const findings = [finding('notice', 'ledger-missing', path, { path })];
    return { ledger: emptyLedger(own), tag: undefined, findings };
  }
  const { problem } = state;
  if (problem !== undefined) throw await broken(store, { problem, keepsBroken });
  const reading = parseLedger(state.text);
  switch (reading.kind) {
    case 'newer':
      throw mediaAssetError('ledger-newer', { path, version: reading.version });
    case 'broken':
      throw await broken(store, { ...reading, keepsBroken });
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

/** `ledger-broken`, also where no copy could be kept: its cause then says why. */
async function broken(
  store: StateStore,
  { problem, cause, keepsBroken }: { problem: string; cause?: unknown; keepsBroken: boolean },
): Promise<MediaAssetError> {
  const details = { path: store.name, problem };
  try {
    const copy = keepsBroken ? await store.keepAside() : undefined;
    return mediaAssetError('ledger-broken', { ...details, copy }, { cause });
  } catch (cause) {
    return mediaAssetError('ledger-broken', { ...details, copy: undefined }, { cause });
  }
}

function nameOf({ service, site, base }: LedgerIdentity): string {
  return `${site}${base} in ${service}`;
}
