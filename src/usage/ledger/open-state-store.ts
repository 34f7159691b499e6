import { dirname, join, resolve } from 'node:path';
import type { ResolvedOptions } from '../../config/options.ts';
import { isMediaAssetError } from '../../errors/errors.ts';
import { waitWhileBusy } from '../../storage/lease.ts';
import { fileStateStore } from './file-state-store.ts';
import { historyName, type LedgerIdentity, ledgerPath } from './ledger-identity.ts';
import { redisStateStore } from './redis-state-store.ts';
import { leaseExpiry, type StateKind, type StateStore } from './state-store.ts';

/**
 * Opens the store that `report.store` names, or that of the publication history next to it. Doesn't
 * read or connect yet.
 */
export function openStateStore({
  store,
  root,
  identity,
  kind = 'ledger',
}: {
  store: ResolvedOptions['report']['store'];
  root: string;
  identity: LedgerIdentity;
  /** @default 'ledger' */
  kind?: StateKind;
}): StateStore {
  if (store && 'redis' in store) return redisStateStore({ url: store.redis, identity, kind });
  const ledger = store ? resolve(root, store.file) : ledgerPath(root, identity);
  const history = join(dirname(ledger), `history-${historyName(identity)}.json`);
  return fileStateStore({ path: kind === 'ledger' ? ledger : history });
}

/** Longer than a killed run's lock holds, in ms. */
const lockPatience = 2 * leaseExpiry;

/**
 * A store whose `lock` waits while another run holds it, so that two builds of one site both succeed.
 * Fails with `ledger-busy` after `lockPatience`, or when the signal of `lock` fires.
 */
export function waitForLedger(
  store: StateStore,
  {
    onWait,
    ...timing
  }: {
    /** Called once for each `lock` that waits, with a sentence for people. */
    onWait: (text: string) => void;
  } & Pick<Parameters<typeof waitWhileBusy>[1], 'ticks' | 'sleep'>,
): StateStore {
  return {
    ...store,
    lock: (signal) =>
      waitWhileBusy(() => store.lock(signal), {
        ...timing,
        ...{ signal, patience: lockPatience, interval: 1000 },
        isBusy: (error) => isMediaAssetError(error, 'ledger-busy'),
        onWait: ({ message }) => onWait(`${message} Waiting up to ${lockPatience / 1000} seconds.`),
      }),
  };
}
