import { resolve } from 'node:path';
import type { ResolvedOptions } from '../options.ts';
import { fileStateStore } from './file-state-store.ts';
import { type LedgerIdentity, ledgerPath } from './ledger-identity.ts';
import { redisStateStore } from './redis-state-store.ts';
import type { StateStore } from './state-store.ts';

/** Opens the store that the option `report.store` names. Reads and connects to nothing yet. */
export function openStateStore({
  store,
  root,
  identity,
}: {
  store: ResolvedOptions['report']['store'];
  /** The project's folder. */
  root: string;
  identity: LedgerIdentity;
}): StateStore {
  if (store === undefined) return fileStateStore({ path: ledgerPath(root, identity) });
  if ('file' in store) return fileStateStore({ path: resolve(root, store.file) });
  return redisStateStore({ url: store.redis, identity });
}
