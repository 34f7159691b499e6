import { extname } from 'node:path';
import { astroPlaces } from './astro-places.ts';
import { dataPlaces } from './data-places.ts';
import type { FoundPlace } from './found-place.ts';
import { frontmatterRange } from './frontmatter.ts';
import { markdownPlaces } from './markdown-places.ts';

export type { FoundPlace } from './found-place.ts';

export interface SourceFile {
  /** From the project's folder, with `/`. */
  readonly path: string;
  readonly text: string;
  /**
   * The asset to find in frontmatter and data also by its number alone. Without it, such numbers
   * aren't places.
   */
  readonly id?: number | undefined;
}

/**
 * All places in a file that name an asset by literal values. A file of another type has none.
 *
 * @throws `source-unreadable`
 */
export async function findPlaces(file: SourceFile): Promise<FoundPlace[]> {
  const whole = { start: 0, end: file.text.length };
  switch (extname(file.path).toLowerCase()) {
    case '.astro':
      return astroPlaces(file);
    case '.md':
      return [...frontmatterPlaces(file), ...(await markdownPlaces(file, { mdx: false }))];
    case '.mdx':
      return [...frontmatterPlaces(file), ...(await markdownPlaces(file, { mdx: true }))];
    case '.yaml':
    case '.yml':
      return dataPlaces(file, whole, 'yaml');
    case '.json':
      return dataPlaces(file, whole, 'json');
    default:
      return [];
  }
}

function frontmatterPlaces(file: SourceFile): FoundPlace[] {
  const range = frontmatterRange(file.text);
  return range ? dataPlaces(file, range, 'yaml') : [];
}
