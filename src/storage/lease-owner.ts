import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import * as z from 'zod';

const ownerSchema = z.object({
  pid: z.int().positive(),
  host: z.string(),
  /** When the lease was taken, ISO 8601 in UTC. */
  time: z.iso.datetime(),
  /** Tells this lease from every other one. */
  token: z.string(),
});

/** The process that a lease belongs to. */
export type LeaseOwner = z.output<typeof ownerSchema>;

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
