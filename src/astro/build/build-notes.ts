import { randomUUID } from 'node:crypto';
import { findRenditions } from '../../assets/formats/rendition-url.ts';
import type { AskedLocales, AssetRights } from '../../assets/records/rights-guard.ts';
import type { RenditionOnPage } from '../../assets/renditions/emit-renditions.ts';
import type { MediaCreditRequest } from '../../assets/request/media-asset.ts';
import type { Subject } from '../../errors/place.ts';
import { decodePath } from '../../scan/page-url.ts';
import type { Markdown } from '../markdown/markdown.ts';
import type { Site } from '../open-site.ts';
import { createUnavailableAssets } from './unavailable-assets.ts';

/** Files that are text, even with a NUL. */
export const textFile = /\.(?:html|css|js|json|jsonld|xml|rss|atom|svg|txt|md|webmanifest)$/;

export type BuildNotes = ReturnType<typeof createBuildNotes>;

/** A site whose Astro config is final, and what its build or dev server has noted so far. */
export type SiteBuild = Site &
  BuildNotes & { readonly markdown: Markdown; readonly rendersOnDemand: boolean };

export function createBuildNotes() {
  return {
    buildId: randomUUID() as string,
    /** ISO 8601, in UTC. */
    startedAt: new Date().toISOString(),
    unavailable: createUnavailableAssets(),
    requested: createRequestedRenditions(),
    /** Paths of the published renditions, below the assets folder. */
    published: new Set<string>(),
    /** The sizes of files that are published unchanged, in bytes, by path. */
    files: new Map<string, number>(),
    /** The verdicts on the assets of built pages. */
    rights: [] as AssetRights[],
    /** Pages that a scan of built HTML can't see. */
    unscanned: { routes: [] as readonly string[], islands: [] as readonly string[] },
  };
}

/** What pages requested while they were rendered. */
export function createRequestedRenditions() {
  const requested = new Map<string, RenditionOnPage[]>();
  const asked = new Map<string, Set<string | undefined>>();
  /** `''` for requests without a page. */
  const keyOf = (page: string | undefined) => (page === undefined ? '' : samePath(page));
  return {
    ask({ id, page, locale }: MediaCreditRequest) {
      const key = `${id} ${keyOf(page)}`;
      asked.set(key, (asked.get(key) ?? new Set()).add(locale));
    },
    /**
     * The languages in which a page asked for an asset. Requests without a page can be those of a feed or
     * of other data, and say nothing about a page.
     */
    locales: ((page, id) => {
      const isData = textFile.test(page) && !page.endsWith('.html');
      const own = asked.get(`${id} ${keyOf(page)}`);
      return [...(own ?? (isData ? asked.get(`${id} `) : undefined) ?? [])];
    }) satisfies AskedLocales,
    /** @param asset the data that the page received, with its URLs */
    note({ page, caller = '' }: Pick<Subject, 'page' | 'caller'>, asset: object) {
      const addresses = findRenditions(JSON.stringify(asset));
      const found = addresses.map((address) => ({ address, page: page ?? caller }));
      const known = requested.get(keyOf(page));
      if (known) known.push(...found);
      else requested.set(keyOf(page), found);
    },
    /** The renditions that these pages requested, and all that were requested without a page. */
    of(pages: readonly string[]) {
      if (pages.length === 0) return [];
      return [...new Set(['', ...pages.map(keyOf)])].flatMap((key) => requested.get(key) ?? []);
    },
  };
}

/** Normalizes a page's path, whose end depends on Astro's version and settings. */
function samePath(page: string): string {
  return decodePath(page.replace(/\/+$/, '').replace(/(?:\/index)?\.html$/, '') || '/');
}
