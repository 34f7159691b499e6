import { isUtf8 } from 'node:buffer';
import { type MediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { parseOwner } from '../../storage/lease-owner.ts';

/**
 * Where a ledger lives between builds. A store returns what was last written, refuses to replace
 * what it has not shown, and lets one run in at a time.
 */
export interface StateStore {
  /** The store as messages name it, such as a path or an address. Holds no secret. */
  readonly name: string;
  /**
   * What was last written; `undefined` where nothing was.
   *
   * @throws `ledger-unreadable`, `store-unreachable`
   */
  read(): Promise<StoredState | undefined>;
  /**
   * Takes about half a minute where a run was killed that held it.
   *
   * @param signal ends that wait
   * @throws `ledger-busy` where another run is in, `ledger-unwritable`, `store-unreachable`
   */
  lock(signal?: AbortSignal): Promise<Lease>;
}

export interface StoredState {
  readonly text: string;
  /** Names this content: another content has another tag. */
  readonly tag: string;
  /** Why this is not what a run has written, where the store can tell. */
  readonly problem?: string;
}

export function toStoredState(bytes: Buffer, tag: string): StoredState {
  const state = { text: bytes.toString('utf8'), tag };
  return isUtf8(bytes) ? state : { ...state, problem: "it isn't UTF-8" };
}

/** The right of one run to send and to write. It renews itself while the process runs. */
export interface Lease {
  /**
   * Makes sure that the lease is still this run's, and keeps it. To be called before each request.
   *
   * @throws `ledger-busy` where another run has taken over, `ledger-lost` where the lease is gone,
   * `store-unreachable`
   */
  renew(): Promise<void>;
  /**
   * Replaces the state that has this tag, `undefined` for none yet: as a whole or not at all, and
   * for good once the promise is fulfilled. Gives the new state's tag. The text comes in parts, which
   * are taken once.
   *
   * @throws as `renew` does; `ledger-lost` where the state has another tag, `ledger-unwritable`
   */
  write(text: Iterable<string>, tag: string | undefined): Promise<string>;
  /** Never fails. */
  release(): Promise<void>;
}

/** A lease that nobody has renewed for so long is free, in ms: longer than any one request may take. */
export const leaseExpiry = 60 * 1000;

/**
 * `ledger-busy`, naming the owner.
 *
 * @param path the ledger, as messages name it
 * @param lease what the lease of the other run holds
 */
export function ledgerBusy(path: string, lease: string): MediaAssetError {
  const found = parseOwner(lease);
  const owner = found
    ? `process ${found.pid} on ${found.host} has used it since ${found.time}`
    : 'its owner is unknown';
  return mediaAssetError('ledger-busy', { path, owner });
}

/**
 * For a run whose lease is no longer there: `ledger-busy` where another run has taken over, else
 * `ledger-lost`.
 *
 * @param lease what the lease holds now; `undefined` where there is none any more
 */
export function ledgerLost(path: string, lease: string | undefined): MediaAssetError {
  if (lease !== undefined) return ledgerBusy(path, lease);
  const problem =
    'its lease was lost, because this process paused for too long or the store lost data';
  return mediaAssetError('ledger-lost', { path, problem });
}

/** For a ledger that is no longer as this run has read it. */
export function ledgerChanged(path: string): MediaAssetError {
  const problem = 'it was changed or removed after this run read it';
  return mediaAssetError('ledger-lost', { path, problem });
}
