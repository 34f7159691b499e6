import { extname } from 'node:path';
import { mediaAssetError } from '../../errors/errors.ts';
import type { AssetChange } from '../toolbar/protocol.ts';
import { componentPlaces } from './component-places.ts';
import { dataPlaces, frontmatterPlaces } from './data-places.ts';
import type { Found, FoundPlace, SourceText } from './found-place.ts';
import { markdownPlaces } from './markdown-places.ts';
import { ComputedProp } from './text-edits.ts';

/**
 * Finds the places in a file that name assets.
 *
 * @param options.root the folder of the project, whose Astro brings the parsers
 * @param options.id also finds bare numbers in data: `hero: 4711`
 * @throws `source-unreadable`
 */
export async function findPlaces(
  file: SourceText,
  options: { readonly root: string; readonly id?: number | undefined },
): Promise<FoundPlace[]> {
  return (await placesIn(file, options)).map((place) => ({
    ...place,
    file: file.path,
    ...positionOf(file.text, place.start),
  }));
}

async function placesIn(
  file: SourceText,
  { root, id }: { readonly root: string; readonly id?: number | undefined },
): Promise<Found[]> {
  switch (extname(file.path)) {
    case '.astro':
      return componentPlaces(file, root);
    case '.md':
    case '.mdx':
      return [...frontmatterPlaces(file, id), ...(await markdownPlaces(file, root))];
    default:
      return dataPlaces(file, id);
  }
}

/**
 * The file's text after a change of one place. Every other byte stays.
 *
 * @throws `source-computed`
 */
export function changePlace(text: string, place: FoundPlace, change: AssetChange): string {
  const { start, file, line } = place;
  try {
    return text.slice(0, start) + place.change(change) + text.slice(start + place.text.length);
  } catch (thrown) {
    if (!(thrown instanceof ComputedProp)) throw thrown;
    throw mediaAssetError('source-computed', { file, line, prop: thrown.message });
  }
}

/** Counted from 1, the column in UTF-16 code units. */
function positionOf(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
