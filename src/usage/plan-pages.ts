import { equalFields } from './ledger.ts';
import type { Plan, PlannedRequest } from './plan-usage.ts';

/** What a plan does on one page. */
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
  const pages = Map.groupBy([...plan.requests, ...plan.held], ({ page }) => page);
  const held = new Set(plan.held);
  return [...pages]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([page, requests]) => ({
      page,
      pageName: (requests.find(({ removed }) => !removed) ?? requests[0])?.pageName ?? '',
      lines: [...Map.groupBy(requests, ({ step }) => step).values()].flatMap((step) =>
        step.some((request) => held.has(request))
          ? [{ sign: '!' as const, ids: idsOf(step), note: 'no longer shown; removal held' }]
          : stepLines(step),
      ),
    }));
}

/** What a step does, for each id: reports of what it has not removed are new, and so on. */
function stepLines(step: readonly PlannedRequest[]): PlanLine[] {
  const removals = step.filter(({ removed }) => removed);
  const reports = step.filter(({ removed }) => !removed);
  const removed = new Set(idsOf(removals));
  const reported = new Set(idsOf(reports));
  const lines = reports.flatMap((report): PlanLine[] => {
    const fresh = report.ids.filter((id) => !removed.has(id));
    const replaced = report.ids.filter((id) => removed.has(id));
    const before = removals.filter(({ ids }) => ids.some((id) => replaced.includes(id)));
    return [
      { sign: '+', ids: fresh, note: '' },
      { sign: '~', ids: replaced, note: difference(before, report) },
    ];
  });
  const gone = [...removed].filter((id) => !reported.has(id));
  lines.push({ sign: '-', ids: gone, note: '' });
  return lines.filter(({ ids }) => ids.length > 0);
}

/** Why a usage is replaced. */
function difference(before: readonly PlannedRequest[], after: PlannedRequest): string {
  const names = { pageName: 'named', project: 'project', contact: 'contact', description: 'text' };
  const changed = Object.entries(names).flatMap(([name, word]) => {
    const field = name as keyof typeof names;
    const old = new Set(before.map((request) => request[field]).filter((v) => v !== after[field]));
    return [...old].map((value) => `${word} “${oneLine(value)}” so far`);
  });
  const doubtful = before.length > 1 || before.some((request) => equalFields(request, after));
  return [...changed, ...(doubtful ? ['in doubt since an earlier run'] : [])].join(', ');
}

function idsOf(requests: readonly PlannedRequest[]): number[] {
  return [...new Set(requests.flatMap(({ ids }) => ids))].sort((a, b) => a - b);
}

/** The pairs of some lines. */
export function pairsIn(lines: readonly PlanLine[]): number {
  return lines.reduce((sum, { ids }) => sum + ids.length, 0);
}

/** Names come from pages, and may hold what moves a terminal's cursor. */
export function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}
