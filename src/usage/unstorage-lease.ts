import * as z from 'zod';
import type { KeyValueStorage } from '../options.ts';
import { newOwner } from '../storage/lease-owner.ts';
import { leaseExpiry } from './ledger-busy.ts';

const itemSchema = z.object({
  /** The owner, as `newOwner` writes it. */
  owner: z.string(),
  /** Until when the lease holds, in milliseconds since the epoch. */
  expires: z.number(),
});

type Item = z.output<typeof itemSchema>;

/** Between two renewals of the lease's time, in ms. */
const renewalPause = 30 * 1000;

/** A lease as an item of a storage. Each method throws what the driver throws, except `release`. */
export interface LeaseItem {
  /** Writes this run's lease where no other holds. Gives the owner of the one that does. */
  take(): Promise<string | undefined>;
  /** Whether the lease is still this run's, and if not, whose it is. Keeps it where it is. */
  renew(): Promise<{ readonly isOwn: boolean; readonly owner: string | undefined }>;
  /** Never fails. */
  release(): Promise<void>;
}

export function leaseItem({
  storage,
  key,
  clock,
}: {
  storage: KeyValueStorage;
  key: string;
  /** Milliseconds since the epoch. */
  clock: () => number;
}): LeaseItem {
  const own = newOwner(clock());
  let renewed = clock();

  async function found(): Promise<Item | undefined> {
    const value = await storage.getItem(key);
    if (value === null || value === undefined) return undefined;
    const item = itemSchema.safeParse(typeof value === 'string' ? parsed(value) : value);
    // What can't be read may be a newer version's: it holds until somebody removes it.
    return item.success ? item.data : { owner: '', expires: Number.POSITIVE_INFINITY };
  }

  function keep(): Promise<void> {
    renewed = clock();
    const item: Item = { owner: own, expires: renewed + leaseExpiry };
    return storage.setItem(key, JSON.stringify(item));
  }

  return {
    async take() {
      const other = await found();
      if (other && other.expires > clock()) return other.owner;
      await keep();
      return undefined;
    },
    async renew() {
      const item = await found();
      // Once it has run out, writing it anew could undo another run's lease.
      const isOwn = item?.owner === own && item.expires > clock();
      if (isOwn && clock() - renewed >= renewalPause) await keep();
      return { isOwn, owner: item?.owner };
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
