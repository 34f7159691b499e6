import type { Finding } from '../errors/errors.ts';

export interface PageUsage {
  /** The absolute public URL. */
  readonly page: string;
  readonly pageName: string;
  /** The IDs of the assets that it shows, sorted. */
  readonly assets: readonly number[];
}

/** The usages of one build. Pages are sorted by URL. */
export interface Manifest {
  /** The site's origin and path, as configured. */
  readonly site: string;
  readonly base: string;
  readonly pages: readonly PageUsage[];
  readonly findings: readonly Finding[];
}

/** The JSON of `media-asset scan --json`, with pages by URL. Other programs build on this shape. */
export function manifestToJson({ site, pages, findings }: Manifest) {
  const byUrl = Object.fromEntries(pages.map(({ page, ...shown }) => [page, shown]));
  return { version: 2, site, pages: byUrl, findings };
}
