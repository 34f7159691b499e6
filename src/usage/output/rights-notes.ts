import { countOf, oneLine } from '../../errors/wording.ts';
import type { BuildRules } from '../build-rules.ts';

/** An asset on pages that may not be shown, or not for long. */
export type RightsNote = NonNullable<BuildRules['rights']>[number];

export type Paint = Readonly<
  Record<'bold' | 'dim' | 'green' | 'yellow' | 'red', (text: string) => string>
>;

const maxAssets = 50;
const maxPages = 10;

/** The notes as text for people, without a line break at the end; `[]` if there are none. */
export function rightsLines(
  notes: readonly RightsNote[] = [],
  { names, paint }: { names?: AssetNames | undefined; paint: Paint },
): string[] {
  if (notes.length === 0) return [];
  const lines = notes.slice(0, maxAssets).map((note) => {
    const colour = note.state === 'forbidden' ? paint.red : paint.yellow;
    const state = note.state === 'ending' ? `ends ${note.until}` : 'forbidden';
    const on = oneLine(pagesText(note.pages));
    return `  ${colour(state)}  ${assetLabel(note.id, names)}  ${paint.dim(`on ${on}`)}`;
  });
  const more = notes.length - maxAssets;
  if (more > 0) {
    lines.push(`… and ${countOf(more, 'more asset')}. \`media-asset rights\` shows all.`);
  }
  return [[`${paint.bold('Rights:')}`, ...lines].join('\n')];
}

/** At most ten pages. Further ones are counted. */
export function pagesText(pages: readonly string[]): string {
  const more = pages.length - maxPages;
  return [...pages.slice(0, maxPages), ...(more > 0 ? [`${more} more`] : [])].join(', ');
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
