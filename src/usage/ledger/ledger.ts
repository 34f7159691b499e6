import { compare } from '../../errors/compare.ts';
import type { Manifest } from '../../scan/manifest.ts';
import type { Usage } from '../../service/requests.ts';
import type { Gap } from './gaps.ts';
import type { LastRun } from './last-run.ts';
import type { LedgerIdentity } from './ledger-identity.ts';

/**
 * What the service has been told about one site. A pair (asset, page) can be in several records of
 * its page: the variants that the service may list.
 */
export interface Ledger extends LedgerIdentity {
  /** When the build started that was reported last, ISO 8601 in UTC. */
  readonly startedAt?: string | undefined;
  /** The random ID of that build, if it's known. */
  readonly build?: string | undefined;
  /** Why the service's list may be wrong. A reconcile over the whole library closes it. */
  readonly gap?: Gap | undefined;
  /** Since when a usage that the service doesn't refuse has been unsent, ISO 8601 in UTC. */
  readonly unsentSince: string | undefined;
  /** The last run that sent or held something. */
  readonly lastRun?: LastRun | undefined;
  /** By page URL. No page has an empty list. */
  readonly pages: ReadonlyMap<string, readonly LedgerRecord[]>;
}

/**
 * - `confirmed`: the service lists it once.
 * - `in-doubt`: the service may list it, because a request has no recorded answer.
 * - `unremoved`: it was reported, and a removal of its pair was answered with an error. The service
 *   may list it, even twice. It isn't reported again until a removal of the pair is accepted.
 * - `unsent`: the service doesn't list it: it was removed to be replaced. The record keeps its date.
 */
export type RecordState = 'confirmed' | 'in-doubt' | 'unremoved' | 'unsent';

/**
 * Usages of one page that were sent with the same fields, and their state. `ids` are in ascending
 * order. In a change, the state is the new one, which can also be:
 *
 * - `removed`: the service doesn't list it under these fields.
 * - `absent`: the service says that it doesn't have it. It may be the wrong service, until it accepts
 *   something in this run.
 */
export interface LedgerRecord<State = RecordState>
  extends Omit<Usage, 'removed' | 'amount' | 'types'> {
  readonly state: State;
}

export type ChangedRecord = LedgerRecord<RecordState | 'removed' | 'absent'>;

/** A usage with its state, and without further properties. */
export function toRecord<const State>(usage: Omit<LedgerRecord, 'state'>, state: State) {
  const { page, pageName, project, contact, description, date, ids } = usage;
  return { page, pageName, project, contact, description, date, ids, state };
}

export function emptyLedger(identity: LedgerIdentity): Ledger {
  return { ...identity, unsentSince: undefined, pages: new Map() };
}

export function changeLedger(ledger: Ledger, changes: readonly ChangedRecord[]): Ledger {
  if (changes.length === 0) return ledger;
  const pages = new Map(ledger.pages);
  changePages(pages, changes);
  return { ...ledger, pages };
}

/** Changes pages in place, so the cost depends on the changes and not on the site. */
export function changePages(
  pages: Map<string, readonly LedgerRecord[]>,
  changes: readonly ChangedRecord[],
): void {
  for (const change of changes) {
    const records = changeRecords(pages.get(change.page) ?? [], change);
    if (records.length > 0) pages.set(change.page, records);
    else pages.delete(change.page);
  }
}

export function ledgerOfPairs(
  ledger: Ledger,
  pairs: readonly { readonly page: string; readonly id: number }[],
): Ledger {
  const chosen = Map.groupBy(pairs, ({ page }) => page);
  const pages = [...chosen].map(([page, same]) => {
    const ids = new Set(same.map(({ id }) => id));
    const records = ledger.pages.get(page) ?? [];
    return [page, withoutIds(records, (id) => !ids.has(id))] as const;
  });
  return { ...ledger, pages: new Map(pages.filter(([, records]) => records.length > 0)) };
}

