import { compare } from '../../errors/compare.ts';
import { describe } from '../../errors/errors.ts';
import { countOf, cutTo, oneLine } from '../../errors/wording.ts';
import type { Usage } from '../../service/requests.ts';
import { equalFields, textFields } from '../ledger/ledger.ts';
import { type Plan, requestsOf } from '../plan/plan-usage.ts';
import type { ReportResult } from '../report/report-result.ts';

export interface RenderOptions {
  /** @default no colours */
  readonly paint?: Paint;
  /** Further pages are counted. With 0, the plan is its counts in one line. @default all */
  readonly maxPages?: number;
  /** Printed above the plan. Pages of this site are named by their path. */
  readonly identity: { readonly site: string; readonly base: string; readonly service: string };
  /** The built pages. The plan marks every other page as gone. */
  readonly manifest?: { readonly pages: readonly { readonly page: string }[] };
  readonly names?: AssetNames | undefined;
  /** Before the lines of a page. @default two spaces */
  readonly indent?: string;
  /** What to run next. Not printed if there's nothing to send. */
  readonly next?: string;
}

type Style = RenderOptions & { readonly paint: Paint; readonly indent: string };

const same = (text: string) => text;
const plain: Paint = { bold: same, dim: same, green: same, yellow: same, red: same };

const signs = {
  '+': ['report', 'green'],
  '~': ['replace', 'yellow'],
  '-': ['remove', 'red'],
  '!': ['held', 'yellow'],
} as const;
type Sign = keyof typeof signs;

/**
 * A plan as text for people. Lists by page the usages that are reported (`+`), replaced (`~`),
 * removed (`-`) and blocked (`!`), then the counts, the guard and the next step. Ends without a
 * line break.
 */
export function renderPlan(plan: Plan, options: RenderOptions): string {
  const style: Style = { paint: plain, indent: '  ', ...options };
  const { paint, maxPages, identity, manifest } = style;
  const pages = planPages(plan);
  const lines = pages.flatMap((page) => page.lines);
  const shown = pages.slice(0, maxPages);
  const shownLines = shown.flatMap((page) => page.lines);
  const head = heading(identity, shownLines, style);
  if (pages.length === 0) {
    const known = plan.unchanged > 0 ? ` ${countOf(plan.unchanged, 'usage')}, unchanged.` : '';
    const nothing = 'Nothing to report: the service already lists what the pages show.';
    return `${head}\n\n${nothing}${known}`;
  }
  if (maxPages === 0) return closing(plan, lines, style);
  const built = manifest && new Set(manifest.pages.map(({ page }) => page));
  const blocks = shown.map((page) => pageText(page, built?.has(page.page) === false, style));
  const hidden = pages.slice(shown.length);
  if (hidden.length > 0) {
    const usages = countOf(pairsIn(hidden.flatMap((page) => page.lines)), 'usage');
    blocks.push(paint.dim(`… and ${countOf(hidden.length, 'more page')} with ${usages}`));
  }
  return [head, ...blocks, closing(plan, lines, style)].join('\n\n');
}

function heading(
  { site, base, service }: RenderOptions['identity'],
  lines: readonly PlanLine[],
  { paint }: Style,
): string {
  const from = `${site.replace(/\/$/, '')}${base || '/'}`;
  const present = (Object.keys(signs) as Sign[]).filter((sign) =>
    lines.some((line) => line.sign === sign),
  );
  const legend = present.map((sign) => `${painted(sign, paint)} ${signs[sign][0]}`);
  return [
    `Usages: ${paint.bold(from)} → ${paint.bold(service)}`,
    ...(legend.length > 0 ? ['', `  ${legend.join('   ')}`] : []),
  ].join('\n');
}

function pageText(
  { page, pageName, lines }: ReturnType<typeof planPages>[number],
  isGone: boolean,
  style: Style,
): string {
  const { paint, indent, identity, names } = style;
  const texts = lines.map(({ sign, ids, note }) => {
    const notes = [note, ...(isGone && sign === '-' ? ['the page is gone'] : [])].filter(Boolean);
    const why = notes.length > 0 ? `  ${paint.dim(`(${notes.join(', ')})`)}` : '';
    return `${indent}${painted(sign, paint)} ${ids.map((id) => assetLabel(id, names)).join(', ')}${why}`;
  });
  const name = pageName && `${paint.bold(oneLine(pageName))}  `;
  return [`${name}${paint.dim(oneLine(pathOf(page, identity.site)))}`, ...texts].join('\n');
}

