import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import * as z from 'zod';
import { pause } from './pause.ts';

const ownerSchema = z.object({
  pid: z.int().positive(),
  host: z.string(),
  /** The namespace in which `pid` is unique. Missing outside Linux. */
  space: z.string().optional(),
  /** When the lease was taken, in ISO 8601 and UTC. */
  time: z.iso.datetime(),
  token: z.string(),
});

export type LeaseOwner = z.output<typeof ownerSchema>;

/** This process as the owner of a new lease, as JSON. `now` is in ms since the epoch. */
export function newOwner(now = Date.now()): string {
  const time = new Date(now).toISOString();
  const { pid } = process;
  const space = pidSpace();
  const owner: LeaseOwner = { pid, host: hostname(), space, time, token: randomUUID() };
  return JSON.stringify(owner);
}

/**
 * Whether the owner's process ID belongs to this system. Containers with the same host name and a
 * shared volume number their processes separately.
 */
export function sharesPids({ host, space }: LeaseOwner): boolean {
  return host === hostname() && space === pidSpace();
}

/** Used if Linux doesn't tell. It matches no other process. */
const unknownSpace = randomUUID();

/** The boot ID and PID namespace of this process; `undefined` outside Linux. */
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

/** Holds a lease as long as the work takes. */
export async function underLease<L extends { release(): Promise<void> }, T>(
  taken: Promise<L>,
  work: (lease: L) => Promise<T>,
): Promise<T> {
  const lease = await taken;
  return work(lease).finally(lease.release);
}

/** Renews a lease every so many ms. The returned function stops it, and waits for a pending renewal. */
export function startHeartbeat(renew: () => Promise<unknown>, every: number): () => Promise<void> {
  let beat: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    // Ignore failures: the renewal before the next request fails too, and ends the run.
    beat ??= renew()
      .catch(() => {})
      .finally(() => {
        beat = undefined;
      });
  }, every);
  // A lease alone mustn't keep the process alive.
  timer.unref();
  return async () => {
    clearInterval(timer);
    await beat;
  };
}

/** The interval between renewals of a lease, in ms. */
export function beatOf(expiry: number): number {
  return expiry / 4;
}

/** A clause about who uses the store, for messages. */
export function ownerText(lease: string | undefined): string {
  const found = lease === undefined ? undefined : parseOwner(lease);
  return found
    ? `process ${found.pid} on ${found.host} has used it since ${found.time}`
    : 'its owner is unknown';
}

/** Repeats `take` while another process has the lease. In the end, throws the last error. */
export async function waitWhileBusy<T>(
  take: () => Promise<T>,
  given: {
    isBusy: (error: Error) => boolean;
    /** In ms. */
    patience: number;
    /** Between two attempts, in ms. */
    interval: number;
    signal?: AbortSignal | undefined;
    onWait?: (error: Error) => void;
    /** In ms, from a monotonic clock. */
    ticks?: () => number;
    sleep?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  },
): Promise<T> {
  const { isBusy, patience, interval, signal, onWait } = given;
  const { ticks = () => performance.now(), sleep = pause } = given;
  const end = ticks() + patience;
  for (let hasWaited = false; ; hasWaited = true) {
    try {
      return await take();
    } catch (error) {
      const left = end - ticks();
      if (!(error instanceof Error && isBusy(error)) || signal?.aborted || left <= 0) throw error;
      if (!hasWaited) onWait?.(error);
      await sleep(Math.min(interval, left), signal);
      if (signal?.aborted) throw error;
    }
  }
}
