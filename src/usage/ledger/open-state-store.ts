import { dirname, join, resolve } from 'node:path';
import type { ResolvedOptions } from '../../config/options.ts';
import { isMediaAssetError, type MediaAssetError } from '../../errors/errors.ts';
import { pause } from '../../storage/retry-locked-file.ts';
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
  /** The project's folder. */
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

/** Between two attempts, in ms. */
const interval = 1000;

/**
 * A store whose `lock` waits while another run holds it, so that two builds of one site both succeed.
 * Fails with `ledger-busy` after `patience`, or when the signal of `lock` fires.
 */
export function waitForLedger(
  store: StateStore,
  {
    onWait,
    patience = lockPatience,
    ticks = () => performance.now(),
    sleep = pause,
  }: {
    /** Called once for each `lock` that waits, with a sentence for people. */
    onWait: (text: string) => void;
    /** In ms. */
    patience?: number;
    /** In ms, from a monotonic clock. */
    ticks?: () => number;
    sleep?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  },
): StateStore {
  return {
    ...store,
    async lock(signal) {
      const end = ticks() + patience;
      let hasWaited = false;
      for (;;) {
        try {
          return await store.lock(signal);
        } catch (error) {
          const left = end - ticks();
          if (!isMediaAssetError(error, 'ledger-busy') || signal?.aborted || left <= 0) throw error;
          if (!hasWaited) onWait(waitText(error, patience));
          hasWaited = true;
          await sleep(Math.min(interval, left), signal);
          if (signal?.aborted) throw error;
        }
      }
    },
  };
}

function waitText({ message }: MediaAssetError, patience: number): string {
  return `${message} Waiting up to ${Math.ceil(patience / 1000)} seconds.`;
}
