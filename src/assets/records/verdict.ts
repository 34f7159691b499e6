import type { ResolvedOptions } from '../../config/options.ts';
import { listNames } from '../../errors/wording.ts';
import type { AnswerKind, WholeRecord } from '../../service/read-records.ts';
import { dayOf, oneDay } from '../../storage/day.ts';
import { readRights } from './asset-record.ts';

/** Whether an asset may be shown in a language, and why. Computed once a build from its record. */
export interface Verdict {
  /** `ending`: it may, but not for long. Unknown rights are `forbidden` if the site says so. */
  readonly state: 'allowed' | 'ending' | 'unknown' | 'forbidden';
  /** The last day on which it may be shown, in UTC: `2026-12-31`. */
  readonly until: string | undefined;
  /** Why, if `rights.read` alone doesn't say so: `rights ended on 2026-01-31`. */
  readonly reason: string | undefined;
}

/** How a site decides whether it may show an asset. Without `read`, it may show all. */
export type RightsRule = Omit<ResolvedOptions['rights'], 'forbidden' | 'optional'> & {
  /** Those of the fields that an asset may lack. */
  readonly optional?: readonly string[] | undefined;
  /** `warn` shows forbidden assets. `fail` and `hide` leave them out, and the build decides. */
  readonly forbidden: NonNullable<ResolvedOptions['rights']['forbidden']>;
};

/** What is known of an asset's record. `fields` is null if the service gives none. */
export interface KnownFields extends Pick<WholeRecord, 'lacking' | 'answers'> {
  readonly fields: WholeRecord['fields'] | null;
  readonly texts?: WholeRecord['texts'];
}

export const noRecord: KnownFields = { fields: null, lacking: [], answers: [] };

/**
 * Judges an asset. What isn't known of its record is never allowed by itself: then the site's function
 * isn't asked.
 *
 * @param asked.now in ms since the epoch. Days are those of UTC
 */
export function judge(
  { read, fields: names = [], warnDays, unknown }: Omit<RightsRule, 'forbidden'>,
  { id, known, language, now }: { id: number; known: KnownFields; language: string; now: number },
): Verdict {
  const unknownFor = (reason: string, until?: string): Verdict => ({
    ...{ state: unknown === 'forbid' ? 'forbidden' : 'unknown', until, reason },
  });
  if (!read) return { state: 'allowed', until: undefined, reason: undefined };
  const { fields, answers } = known;
  if (!fields) return unknownFor('no record');
  // It can lack texts, too.
  const lacking = known.lacking.filter((name) => names.includes(name));
  if (lacking.length > 0) return unknownFor(lackingText(lacking, answers));
  const named = Object.fromEntries(names.map((name) => [name, fields[name]]));
  const { state, until } = readRights(read, { id, fields: named, language });
  if (state === 'forbidden') return { state, until, reason: undefined };
  if (until !== undefined && until < dayOf(now))
    return { state: 'forbidden', until, reason: `rights ended on ${until}` };
  if (state === 'unknown') return unknownFor('rights unknown', until);
  const isEnding = until !== undefined && until <= dayOf(now + warnDays * oneDay);
  return { state: isEnding ? 'ending' : 'allowed', until, reason: undefined };
}

const answerNames: Readonly<Record<AnswerKind, string>> = {
  list: "its folder's list",
  record: 'its own record',
};

/** Which fields no answer has, and which answers those are. */
function lackingText(lacking: readonly string[], answers: readonly AnswerKind[]): string {
  const names = lacking.map((name) => `\`${name}\``);
  const none = answers.includes('record') ? '' : ', and the service gives no own record';
  return `no ${listNames(names)} in ${answers.map((kind) => answerNames[kind]).join(' or ')}${none}`;
}
