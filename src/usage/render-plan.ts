import { oneLine, type PlanLine, type PlanPage, pairsIn, planPages } from './plan-pages.ts';
import type { Plan } from './plan-usage.ts';

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
    const rest = `${count(pages.length - shown.length, 'more page')} with ${count(pairsIn(hidden), 'usage')}`;
    blocks.push(paint.dim(`… and ${rest}`));
  }
  return [...blocks, closing(plan, pages, paint)].join('\n\n');
}

function pageText({ page, pageName, lines }: PlanPage, paint: Paint, most?: number): string {
  const colours = { '+': paint.green, '~': paint.yellow, '-': paint.red, '!': paint.yellow };
  const texts = lines.map(({ sign, ids, note }) => {
    const shown = ids.slice(0, most).join(', ');
    const more = ids.length > (most ?? ids.length) ? ` and ${ids.length - (most ?? 0)} more` : '';
    return `  ${colours[sign](sign)} ${shown}${more}${note && `  ${paint.dim(`(${note})`)}`}`;
  });
  return [`${paint.bold(oneLine(pageName))}  ${paint.dim(page)}`, ...texts].join('\n');
}

function closing({ guard }: Plan, pages: readonly PlanPage[], paint: Paint): string {
  const lines = pages.flatMap((page) => page.lines);
  const pairs = (sign: PlanLine['sign']) => pairsIn(lines.filter((line) => line.sign === sign));
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

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
