import * as z from 'zod';
import type { KeyValueStorage } from '../options.ts';
import { newOwner } from '../storage/lease-owner.ts';
import { leaseTimes } from '../storage/lease-times.ts';

const itemSchema = z.object({
  /** The owner, as `newOwner` writes it. */
  owner: z.string(),
  /** Until when the lease holds, in milliseconds since the epoch. */
  expires: z.number(),
});

type Item = z.output<typeof itemSchema>;

/** A lease as an item of a storage. Each method throws what the driver throws, except `release`. */
export interface LeaseItem {
  /**
   * Writes this run's lease where no other holds. Gives the owner of the one that does. A lease whose
   * time says that it does not is watched first, because clocks differ and are set; once the signal
   * fires, it counts as one that does.
   */
  take(signal?: AbortSignal): Promise<string | undefined>;
  /** Whether the lease is still this run's, and if not, which other run's. Keeps it where it is. */
  renew(): Promise<{ readonly isOwn: boolean; readonly owner: string | undefined }>;
  /** Never fails. */
  release(): Promise<void>;
}

export function leaseItem({
  storage,
  key,
  clock,
  ticks,
  sleep,
  expiry,
}: {
  storage: KeyValueStorage;
  key: string;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Milliseconds since some moment, from a clock that nobody sets. */
  ticks: () => number;
  sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  /** How long a lease holds that is not renewed, in ms. */
  expiry: number;
}): LeaseItem {
  const own = newOwner(clock());
  const { beat, watch } = leaseTimes(expiry);
  let renewed = ticks();
  let writing: Promise<void> | undefined;

  async function found(): Promise<Item | undefined> {
    // A driver can show a value that is half written: this run's own here, another's below.
    await writing?.catch(() => {});
    for (const isLast of [false, true]) {
      const value = await storage.getItem(key);
      if (value === null || value === undefined) return undefined;
      const item = itemSchema.safeParse(typeof value === 'string' ? parsed(value) : value);
      if (item.success) return item.data;
      if (isLast) break;
    }
    // What can't be read may be a newer version's: it holds until somebody removes it.
    return { owner: '', expires: Number.POSITIVE_INFINITY };
  }

  async function keep(): Promise<void> {
    const from = ticks();
    const item: Item = { owner: own, expires: clock() + expiry };
    writing = storage.setItem(key, JSON.stringify(item));
    try {
      await writing;
    } finally {
      writing = undefined;
    }
    renewed = from;
  }

  return {
    async take(signal) {
      const other = await found();
      if (other) {
        const left = other.expires - clock();
        const isReadable = Number.isFinite(other.expires);
        if (!isReadable || (left > 0 && left <= expiry)) return other.owner;
        await sleep(watch, signal);
        if (signal?.aborted) return other.owner;
        const later = await found();
        if (later && (later.owner !== other.owner || later.expires !== other.expires)) {
          return later.owner;
        }
      }
      await keep();
      return undefined;
    },
    async renew() {
      const item = await found();
      // Once it has run out, writing it anew could undo another run's lease.
      const isOwn = item?.owner === own && ticks() - renewed < expiry;
      if (isOwn && ticks() - renewed >= beat && !writing) await keep();
      return { isOwn, owner: item?.owner === own ? undefined : item?.owner };
    },
    async release() {
      try {
        if ((await found())?.owner === own) await storage.removeItem(key);
      } catch {
        // A lease that stays runs out.
      }
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
