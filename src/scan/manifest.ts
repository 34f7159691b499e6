import type { Finding } from '../errors/errors.ts';

export interface PageUsage {
  /** The absolute public URL. */
  readonly page: string;
  readonly pageName: string;
  /** Sorted by ID. `occurrences` is the number of elements that name the asset. */
  readonly assets: readonly { readonly id: number; readonly occurrences: number }[];
}

/** The usages of one build. Pages are sorted by URL. */
export interface Manifest {
  readonly version: 1;
  /** The site's origin and path, as configured. */
  readonly site: string;
  readonly base: string;
  readonly pages: readonly PageUsage[];
  readonly findings: readonly Finding[];
}

export interface ManifestJson {
  readonly version: 1;
  readonly site: string;
  /** By page URL. `assets` maps asset IDs to their occurrences. */
  readonly pages: Readonly<
    Record<string, { readonly pageName: string; readonly assets: Readonly<Record<string, number>> }>
  >;
  readonly findings: readonly Finding[];
}

/** The JSON of `media-asset scan --json`. Other programs build on this shape. */
export function manifestToJson({ version, site, pages, findings }: Manifest): ManifestJson {
  return {
    version,
    site,
    pages: Object.fromEntries(
      pages.map(({ page, pageName, assets }) => [
        page,
        {
          pageName,
          assets: Object.fromEntries(assets.map(({ id, occurrences }) => [id, occurrences])),
        },
      ]),
    ),
    findings,
  };
}
