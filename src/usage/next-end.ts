import { z } from 'zod';
import { compare } from '../errors/compare.ts';
import { countOf, listIds } from '../errors/wording.ts';
import type { PageUsage } from '../scan/manifest.ts';

/** When the rights to shown assets end next. */
export const nextEndSchema = z.object({
  /** The last day on which they may be shown, in UTC: `2027-01-31`. Missing if no end is known. */
  until: z.string().optional(),
  /** The assets that end on that day. */
  ids: z.array(z.int()),
  /** The number of pages that show them. */
  pages: z.int(),
  /** Shown assets whose end isn't known, because their rights aren't. */
  unknown: z.array(z.int()),
});
export type NextEnd = z.output<typeof nextEndSchema>;

/** What decides about the end of an asset in a language. */
interface LanguageRights {
  readonly mayShow: boolean;
  readonly until?: string | undefined;
  readonly isUnknown?: boolean | undefined;
}

/** When the rights to a shown asset end. */
export interface EndOfRights {
  readonly id: number;
  /** The last day in UTC. `undefined` if there is none, or none is known. */
  readonly until: string | undefined;
  readonly isUnknown: boolean;
}

/** @param record by language; `undefined` if it isn't known */
export function endOfRights(
  id: number,
  record: Readonly<Record<string, LanguageRights>> | undefined,
): EndOfRights {
  const shown = Object.values(record ?? {}).filter(({ mayShow }) => mayShow);
  const [until] = shown.flatMap((one) => one.until ?? []).sort(compare);
  return { id, until, isUnknown: !record || shown.some((one) => one.isUnknown) };
}

export function nextEnd(
  ends: readonly EndOfRights[],
  pages: readonly Pick<PageUsage, 'assets'>[],
): NextEnd {
  const [until] = ends.flatMap((one) => one.until ?? []).sort(compare);
  const ids = ends.flatMap((one) => (until !== undefined && one.until === until ? one.id : []));
  return {
    ...{ until, ids, unknown: ends.flatMap(({ id, isUnknown }) => (isUnknown ? id : [])) },
    pages: pages.filter(({ assets }) => assets.some((id) => ids.includes(id))).length,
  };
}

/** For people: `2027-01-31: asset 4711 on 3 pages`. */
export function nextEndText({ until, ids, pages, unknown }: NextEnd): string {
  const assets = ids.length === 1 ? `asset ${ids[0]}` : `assets ${listIds(ids)}`;
  const none = unknown.length > 0 ? 'none known' : 'none';
  const known = until === undefined ? none : `${until}: ${assets} on ${countOf(pages, 'page')}`;
  return unknown.length > 0
    ? `${known}; unknown for ${countOf(unknown.length, 'asset')} (${listIds(unknown)})`
    : known;
}
