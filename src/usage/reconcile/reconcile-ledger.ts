import { compare } from '../../errors/compare.ts';
import type { Manifest } from '../../scan/manifest.ts';
import type { UsageRecord } from '../../service/types.ts';
import * as ledgers from '../ledger/ledger.ts';
import { ownPages } from '../ledger/ledger-identity.ts';
import type { SiteFields } from '../plan/plan-usage.ts';
import type { Listing } from './list-usages.ts';

interface Listed {
  readonly ledger: ledgers.Ledger;
  readonly listing: Listing;
  readonly manifest: Pick<Manifest, 'pages'>;
  readonly fields: SiteFields;
  /** The UTC day, `YYYY-MM-DD`. */
  readonly today: string;
}

type Pair = Omit<ledgers.LedgerRecord, 'state'>;

/**
 * Combines a listing, a ledger and the built pages, in order of page and asset. Contains each pair
 * that one of them names, of the listed assets and of pages under this site and base.
 *
 * Fields that a listing leaves out come from the ledger, then from the fields of a new report, `now`.
 * Its name is empty if the page isn't built.
 */
function listedPairs({ ledger, listing, manifest, fields, today }: Listed) {
  const isOwn = ownPages(ledger);
  const listed = [...listing].flatMap(([id, records]) =>
    records.filter(({ page }) => isOwn(page)).map((record) => ({ ...record, id })),
  );
  const known = [...ledger.pages.values()]
    .flat()
    .flatMap((record) => record.ids.map((id) => ({ page: record.page, id, record })));
  const shown = manifest.pages.flatMap(({ page, assets }) => assets.map((id) => ({ page, id })));
  const keyOf = ({ page, id }: { page: string; id: number }) => `${id} ${page}`;
  const listedOf = Map.groupBy(listed, keyOf);
  const knownOf = Map.groupBy(known, keyOf);
  const shownPairs = new Set(shown.map(keyOf));
  const names = new Map(manifest.pages.map(({ page, pageName }) => [page, pageName]));
  const pairs = new Map([...listed, ...known, ...shown].map((pair) => [keyOf(pair), pair]));
  return [...pairs]
    .filter(([, { id }]) => listing.has(id))
    .sort(([, a], [, b]) => compare(a.page, b.page) || a.id - b.id)
    .map(([key, { page, id }]) => {
      const own = knownOf.get(key)?.map(({ record }) => ({ ...record, ids: [id] })) ?? [];
      const now: Pair = {
        page,
        pageName: names.get(page) ?? '',
        ...fields,
        date: today,
        ids: [id],
      };
      return {
        ...{ page, id, known: own, now },
        listed: listedOf.get(key)?.map((record) => listedUsage(record, own, now)) ?? [],
        isShown: shownPairs.has(key),
      };
    });
}

/**
 * Puts a listing into a ledger. A pair that is listed once becomes confirmed. One that is listed
 * several times is in doubt under each variant, so that each is removed before the pair is reported
 * again. One that isn't listed becomes unsent if it's shown, which keeps its date. Otherwise it's
 * forgotten.
 *
 * `repeated`: pairs that are listed several times with the same fields, so one removal may not be
 * enough. `times` counts all their records: a removal may remove one with other fields than its own,
 * so only the sum shows whether it removed one.
 */
export function reconcileLedger(given: Listed) {
  const pairs = listedPairs(given);
  const changes = pairs.flatMap(({ listed, known, isShown }) => {
    const [oldest] = known;
    const unsent =
      oldest && isShown && listed.length === 0 ? [ledgers.toRecord(oldest, 'unsent')] : [];
    const state = listed.length > 1 ? 'in-doubt' : 'confirmed';
    return [
      ...known.map((record) => ledgers.toRecord(record, 'removed')),
      ...listed.map((usage) => ledgers.toRecord(usage, state)),
      ...unsent,
    ];
  });
  const repeated = pairs
    .filter(({ listed }) =>
      listed.some((one, at) => listed.findIndex((other) => ledgers.equalFields(one, other)) < at),
    )
    .map(({ page, id, listed }) => ({ page, id, times: listed.length }));
  return { ledger: ledgers.changeLedger(given.ledger, changes), repeated };
}

/**
 * `missing`: shown, but not listed. `extra`: listed, but not shown. `repeated`: listed more than
 * once. `fields`: listed with other fields. `ledger`: the service is right, the ledger is wrong.
 */
export type DriftKind = 'missing' | 'extra' | 'repeated' | 'fields' | 'ledger';

export type Drift = Readonly<ReturnType<typeof usageDrift>[number]>;

export function usageDrift(given: Listed) {
  return listedPairs(given).flatMap((pair) => {
    const kind = driftOf(pair);
    const { page, id, listed, known, now } = pair;
    const pageName = now.pageName || (listed[0] ?? known[0])?.pageName || '';
    return kind ? [{ page, pageName, id, kind }] : [];
  });
}

function driftOf({
  listed: [listed, ...others],
  known: all,
  now,
  isShown,
}: ReturnType<typeof listedPairs>[number]): DriftKind | undefined {
  const known = all.filter(({ state }) => state !== 'unsent');
  const [record] = known;
  if (!listed) return isShown ? 'missing' : record && 'ledger';
  if (!isShown) return 'extra';
  if (others.length > 0) return 'repeated';
  // Each pair has its own date.
  if (!ledgers.equalFields(listed, { ...now, date: listed.date })) return 'fields';
  const isKnown =
    known.length === 1 && record?.state === 'confirmed' && ledgers.equalFields(record, listed);
  return isKnown ? undefined : 'ledger';
}

function listedUsage(record: UsageRecord, known: readonly ledgers.LedgerRecord[], now: Pair): Pair {
  const agrees = (usage: Pair) =>
    ledgers.textFields.every((name) => textOf(record[name], usage[name]) === usage[name]);
  const likely = known.find(agrees) ??
    known[0] ?? { ...now, pageName: now.pageName || (record.pageName ?? '') };
  const text = (name: (typeof ledgers.textFields)[number]) => textOf(record[name], likely[name]);
  return {
    ...now,
    ...{ pageName: text('pageName'), project: text('project') },
    ...{ contact: text('contact'), description: text('description') },
    date: /^\d{4}-\d{2}-\d{2}/.exec(record.date ?? '')?.[0] ?? likely.date,
  };
}

/** A listing trims texts, so texts that only differ in that are the same. */
function textOf(listed: string | undefined, likely: string): string {
  return listed === undefined || listed === likely.trim() ? likely : listed;
}
