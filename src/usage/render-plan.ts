import { equalFields } from './ledger.ts';
import type { Plan, PlannedRequest } from './plan-usage.ts';

/** How a terminal marks text. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  red(text: string): string;
}

export interface RenderLimits {
  /** Pages shown; the rest is counted. @default all */
  readonly pages?: number;
  /** Ids shown in a line; the rest is counted. @default all */
  readonly ids?: number;
}

export interface RenderOptions {
  /** @default no colours */
  readonly paint?: Paint;
  readonly limits?: RenderLimits;
}

const same = (text: string) => text;
const plain: Paint = { bold: same, dim: same, green: same, yellow: same, red: same };

/**
 * A plan as text for people: page by page what is reported (`+`), replaced (`~`), removed (`-`) and
 * held back (`!`), and a line of counts. Ends without a line break.
 */
export function renderPlan(plan: Plan, { paint = plain, limits = {} }: RenderOptions = {}): string {
  const pages = planPages(plan);
  if (pages.length === 0) {
    return 'Nothing to report: the service already lists what the pages show.';
  }
  const shown = pages.slice(0, limits.pages);
  const blocks = shown.map((page) => pageText(page, paint, limits.ids));
  const hidden = pages.slice(shown.length).flatMap(({ lines }) => lines);
  if (hidden.length > 0) {
    const rest = `${count(pages.length - shown.length, 'more page')} with ${count(sumOf(hidden), 'usage')}`;
    blocks.push(paint.dim(`… and ${rest}`));
  }
  return [...blocks, closing(plan, pages, paint)].join('\n\n');
}

interface PageLines {
  readonly page: string;
  readonly pageName: string;
  readonly lines: readonly Line[];
}

interface Line {
  readonly sign: '+' | '~' | '-' | '!';
  readonly ids: readonly number[];
  readonly note: string;
}

function planPages(plan: Plan): PageLines[] {
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
function stepLines(step: readonly PlannedRequest[]): Line[] {
  const removals = step.filter(({ removed }) => removed);
  const reports = step.filter(({ removed }) => !removed);
  const removed = new Set(idsOf(removals));
  const reported = new Set(idsOf(reports));
  const lines = reports.flatMap((report): Line[] => {
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

function pageText({ page, pageName, lines }: PageLines, paint: Paint, most?: number): string {
  const colours = { '+': paint.green, '~': paint.yellow, '-': paint.red, '!': paint.yellow };
  const texts = lines.map(({ sign, ids, note }) => {
    const shown = ids.slice(0, most).join(', ');
    const more = ids.length > (most ?? ids.length) ? ` and ${ids.length - (most ?? 0)} more` : '';
    return `  ${colours[sign](sign)} ${shown}${more}${note && `  ${paint.dim(`(${note})`)}`}`;
  });
  return [`${paint.bold(oneLine(pageName))}  ${paint.dim(page)}`, ...texts].join('\n');
}

function closing({ guard }: Plan, pages: readonly PageLines[], paint: Paint): string {
  const lines = pages.flatMap((page) => page.lines);
  const pairs = (sign: Line['sign']) => sumOf(lines.filter((line) => line.sign === sign));
  const parts = [
    [pairs('+'), 'to report'],
    [pairs('-'), 'to remove'],
    [pairs('~'), 'to replace'],
  ] as const;
  const [first, ...others] = parts.filter(([number]) => number > 0);
  const counts = first
    ? [`${count(first[0], 'usage')} ${first[1]}`, ...others.map((part) => part.join(' '))]
    : ['nothing to send'];
  const held = `Held: ${count(guard.removals, 'removal')} of ${guard.known} known usages, more than the guard allows (${guard.limit}). If the pages are really gone, run once with --allow-removals.`;
  return [
    `${paint.bold('Plan:')} ${counts.join(', ')}.`,
    ...(guard.held ? [paint.yellow(held)] : []),
  ].join('\n');
}

function idsOf(requests: readonly PlannedRequest[]): number[] {
  return [...new Set(requests.flatMap(({ ids }) => ids))].sort((a, b) => a - b);
}

function sumOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { ids }) => sum + ids.length, 0);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Names come from pages, and may hold what moves a terminal's cursor. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}
