import * as z from 'zod';
import { isAssetId } from '../../errors/asset-id.ts';

/** Refused usages that are kept; the rest is counted. */
const mostRefused = 100;

/** Characters kept of what the service said. */
const mostText = 300;

const count = z.int().nonnegative();
const assetId = z.int().refine(isAssetId, 'expected an asset ID');

const refusedSchema = z.strictObject({
  page: z.string(),
  id: assetId,
  /** Whether it was the removal that was refused. */
  removed: z.boolean(),
  status: z.int(),
  /** What the service said, possibly nothing. */
  text: z.string(),
});

export const lastRunSchema = z.strictObject({
  /** When it ended, ISO 8601 in UTC. */
  at: z.iso.datetime(),
  reported: count,
  removed: count,
  requests: count,
  unsent: count,
  held: count,
  /** Why something is unsent, as a sentence. */
  reason: z.string().optional(),
  /** All that the service refused for good, in usages. */
  refusals: count,
  /** The first of them. */
  refused: z.array(refusedSchema),
  /**
   * Assets, in ascending order, that the service refuses while it accepts reports of others, in this
   * run or an earlier one. Left out where there is none.
   */
  refusedAssets: z.array(assetId).optional(),
});

/** How the last run that changed a ledger ended. Counted in pairs, except `requests`. */
export type LastRun = z.output<typeof lastRunSchema>;

/** A usage that the service refused for good. */
export type RefusedUsage = z.output<typeof refusedSchema>;

/** What a ledger keeps of a run. `now` in milliseconds since the epoch. */
export function toLastRun({
  now,
  refused,
  refusedAssets,
  reason,
  ...counts
}: Pick<LastRun, 'reported' | 'removed' | 'requests' | 'unsent' | 'held'> & {
  now: number;
  refused: readonly RefusedUsage[];
  refusedAssets: readonly number[];
  reason: string | undefined;
}): LastRun {
  return {
    at: new Date(now).toISOString(),
    ...counts,
    ...(reason !== undefined && { reason }),
    refusals: refused.length,
    refused: refused
      .slice(0, mostRefused)
      .map((usage) => ({ ...usage, text: usage.text.slice(0, mostText) })),
    ...(refusedAssets.length > 0 && { refusedAssets: [...refusedAssets] }),
  };
}

/**
 * Since when something has waited to be sent, ISO 8601 in UTC: as the ledger knows it, or from `now`
 * (ms since the epoch). A time that is still to come was taken from a clock that has been set back
 * since; it counts as `now`, or the wait would never get long.
 */
export function waitsSince(known: string | undefined, now: number): string {
  return known !== undefined && Date.parse(known) <= now ? known : new Date(now).toISOString();
}
