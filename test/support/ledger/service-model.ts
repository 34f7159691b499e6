import type { Usage } from '../../../src/service/requests.ts';

/** A usage record in the service. */
interface ModelRecord extends Omit<Usage, 'ids' | 'removed'> {
  readonly id: number;
}

/** The behaviours that the interface leaves open about usages. */
export interface Semantics {
  /** The effect of a second report of the same asset on the same page. */
  readonly repeated: 'overwrite' | 'append';
  /** The fields, in addition to the asset, that a removal must match. */
  readonly matches: 'page' | 'page-project' | 'all-fields';
  /** Whether a removal removes all matching records, or only the first. */
  readonly takes: 'all' | 'first';
}

export const everySemantics: readonly Semantics[] = (['overwrite', 'append'] as const).flatMap(
  (repeated) =>
    (['page', 'page-project', 'all-fields'] as const).flatMap((matches) =>
      (['all', 'first'] as const).map((takes) => ({ repeated, matches, takes })),
    ),
);

export const overwriting: Semantics = { repeated: 'overwrite', matches: 'page', takes: 'all' };
export const appending: Semantics = { ...overwriting, repeated: 'append' };

export type ServiceModel = ReturnType<typeof createServiceModel>;

/** A service's usage records in memory, under one reading of the interface. */
export function createServiceModel({ repeated, matches, takes }: Semantics) {
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
    /** Reports or removes. Returns `false` if a removal found nothing to remove. */
    apply({ ids, removed, ...fields }: Usage): boolean {
      let found = true;
      for (const id of ids) {
        const usage = { ...fields, ids, removed };
        if (removed) {
          if (!removeOne(id, usage)) found = false;
          else if (takes === 'all') while (removeOne(id, usage));
          continue;
        }
        const at = records.findIndex((record) => record.id === id && record.page === fields.page);
        const record = { id, ...fields };
        if (repeated === 'overwrite' && at >= 0) records[at] = record;
        else records.push(record);
      }
      return found;
    },
    /** `page id name`, sorted. A pair that is listed twice appears twice. */
    list: () => records.map(({ page, id, pageName }) => `${page} ${id} ${pageName}`).sort(),
  };
}
