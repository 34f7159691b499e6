import type { Finding } from '../errors/errors.ts';

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

export interface ManifestJson {
  readonly version: 1;
  readonly site: string;
  /** By page URL; the assets by id, with the number of occurrences. */
  readonly pages: Readonly<
    Record<string, { readonly pageName: string; readonly assets: Readonly<Record<string, number>> }>
  >;
  readonly findings: readonly Finding[];
}

/** The JSON form of a manifest: the contract of `media-asset scan --json`. */
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
