import type { AssetRecord } from './asset-record.ts';

/** Whether an asset may be shown on a day. `ending`: it may, but not for long. */
export type RightsState = 'allowed' | 'ending' | 'forbidden' | 'unknown';

const msPerDay = 24 * 60 * 60 * 1000;

/** @param today.now in ms since the epoch. Days are those of UTC */
export function rightsState(
  { rights, until }: Pick<AssetRecord, 'rights' | 'until'>,
  { now, warnDays }: { now: number; warnDays: number },
): RightsState {
  if (rights === 'forbidden') return 'forbidden';
  // Dates in ISO form sort like days.
  if (until !== undefined && until < dayOf(now)) return 'forbidden';
  if (rights === 'unknown') return 'unknown';
  return until !== undefined && until <= dayOf(now + warnDays * msPerDay) ? 'ending' : 'allowed';
}

/** A day in UTC: `2026-12-31`. */
function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
