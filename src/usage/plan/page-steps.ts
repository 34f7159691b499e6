import { compareFields, type SentFields } from '../ledger/ledger.ts';
import type { PairsChange } from './page-changes.ts';

/** Requests that belong together: removals, then reports. */
export type Step = readonly StepRequest[];

interface StepRequest {
  readonly ids: readonly number[];
  readonly fields: SentFields;
  readonly removed: boolean;
}

/** What a step is for. A replacement removes usages and reports them again. */
export type Purpose = 'new' | 'replacement' | 'gone';

/** Groups the changes of a page that serve one purpose into as few requests as possible. */
export function pageSteps({
  changes,
  purpose,
  maxIdsPerRequest,
}: {
  changes: readonly PairsChange[];
  purpose: Purpose;
  maxIdsPerRequest: number;
}): Step[] {
  const purposeOf = purposes(changes);
  const chosen = changes.filter((change) => purposeOf(change) === purpose);
  return portions(chosen, maxIdsPerRequest).map(toStep);
}

/**
 * The purpose of each change of a page. New and gone pairs join a replacement if its requests have
 * the same fields.
 */
function purposes(changes: readonly PairsChange[]): (change: PairsChange) => Purpose {
  const replaced = changes.filter(({ removals, report }) => removals.length > 0 && report);
  if (replaced.length === 0) return ({ report }) => (report ? 'new' : 'gone');
  if (replaced.length === changes.length) return () => 'replacement';
  const removed = new Set(replaced.flatMap(({ removals }) => removals));
  const reported = new Set(replaced.map(({ report }) => report));
  return ({ removals, report }) => {
    const joins =
      removals.every((fields) => removed.has(fields)) && (!report || reported.has(report));
    return joins ? 'replacement' : report ? 'new' : 'gone';
  };
}

function toStep(changes: readonly PairsChange[]): Step {
  const removals = changes.flatMap(({ ids, removals }) =>
    removals.map((fields) => ({ ids, fields })),
  );
  const reports = changes.flatMap(({ ids, report }) => (report ? [{ ids, fields: report }] : []));
  return [...toRequests(removals, true), ...toRequests(reports, false)];
}

/** One request for all IDs with the same fields, sorted by fields. */
function toRequests(
  groups: readonly Omit<StepRequest, 'removed'>[],
  removed: boolean,
): StepRequest[] {
  if (groups.length < 2) return groups.map(({ ids, fields }) => ({ ids, fields, removed }));
  return [...Map.groupBy(groups, ({ fields }) => fields)]
    .sort(([a], [b]) => compareFields(a, b))
    .map(([fields, same]) => ({ ids: joined(same), fields, removed }));
}

function joined(groups: readonly { ids: readonly number[] }[]): readonly number[] {
  const [first, ...others] = groups;
  if (first && others.length === 0) return first.ids;
  return groups.flatMap(({ ids }) => ids).sort((a, b) => a - b);
}

/** Splits changes into portions of at most `size` IDs. */
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
      const isWhole = from === 0 && change.ids.length <= room;
      const part = isWhole ? change : { ...change, ids: change.ids.slice(from, from + room) };
      portions.at(-1)?.push(part);
      from += part.ids.length;
      room -= part.ids.length;
    }
  }
  return portions;
}
