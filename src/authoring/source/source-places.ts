import { extname } from 'node:path';
import { dataPlaces } from './data-places.ts';
import type { FoundPlace } from './found-place.ts';
import { markdownPlaces } from './markdown-places.ts';
import { frontmatterRange, type SourceFile } from './source-text.ts';
import { astroPlaces } from './tag-places.ts';

export type { FoundPlace } from './found-place.ts';

/**
 * All places in a file that name an asset by literal values. A file of another type has none.
 *
 * @param file.id the asset to find in frontmatter and data also by its number alone. Without it, such
 * numbers aren't places
 * @throws `source-unreadable`
 */
export async function findPlaces(
  file: SourceFile & { readonly id?: number },
): Promise<FoundPlace[]> {
  const whole = { start: 0, end: file.text.length };
  switch (extname(file.path).toLowerCase()) {
    case '.astro':
      return astroPlaces(file);
    case '.md':
    case '.mdx': {
      const range = frontmatterRange(file.text);
      const data = range ? dataPlaces(file, range, 'yaml') : [];
      return [...data, ...(await markdownPlaces(file))];
    }
    case '.yaml':
    case '.yml':
      return dataPlaces(file, whole, 'yaml');
    case '.json':
      return dataPlaces(file, whole, 'json');
    default:
      return [];
  }
}