/** The ledger without unsent usages that are no longer shown. */
export function forgetUnsent(ledger: Ledger, manifest: Pick<Manifest, 'pages'>): Ledger {
  const unsent = [...ledger.pages.values()].flat().filter(({ state }) => state === 'unsent');
  const shown = new Map(manifest.pages.map(({ page, assets }) => [page, new Set(assets)]));
  const forgotten = withoutIds(unsent, (id, { page }) => shown.get(page)?.has(id) ?? false);
  return changeLedger(
    ledger,
    forgotten.map((record) => toRecord(record, 'removed')),
  );
}

/** Records without some of their IDs. Empty ones are left out. */
function withoutIds(
  records: readonly LedgerRecord[],
  test: (id: number, record: LedgerRecord) => boolean,
): LedgerRecord[] {
  return records
    .map((record) => ({ ...record, ids: record.ids.filter((id) => !test(id, record)) }))
    .filter(({ ids }) => ids.length > 0);
}

function changeRecords(
  records: readonly LedgerRecord[],
  change: ChangedRecord,
): readonly LedgerRecord[] {
  const { state } = change;
  const isGone = state === 'removed' || state === 'absent';
  const ids = new Set(change.ids);
  for (const record of records) {
    // A usage that may still be listed isn't unsent. One that may be listed twice stays so in doubt.
    const stays =
      state === 'unsent'
        ? record.state !== 'unsent'
        : state === 'in-doubt' && record.state === 'unremoved' && equalFields(record, change);
    if (stays) for (const id of record.ids) ids.delete(id);
  }
  const others = withoutIds(
    records,
    (id, record) =>
      ids.has(id) && (equalFields(record, change) || (!isGone && record.state === 'unsent')),
  );
  if (!isGone && ids.size > 0) others.push(toRecord({ ...change, ids: [...ids] }, state));
  return mergeRecords(others);
}

/** Merges records with equal fields and state, and sorts them. */
function mergeRecords(records: readonly LedgerRecord[]): readonly LedgerRecord[] {
  const merged: LedgerRecord[] = [];
  for (const record of records) {
    const at = merged.findIndex(
      (other) => other.state === record.state && equalFields(other, record),
    );
    const same = merged[at];
    if (same) merged[at] = { ...same, ids: [...new Set([...same.ids, ...record.ids])] };
    else merged.push(record);
  }
  return merged
    .map((record) => ({ ...record, ids: record.ids.toSorted((a, b) => a - b) }))
    .sort((a, b) => compareFields(a, b) || compare(a.state, b.state));
}

export const textFields = ['pageName', 'project', 'contact', 'description'] as const;
const fieldNames = ['date', ...textFields] as const;

/** The fields that a usage is sent with, apart from its page. */
type UsageFields = Pick<Usage, (typeof fieldNames)[number]>;

export function equalFields(a: UsageFields, b: UsageFields): boolean {
  return fieldNames.every((name) => a[name] === b[name]);
}

/** A fixed order of fields: by date, then by name. */
export function compareFields(a: UsageFields, b: UsageFields): number {
  return fieldNames.reduce((order, name) => order || compare(a[name], b[name]), 0);
}

export type LedgerStatus = ReturnType<typeof ledgerStatus>;

/**
 * Counts the pairs of a ledger by state. `inDoubt`: the service may list it, even twice. `unsent`: it
 * was removed to be replaced, and its report is still to come.
 */
export function ledgerStatus({ pages, ...head }: Ledger) {
  const { service, site, base, unsentSince = null, lastRun = null } = head;
  const pairs = { confirmed: 0, inDoubt: 0, unsent: 0 };
  for (const records of pages.values()) {
    const states = records.flatMap(({ ids, state }) => ids.map((id) => ({ id, state })));
    for (const same of Map.groupBy(states, ({ id }) => id).values()) {
      const state = same[0]?.state;
      const isSure = same.length === 1 && (state === 'confirmed' || state === 'unsent');
      pairs[isSure ? state : 'inDoubt'] += 1;
    }
  }
  return { service, site, base, pages: pages.size, pairs, unsentSince, lastRun };
}
