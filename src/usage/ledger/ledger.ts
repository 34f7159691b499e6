import { compare } from '../../scan/compare.ts';
import type { Manifest } from '../../scan/manifest.ts';
import type { LastRun } from './last-run.ts';
import type { LedgerIdentity } from './ledger-identity.ts';

/**
 * What the service has been told about one site. A pair (asset, page) can be in several records of
 * its page: the variants that the service may list.
 */
export interface Ledger extends LedgerIdentity {
  /** When the build started that was reported last, ISO 8601 in UTC. */
  readonly startedAt?: string | undefined;
  /** Since when a usage that the service doesn't refuse has been unsent, ISO 8601 in UTC. */
  readonly unsentSince: string | undefined;
  /** The last run that sent or held something. */
  readonly lastRun?: LastRun | undefined;
  /** By page URL. No page has an empty list. */
  readonly pages: ReadonlyMap<string, readonly LedgerRecord[]>;
}

export interface SentFields {
  readonly pageName: string;
  readonly project: string;
  readonly contact: string;
  readonly description: string;
  /** The UTC day of the first report, `YYYY-MM-DD`. */
  readonly date: string;
}

/**
 * - `confirmed`: the service lists it once.
 * - `in-doubt`: the service may list it, because a request has no recorded answer.
 * - `unremoved`: it was reported, and a removal of its pair was answered with an error. The service
 *   may list it, even twice. It isn't reported again until a removal of the pair is accepted.
 * - `unsent`: the service doesn't list it: it was removed to be replaced. The record keeps its date.
 */
export type RecordState = 'confirmed' | 'in-doubt' | 'unremoved' | 'unsent';

/** Assets of one page that were sent with the same fields. */
export interface LedgerRecord extends SentFields {
  /** In ascending order. */
  readonly ids: readonly number[];
  readonly state: RecordState;
}

/** A new state of assets on a page, under the fields of a request. */
export interface LedgerChange {
  readonly page: string;
  readonly fields: SentFields;
  readonly ids: readonly number[];
  /** `undefined`: the service doesn't list them under these fields. */
  readonly state: RecordState | undefined;
}

export function emptyLedger(identity: LedgerIdentity): Ledger {
  return { ...identity, unsentSince: undefined, pages: new Map() };
}

/** The ledger after changes, in their order. */
export function changeLedger(ledger: Ledger, changes: readonly LedgerChange[]): Ledger {
  if (changes.length === 0) return ledger;
  const pages = new Map(ledger.pages);
  changePages(pages, changes);
  return { ...ledger, pages };
}

/** Changes pages in place, so the cost depends on the changes and not on the site. */
export function changePages(
  pages: Map<string, readonly LedgerRecord[]>,
  changes: readonly LedgerChange[],
): void {
  for (const change of changes) {
    const records = changeRecords(pages.get(change.page) ?? [], change);
    if (records.length > 0) pages.set(change.page, records);
    else pages.delete(change.page);
  }
}

export type PairSet = ReadonlyMap<string, ReadonlySet<number>>;

export function ledgerOfPairs(ledger: Ledger, pairs: PairSet): Ledger {
  const pages = [...ledger.pages].flatMap(([page, records]) => {
    const some = records
      .map((record) => ({ ...record, ids: record.ids.filter((id) => pairs.get(page)?.has(id)) }))
      .filter((record) => record.ids.length > 0);
    return some.length > 0 ? [[page, some] as const] : [];
  });
  return { ...ledger, pages: new Map(pages) };
}

/** The ledger without unsent usages that are no longer shown. */
export function forgetUnsent(ledger: Ledger, manifest: Pick<Manifest, 'pages'>): Ledger {
  const waiting = [...ledger.pages].filter(([, records]) =>
    records.some(({ state }) => state === 'unsent'),
  );
  if (waiting.length === 0) return ledger;
  const shown = new Map(manifest.pages.map(({ page, assets }) => [page, assets]));
  const changes = waiting.flatMap(([page, records]) => {
    const ids = new Set(shown.get(page));
    return records
      .filter(({ state }) => state === 'unsent')
      .map((record) => ({
        page,
        fields: toSentFields(record),
        ids: record.ids.filter((id) => !ids.has(id)),
        state: undefined,
      }));
  });
  return changeLedger(ledger, changes);
}

function changeRecords(
  records: readonly LedgerRecord[],
  { fields, ids: given, state }: LedgerChange,
): readonly LedgerRecord[] {
  const ids = new Set(given);
  for (const record of records) {
    // A usage that may still be listed isn't unsent. One that may be listed twice stays so in doubt.
    const stays =
      state === 'unsent'
        ? record.state !== 'unsent'
        : state === 'in-doubt' && record.state === 'unremoved' && equalFields(record, fields);
    if (stays) for (const id of record.ids) ids.delete(id);
  }
  const others = records.map((record) => {
    const replaced =
      equalFields(record, fields) || (state !== undefined && record.state === 'unsent');
    return replaced ? { ...record, ids: record.ids.filter((id) => !ids.has(id)) } : record;
  });
  const changed = state ? [...others, { ...toSentFields(fields), ids: [...ids], state }] : others;
  return mergeRecords(changed);
}

/** Merges records with equal fields and state, sorts them, and drops empty ones. */
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
    .filter(({ ids }) => ids.length > 0)
    .map((record) => ({ ...record, ids: record.ids.toSorted((a, b) => a - b) }))
    .sort((a, b) => compareFields(a, b) || compare(a.state, b.state));
}

export function toSentFields(sent: SentFields): SentFields {
  const { pageName, project, contact, description, date } = sent;
  return { pageName, project, contact, description, date };
}

const fieldNames = ['date', 'pageName', 'project', 'contact', 'description'] as const;

export function equalFields(a: SentFields, b: SentFields): boolean {
  return fieldNames.every((name) => a[name] === b[name]);
}

/** A fixed order of fields: by date, then by name. */
export function compareFields(a: SentFields, b: SentFields): number {
  return fieldNames.reduce((order, name) => order || compare(a[name], b[name]), 0);
}
