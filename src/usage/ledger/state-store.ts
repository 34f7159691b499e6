import { isUtf8 } from 'node:buffer';
import { type MediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { ownerText } from '../../storage/lease.ts';

/**
 * Where a ledger is kept between builds. A store returns the last written state, refuses to replace a
 * state that the run hasn't read, and lets in one run at a time.
 */
export interface StateStore {
  /** The store as messages name it, such as a path or an address. Holds no secret. */
  readonly name: string;
  /** The last written state. `undefined` if there is none. */
  read(): Promise<StoredState | undefined>;
  /** The states of other sites in the same place, if they can be listed. */
  others(): Promise<readonly StoredState[]>;
  /**
   * Throws `ledger-busy` if another run has the lock. Takes about half a minute after a run was killed
   * that held it, unless the signal ends that wait.
   */
  lock(signal?: AbortSignal): Promise<Lease>;
}

/** The states that are kept between runs. Each has a store of its own. `uses`: a ledger. */
export type StateKind = 'ledger' | 'history' | 'uses';

export interface StoredState {
  readonly text: string;
  readonly tag: string;
}

/** Bytes that aren't UTF-8 become a text that isn't JSON. */
export function toStoredState(bytes: Buffer, tag: string): StoredState {
  return { text: isUtf8(bytes) ? bytes.toString() : '\ufffd', tag };
}

/** Lets one run send and write. It's renewed while the process runs. */
export interface Lease {
  /** Renews the lease. Call it before each request: it throws if another run has taken over. */
  renew(): Promise<void>;
  /**
   * Replaces the state with this tag (`undefined`: no state yet) as a whole or not at all. Returns
   * the new tag. Reads each chunk of the text once. Throws `ledger-lost` if the state has another tag.
   */
  write(text: Iterable<string>, tag: string | undefined): Promise<string>;
  release(): Promise<void>;
}

/** A lease expires after this time without renewal, in ms. Longer than any request takes. */
export const leaseExpiry = 60 * 1000;

/** The errors of a ledger's store, which `path` names. `lease` is what the lease holds. */
export function ledgerErrors(path: string) {
  const busy = (lease: string) => mediaAssetError('ledger-busy', { path, owner: ownerText(lease) });
  return {
    busy,
    /** For a run that has lost its lease: `ledger-busy` if another run has taken over. */
    lost(lease: string | undefined): MediaAssetError {
      if (lease !== undefined) return busy(lease);
      const problem =
        'its lease was lost, because this process paused for too long or the store lost data';
      return mediaAssetError('ledger-lost', { path, problem });
    },
    /** For a ledger that has changed since this run read it. */
    changed(): MediaAssetError {
      const problem = 'it was changed or removed after this run read it';
      return mediaAssetError('ledger-lost', { path, problem });
    },
    unreadable: (cause: unknown) => mediaAssetError('ledger-unreadable', { path }, { cause }),
    unwritable: (cause: unknown) => mediaAssetError('ledger-unwritable', { path }, { cause }),
  };
}
