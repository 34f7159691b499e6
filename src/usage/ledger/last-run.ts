import * as z from 'zod';
import { isAssetId } from '../../errors/asset-id.ts';
import { compare } from '../../errors/compare.ts';

/** Refused usages in the ledger. Further ones are only counted. */
const mostRefused = 100;

const mostText = 300;

const count = z.int().nonnegative();
const assetId = z.int().refine(isAssetId, 'expected an asset ID');

const refusedSchema = z.strictObject({
  page: z.string(),
  id: assetId,
  /** Whether it was the removal that was refused. */
  removed: z.boolean(),
  status: z.int(),
  text: z.string(),
  /** Since when it has been refused, ISO 8601 in UTC. */
  since: z.iso.datetime(),
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
  refusals: count,
  refused: z.array(refusedSchema),
  /**
   * Assets, in ascending order, that the service has refused in this run or an earlier one while it
   * accepted reports of others. Missing if there are none.
   */
  refusedAssets: z.array(assetId).optional(),
});

/** How the last run that changed a ledger ended. Counted in pairs, except `requests`. */
export type LastRun = z.output<typeof lastRunSchema>;

/** A usage that the service refused, and not because of an outage. */
export type RefusedUsage = z.output<typeof refusedSchema>;

export function keptRefusals(
  refused: readonly RefusedUsage[],
): Pick<LastRun, 'refusals' | 'refused'> {
  const kept = refused.slice(0, mostRefused);
  return {
    refusals: refused.length,
    refused: kept.map((usage) => ({ ...usage, text: usage.text.slice(0, mostText) })),
  };
}

/**
 * Dates refusals, the oldest first: a usage that the last run knows as refused keeps its date. Of
 * several refusals of a usage, the first one counts.
 */
export function datedRefusals(
  refused: readonly Omit<RefusedUsage, 'since'>[],
  { lastRun, now }: { lastRun: LastRun | undefined; now: number },
): RefusedUsage[] {
  const key = ({ page, id }: Pick<RefusedUsage, 'page' | 'id'>) => `${id} ${page}`;
  const known = new Map(lastRun?.refused.map((usage) => [key(usage), usage.since]));
  const first = new Map(refused.toReversed().map((usage) => [key(usage), usage]));
  return [...first.values()]
    .reverse()
    .map((usage) => ({ ...usage, since: pastTime(known.get(key(usage)), now) }))
    .sort((a, b) => compare(a.since, b.since));
}

/**
 * A time, ISO 8601 in UTC: as it's known, or `now` (ms since the epoch). A time in the future is from a
 * clock that was wrong, or has been set back. It counts as `now`.
 */
export function pastTime(known: string | undefined, now: number): string {
  return known !== undefined && Date.parse(known) <= now ? known : new Date(now).toISOString();
}