function closing(plan: Plan, lines: readonly PlanLine[], { paint, next }: Style): string {
  const { guard, unchanged } = plan;
  const requests = requestsOf(plan.steps).length;
  const parts = [
    [pairsIn(lines, '+'), 'to report'],
    [pairsIn(lines, '-'), 'to remove'],
    [pairsIn(lines, '~'), 'to replace'],
  ] as const;
  const [first, ...others] = parts.filter(([number]) => number > 0);
  const counts = first
    ? [`${countOf(first[0], 'usage')} ${first[1]}`, ...others.map((part) => part.join(' '))]
    : ['nothing to send'];
  const rest = [
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ...(requests > 0 ? [countOf(requests, 'request')] : []),
  ].join(', ');
  const allowed = `removes ${guard.removals} of ${countOf(guard.known, 'known usage')}; up to ${guard.limit} are allowed.`;
  const held = describe('removals-held', guard);
  return [
    `${paint.bold('Plan:')} ${counts.join(', ')}.${rest && ` ${paint.dim(`(${rest})`)}`}`,
    ...(guard.held
      ? [paint.yellow(`Held: ${held.message} ${held.hint}`)]
      : guard.removals > 0
        ? [`${paint.bold('Guard:')} ${allowed}`]
        : []),
    ...(next && requests > 0 ? [`${paint.bold('Next:')} ${next}`] : []),
  ].join('\n');
}

function painted(sign: Sign, paint: Paint): string {
  return paint[signs[sign][1]](sign);
}

function pathOf(page: string, site: string): string {
  const { origin } = new URL(site);
  return page.startsWith(`${origin}/`) ? page.slice(origin.length) : page;
}

interface PlanLine {
  readonly sign: Sign;
  readonly ids: readonly number[];
  readonly note: string;
}

function planPages(plan: Plan) {
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

function difference(before: readonly Usage[], after: Usage): string {
  const changed = textFields.flatMap((name) => {
    const others = before.map((request) => request[name]).filter((old) => old !== after[name]);
    const word = name === 'pageName' ? 'name' : name;
    return [...new Set(others)].map((value) => `${word} was “${oneLine(value)}”`);
  });
  const doubtful = before.length > 1 || before.some((request) => equalFields(request, after));
  return [...changed, ...(doubtful ? ['in doubt since an earlier run'] : [])].join(', ');
}

function idsOf(requests: readonly Usage[]): number[] {
  return [...new Set(requests.flatMap(({ ids }) => ids))].sort((a, b) => a - b);
}

type Counts = Pick<ReportResult, 'reported' | 'removed' | 'requests' | 'unsent' | 'held'>;

/** Summarizes a run. Returns `unchanged` if nothing happened. */
export function countsText(
  { reported, removed, requests, unsent, held }: Counts,
  unchanged: string,
): string {
  if (requests + unsent + held === 0) return unchanged;
  const parts = [
    requests === 0
      ? 'Nothing was sent'
      : `${countOf(reported, 'usage')} reported, ${removed} removed, in ${countOf(requests, 'request')}`,
    ...(unsent > 0 ? [`${unsent} unsent`] : []),
    ...(held > 0 ? [`${countOf(held, 'removal')} held`] : []),
  ];
  return `${parts.join('; ')}.`;
}

/** The number of pairs in lines, or in those with one sign. */
function pairsIn(lines: readonly PlanLine[], sign?: Sign): number {
  return lines.filter((line) => !sign || line.sign === sign).flatMap(({ ids }) => ids).length;
}

type Paint = Readonly<
  Record<'bold' | 'dim' | 'green' | 'yellow' | 'red', (text: string) => string>
>;

/** The assets' names in the service, by ID. Outside text with any content. */
export type AssetNames = Readonly<Record<string, string>>;

/** An asset in plans, on one line: `4711 The quay at dawn`. Only the ID if the name is unknown. */
export function assetLabel(id: number, names: AssetNames = {}): string {
  const name = oneLine(names[id] ?? '').trim();
  return `${id} ${cutTo(60, name)}`.trimEnd();
}
