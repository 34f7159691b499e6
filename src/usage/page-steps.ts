import type { Usage } from '../service/media-service.ts';
import { compareFields, type SentFields } from './ledger.ts';
import type { PairsChange } from './page-changes.ts';

/** Requests that belong together: removals, then reports. */
export type Step = readonly Usage[];

/** The steps of one page, by what they are for. */
export interface PageSteps {
  readonly new: readonly Step[];
  readonly replacement: readonly Step[];
  readonly gone: readonly Step[];
}

/**
 * Groups the changes of a page into as few requests as possible. What is new or gone on a page
 * joins a replacement whose requests carry the same fields anyway.
 */
export function pageSteps({
  page,
  changes,
  maxIdsPerRequest,
}: {
  page: string;
  changes: readonly PairsChange[];
  maxIdsPerRequest: number;
}): PageSteps {
  const replaced = changes.filter(({ removals, report }) => removals.length > 0 && report);
  const removed = new Set(replaced.flatMap(({ removals }) => removals));
  const reported = new Set(replaced.map(({ report }) => report));
  const joins = ({ removals, report }: PairsChange) =>
    removals.every((fields) => removed.has(fields)) && (!report || reported.has(report));
  const inSteps = (some: readonly PairsChange[]) =>
    portions(some, maxIdsPerRequest).map((portion) => toStep(page, portion));

  const alone = changes.filter((change) => !joins(change));
  return {
    new: inSteps(alone.filter(({ report }) => report)),
    replacement: inSteps(changes.filter(joins)),
    gone: inSteps(alone.filter(({ report }) => !report)),
  };
}

function toStep(page: string, changes: readonly PairsChange[]): Step {
  const removals = changes.flatMap(({ ids, removals }) =>
    removals.map((fields) => ({ ids, fields })),
  );
  const reports = changes.flatMap(({ ids, report }) => (report ? [{ ids, fields: report }] : []));
  return [
    ...toUsages({ page, groups: removals, removed: true }),
    ...toUsages({ page, groups: reports, removed: false }),
  ];
}

function toUsages({
  page,
  groups,
  removed,
}: {
  page: string;
  groups: readonly { ids: readonly number[]; fields: SentFields }[];
  removed: boolean;
}): Usage[] {
  return [...Map.groupBy(groups, ({ fields }) => fields)]
    .sort(([a], [b]) => compareFields(a, b))
    .map(([fields, same]) => {
      const ids = same.flatMap((group) => group.ids).sort((a, b) => a - b);
      return { ...fields, page, ids, removed };
    });
}

/** Cuts changes into portions of at most `size` ids, and a change in two where it must be. */
function portions(changes: readonly PairsChange[], size: number): PairsChange[][] {
  const portions: PairsChange[][] = [];
  let room = 0;
  for (const change of changes) {
    let from = 0;
    while (from < change.ids.length) {
      if (room === 0) {
        portions.push([]);
        room = size;
      }
      const ids = change.ids.slice(from, from + room);
      portions.at(-1)?.push({ ...change, ids });
      from += ids.length;
      room -= ids.length;
    }
  }
  return portions;
}
