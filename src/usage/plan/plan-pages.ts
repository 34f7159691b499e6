import { oneLine } from '../../errors/wording.ts';
import { compare } from '../../scan/compare.ts';
import type { Usage } from '../../service/requests.ts';
import { equalFields } from '../ledger/ledger.ts';
import { type Plan, requestsOf } from './plan-usage.ts';

export interface PlanPage {
  readonly page: string;
  readonly pageName: string;
  readonly lines: readonly PlanLine[];
}

/** `+` reported, `~` replaced, `-` removed, `!` held back. */
export interface PlanLine {
  readonly sign: '+' | '~' | '-' | '!';
  readonly ids: readonly number[];
  readonly note: string;
}

/** A plan page by page, in order of the page's URL. */
export function planPages(plan: Plan): PlanPage[] {
  const pages = Map.groupBy([...plan.steps, ...plan.held], ({ page }) => page);
  const held = new Set(plan.held);
  return [...pages]
    .sort(([a], [b]) => compare(a, b))
    .map(([page, steps]) => {
      const requests = requestsOf(steps);
      const named = requests.find(({ removed }) => !removed) ?? requests[0];
      const lines = steps.flatMap((step): readonly PlanLine[] =>
        held.has(step)
          ? [{ sign: '!', ids: idsOf(step.requests), note: 'no longer shown; removal held' }]
          : stepLines(step.requests),
      );
      return { page, pageName: named?.pageName ?? '', lines };
    });
}

/** What a step does. A report without a removal is new, and one with a removal is a replacement. */
function stepLines(step: readonly Usage[]): PlanLine[] {
  const removals = step.filter(({ removed }) => removed);
  const reports = step.filter(({ removed }) => !removed);
  const removed = new Set(idsOf(removals));
  const reported = new Set(idsOf(reports));
  const gone = [...removed].filter((id) => !reported.has(id));
  const lines = reports.flatMap((report): PlanLine[] => {
    const fresh = report.ids.filter((id) => !removed.has(id));
    const replaced = report.ids.filter((id) => removed.has(id));
    const before = removals.filter(({ ids }) => ids.some((id) => replaced.includes(id)));
    return [
      { sign: '+', ids: fresh, note: '' },
      { sign: '~', ids: replaced, note: difference(before, report) },
    ];
  });
  lines.push({ sign: '-', ids: gone, note: '' });
  return lines.filter(({ ids }) => ids.length > 0);
}

const comparedFields = [
  'pageName',
  'project',
  'contact',
  'description',
  'amount',
  'types',
] as const;

function difference(before: readonly Usage[], after: Usage): string {
  const changed = comparedFields.flatMap((name) => {
    const textOf = (request: Usage) => `${request[name]}`;
    const old = new Set(before.map(textOf).filter((text) => text !== textOf(after)));
    const word = name === 'pageName' ? 'name' : name;
    return [...old].map((value) => `${word} was “${oneLine(value)}”`);
  });
  const doubtful = before.length > 1 || before.some((request) => equalFields(request, after));
  return [...changed, ...(doubtful ? ['in doubt since an earlier run'] : [])].join(', ');
}

function idsOf(requests: readonly Usage[]): number[] {
  return [...new Set(requests.flatMap(({ ids }) => ids))].sort((a, b) => a - b);
}

/** The number of pairs in lines, or in those with one sign. */
export function pairsIn(lines: readonly PlanLine[], sign?: PlanLine['sign']): number {
  return lines.filter((line) => !sign || line.sign === sign).flatMap(({ ids }) => ids).length;
}

/** The assets' names in the service, by ID. Outside text with any content. */
export type AssetNames = Readonly<Record<string, string>>;

const longestName = 60;

/** An asset in plans, on one line: `4711 The quay at dawn`. Only the ID if the name is unknown. */
export function assetLabel(id: number, names: AssetNames = {}): string {
  const name = Array.from(oneLine(names[id] ?? '').trim());
  const shown = name.length > longestName ? [...name.slice(0, longestName - 1), '…'] : name;
  return `${id} ${shown.join('')}`.trimEnd();
}
