import type { Usage } from '../../../src/service/types.ts';

/** A usage record as a service keeps it. */
interface ModelRecord extends Omit<Usage, 'ids' | 'removed'> {
  readonly id: number;
}

/** What the interface leaves open about usages. */
export interface Semantics {
  /** What a second report of the same asset on the same page does. */
  readonly repeated: 'overwrite' | 'append';
  /** What a removal must agree in, besides the asset. */
  readonly matches: 'page' | 'page-project' | 'all-fields';
  /** Whether a removal takes all records that match, or the first. */
  readonly takes: 'all' | 'first';
}

export const everySemantics: readonly Semantics[] = (['overwrite', 'append'] as const).flatMap(
  (repeated) =>
    (['page', 'page-project', 'all-fields'] as const).flatMap((matches) =>
      (['all', 'first'] as const).map((takes) => ({ repeated, matches, takes })),
    ),
);

export interface ServiceModel {
  readonly records: ModelRecord[];
  /** Reports or removes. False where a removal found nothing to remove. */
  apply(usage: Usage): boolean;
  /** `page id name`, sorted; a pair that is listed twice stands here twice. */
  list(): string[];
}

/** A service's usage records in memory, under one reading of the interface. */
export function createServiceModel({ repeated, matches, takes }: Semantics): ServiceModel {
  const records: ModelRecord[] = [];
  const agrees = (record: ModelRecord, usage: Usage) =>
    record.page === usage.page &&
    (matches === 'page' || record.project === usage.project) &&
    (matches !== 'all-fields' ||
      (['pageName', 'contact', 'description', 'date'] as const).every(
        (field) => record[field] === usage[field],
      ));
  const removeOne = (id: number, usage: Usage) => {
    const at = records.findIndex((record) => record.id === id && agrees(record, usage));
    if (at >= 0) records.splice(at, 1);
    return at >= 0;
  };
  return {
    records,
    apply({ ids, removed, ...fields }) {
      let found = true;
      for (const id of ids) {
        const usage = { ...fields, ids, removed };
        if (removed) {
          if (!removeOne(id, usage)) found = false;
          else if (takes === 'all') while (removeOne(id, usage));
          continue;
        }
        const { page, pageName, project, contact, description, date } = fields;
        const at = records.findIndex((record) => record.id === id && record.page === page);
        const record = { id, page, pageName, project, contact, description, date };
        if (repeated === 'overwrite' && at >= 0) records[at] = record;
        else records.push(record);
      }
      return found;
    },
    list: () => records.map(({ page, id, pageName }) => `${page} ${id} ${pageName}`).sort(),
  };
}
