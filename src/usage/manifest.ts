import type { Finding } from '../errors.ts';

/** What one built page shows. */
export interface PageUsage {
  /** The absolute public URL. */
  readonly page: string;
  readonly pageName: string;
  /** Each asset once, in order of its id, with the number of elements that name it. */
  readonly assets: readonly { readonly id: number; readonly occurrences: number }[];
}

/** The usages of one build, page by page, in order of the page's URL. */
export interface Manifest {
  readonly version: 1;
  /** The site's origin and path, as configured. */
  readonly site: string;
  readonly base: string;
  readonly pages: readonly PageUsage[];
  readonly findings: readonly Finding[];
}
