import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import * as z from 'zod';

const ownerSchema = z.object({
  pid: z.int().positive(),
  host: z.string(),
  /** Within what `pid` is unique on this host. Left out outside Linux, and by earlier versions. */
  space: z.string().optional(),
  /** When the lease was taken, ISO 8601 in UTC. */
  time: z.iso.datetime(),
  token: z.string(),
});

export type LeaseOwner = z.output<typeof ownerSchema>;

/** This process as the owner of a new lease, in JSON. `now` in ms since the epoch. */
export function newOwner(now: number): string {
  const time = new Date(now).toISOString();
  const { pid } = process;
  const space = pidSpace();
  const owner: LeaseOwner = { pid, host: hostname(), space, time, token: randomUUID() };
  return JSON.stringify(owner);
}

/**
 * Whether the number of an owner's process means that process here: containers with one host name
 * and a common volume number theirs independently.
 */
export function sharesPids({ host, space }: LeaseOwner): boolean {
  return host === hostname() && space === pidSpace();
}

/** For a Linux that does not name its own: then no process knows another's number. */
const unknownSpace = randomUUID();

/** The running system and its namespace of processes; `undefined` where there is no such thing. */
function pidSpace(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return unknownSpace;
  }
}

export function parseOwner(lease: string): LeaseOwner | undefined {
  try {
    return ownerSchema.parse(JSON.parse(lease));
  } catch {
    return undefined;
  }
}
