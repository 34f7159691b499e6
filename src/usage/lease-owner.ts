import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import * as z from 'zod';
import { type MediaAssetError, mediaAssetError } from '../errors.ts';

const ownerSchema = z.object({
  pid: z.int().positive(),
  host: z.string(),
  /** When the lease was taken, ISO 8601 in UTC. */
  time: z.iso.datetime(),
  /** Tells this lease from every other one. */
  token: z.string(),
});

/** The run that a lease belongs to. */
export type LeaseOwner = z.output<typeof ownerSchema>;

/** A lease that nobody has renewed for so long is free, in ms. Longer than any call to the service. */
export const leaseExpiry = 15 * 60 * 1000;

/**
 * This process as the owner of a new lease, in JSON.
 *
 * @param now milliseconds since the epoch
 */
export function newOwner(now: number): string {
  const time = new Date(now).toISOString();
  const owner: LeaseOwner = { pid: process.pid, host: hostname(), time, token: randomUUID() };
  return JSON.stringify(owner);
}

/** The owner that a lease names; `undefined` where it names nobody. */
export function parseOwner(lease: string): LeaseOwner | undefined {
  try {
    return ownerSchema.parse(JSON.parse(lease));
  } catch {
    return undefined;
  }
}

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
