import type { AssetRecord } from './asset-record.ts';

/** Whether an asset may be shown in a language, and why. Computed once a build from its record. */
export interface Verdict {
  /** `ending`: it may, but not for long. Unknown rights are `forbidden` if the site says so. */
  readonly state: 'allowed' | 'ending' | 'unknown' | 'forbidden';
  /** The last day on which it may be shown, in UTC: `2026-12-31`. */
  readonly until: string | undefined;
  /** Why, if `rights` alone doesn't say so: `rights ended on 2026-01-31`. */
  readonly reason: string | undefined;
}

const msPerDay = 24 * 60 * 60 * 1000;

/**
 * @param context.isRead false if the service has no record, so that `record` was read from no fields
 * @param context.now in ms since the epoch. Days are those of UTC
 */
export function judgeRecord(
  { rights, until }: Pick<AssetRecord, 'rights' | 'until'>,
  context: {
    readonly isRead: boolean;
    readonly now: number;
    readonly warnDays: number;
    readonly unknown: 'allow' | 'warn' | 'forbid';
  },
): Verdict {
  const { isRead, now, warnDays, unknown } = context;
  const verdict = (state: Verdict['state'], reason?: string): Verdict => ({
    ...{ state, until },
    reason: isRead || rights === 'allowed' ? reason : 'no record',
  });
  if (rights === 'forbidden') return verdict('forbidden');
  // Dates in ISO form sort like days.
  if (until !== undefined && until < dayOf(now))
    return verdict('forbidden', `rights ended on ${until}`);
  if (rights === 'unknown')
    return verdict(unknown === 'forbid' ? 'forbidden' : 'unknown', 'rights unknown');
  const isEnding = until !== undefined && until <= dayOf(now + warnDays * msPerDay);
  return verdict(isEnding ? 'ending' : 'allowed');
}

/** A day in UTC: `2026-12-31`. */
function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
