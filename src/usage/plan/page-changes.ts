import { equalFields, type LedgerRecord, type SentFields, toSentFields } from '../ledger/ledger.ts';

/** The fields that the service should list for a page's usages. Each pair has its own date. */
export type PageFields = Omit<SentFields, 'date'>;

/** The requests for assets of a page. In a page's changes, equal fields are the same object. */
export interface PairsChange {
  /** In ascending order. Each ID of a page is in one change only. */
  readonly ids: readonly number[];
  /** The fields under which the service may list them. None for new pairs. */
  readonly removals: readonly SentFields[];
  /** The fields to report them with. `undefined` for pairs that are gone. */
  readonly report: SentFields | undefined;
}

export interface PageChanges {
  readonly changes: readonly PairsChange[];
  /** Pairs that the service lists or may list. */
  readonly known: number;
  readonly unchanged: number;
}

/** Compares what a page shows with what the service has been told about it. */
export function pageChanges({
  ids,
  fields,
  records,
  today,
}: {
  ids: readonly number[];
  fields: PageFields;
  records: readonly LedgerRecord[];
  today: string;
}): PageChanges {
  const one = oneOfEach();
  const changes: PairsChange[] = [];
  let known = 0;
  let unchanged = 0;
  for (const group of groupsOf(ids, records)) {
    const { variants } = group;
    const standing = variants.filter(({ state }) => state !== 'unsent');
    const [shown, gone] = split(group.ids, ids);
    if (standing.length > 0) known += group.ids.length;
    if (
      shown.length > 0 &&
      standing.length === 1 &&
      standing.every((record) => isRight(record, fields))
    ) {
      unchanged += shown.length;
    } else if (shown.length > 0) {
      const date = variants.map((variant) => variant.date).sort()[0] ?? today;
      changes.push({ ids: shown, removals: standing.map(one), report: one({ ...fields, date }) });
    }
    if (gone.length > 0 && standing.length > 0) {
      changes.push({ ids: gone, removals: standing.map(one), report: undefined });
    }
  }
  return { changes, known, unchanged };
}

interface Group {
  readonly ids: readonly number[];
  readonly variants: readonly LedgerRecord[];
}

/** The IDs of a page, grouped by the records that they are in. */
function groupsOf(shown: readonly number[], records: readonly LedgerRecord[]): Group[] {
  let groups: Group[] = [{ ids: allIds(shown, records), variants: [] }];
  for (const record of records) {
    groups = groups.flatMap(({ ids, variants }) => {
      const [inside, outside] = split(ids, record.ids);
      return [
        ...(inside.length > 0 ? [{ ids: inside, variants: [...variants, record] }] : []),
        ...(outside.length > 0 ? [{ ids: outside, variants }] : []),
      ];
    });
  }
  return groups;
}

function allIds(shown: readonly number[], records: readonly LedgerRecord[]): readonly number[] {
  if (records.every(({ ids }) => equalIds(ids, shown))) return shown;
  const all = new Set(shown);
  for (const { ids } of records) for (const id of ids) all.add(id);
  return [...all].sort((a, b) => a - b);
}

/** Splits IDs into the chosen ones and the others. On most pages, all are chosen. */
function split(
  ids: readonly number[],
  chosen: readonly number[],
): [readonly number[], readonly number[]] {
  if (equalIds(ids, chosen)) return [ids, []];
  const known = new Set(chosen);
  const inside: number[] = [];
  const outside: number[] = [];
  for (const id of ids) (known.has(id) ? inside : outside).push(id);
  return [inside, outside];
}

function equalIds(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}

/** Returns the same object for equal fields, so they can be compared by identity. */
function oneOfEach(): (fields: SentFields) => SentFields {
  const known: SentFields[] = [];
  return (fields) => {
    const found = known.find((other) => equalFields(other, fields));
    if (found) return found;
    const own = toSentFields(fields);
    known.push(own);
    return own;
  };
}

/** Whether the service lists a usage as it should. */
function isRight(record: LedgerRecord, fields: PageFields): boolean {
  return (
    record.state === 'confirmed' &&
    record.pageName === fields.pageName &&
    record.project === fields.project &&
    record.contact === fields.contact &&
    record.description === fields.description
  );
}
