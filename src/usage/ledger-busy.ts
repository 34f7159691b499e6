import { type MediaAssetError, mediaAssetError } from '../errors.ts';
import { parseOwner } from '../storage/lease-owner.ts';

/** A lease that nobody has renewed for so long is free, in ms: longer than any one request may take. */
export const leaseExpiry = 60 * 1000;

/**
 * `ledger-busy`, naming the owner.
 *
 * @param path the ledger, as messages name it
 * @param lease what the lease of the other run holds
 */
export function busy(path: string, lease: string): MediaAssetError {
  const found = parseOwner(lease);
  const owner = found
    ? `process ${found.pid} on ${found.host} reports with it since ${found.time}`
    : 'its lease names nobody';
  return mediaAssetError('ledger-busy', { path, owner });
}

/**
 * For a run whose lease is no longer there: `ledger-busy` where another run has taken over, else
 * `lease-lost`.
 *
 * @param lease what the lease holds now; `undefined` where there is none any more
 */
export function lost(path: string, lease: string | undefined): MediaAssetError {
  return lease === undefined ? mediaAssetError('lease-lost', { path }) : busy(path, lease);
}

/** `ledger-changed`, for a ledger that is no longer as this run has read it. */
export function changed(path: string): MediaAssetError {
  return mediaAssetError('ledger-changed', { path });
}
