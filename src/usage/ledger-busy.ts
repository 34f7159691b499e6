import { type MediaAssetError, mediaAssetError } from '../errors.ts';
import { parseOwner } from '../storage/lease-owner.ts';

/** A lease that nobody has renewed for so long is free, in ms: longer than any one request may take. */
export const leaseExpiry = 60 * 1000;

/**
 * `ledger-busy`, naming the owner.
 *
 * @param path the ledger, as messages name it
 * @param lease what the lease holds; `undefined` where there is none any more
 */
export function busy(path: string, lease: string | undefined): MediaAssetError {
  const found = lease === undefined ? undefined : parseOwner(lease);
  const unknown =
    lease === undefined
      ? 'the lease of this run is gone, taken over by another run or lost by the store'
      : 'its lease names nobody';
  const owner = found
    ? `process ${found.pid} on ${found.host} reports with it since ${found.time}`
    : unknown;
  return mediaAssetError('ledger-busy', { path, owner });
}

/** `ledger-busy` for a ledger that is no longer as this run has read it. */
export function changed(path: string): MediaAssetError {
  return mediaAssetError('ledger-busy', { path, owner: 'it has changed since this run read it' });
}
