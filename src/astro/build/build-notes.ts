import { randomUUID } from 'node:crypto';
import { findRenditions } from '../../assets/formats/rendition-url.ts';
import type { RenditionOnPage } from '../../assets/renditions/emit-renditions.ts';
import { decodePath } from '../../errors/decode-path.ts';
import type { Subject } from '../../errors/place.ts';
import type { BuildRules } from '../../usage/build-rules.ts';
import type { Markdown } from '../markdown/markdown.ts';
import type { Site } from '../open-site.ts';
import { createUnavailableAssets } from './unavailable-assets.ts';

export type BuildNotes = ReturnType<typeof createBuildNotes>;

/** A site whose Astro config is final, and what its build or dev server has noted so far. */
export type SiteBuild = Site &
  BuildNotes & { readonly markdown: Markdown; readonly rendersOnDemand: boolean };

export function createBuildNotes() {
  return {
    buildId: randomUUID() as string,
    /** ISO 8601, in UTC. */
    startedAt: new Date().toISOString(),
    /** Set when the build begins, because the deploy replaces what is online. */
    online: undefined as Promise<Pick<BuildRules, 'history' | 'witness'>> | undefined,
    unavailable: createUnavailableAssets(),
    requested: createRequestedRenditions(),
    /** The published renditions: paths below the assets folder, each with a file that names it. */
    published: new Map<string, string>(),
    /** Pages that a scan of built HTML can't see. */
    unscanned: { routes: [] as readonly string[], islands: [] as readonly string[] },
  };
}

/** What pages requested while they were rendered. */
function createRequestedRenditions() {
  const requested: (RenditionOnPage & { readonly id: number; readonly key: string })[] = [];
  /** `''` for requests without a page. */
  const keyOf = (page: string | undefined) => (page === undefined ? '' : samePath(page));
  return {
    /** @param asset the data that the page received, with its URLs */
    note({ page, caller = '' }: Pick<Subject, 'page' | 'caller'>, asset: object) {
      for (const address of findRenditions(JSON.stringify(asset)))
        requested.push({ address, id: address.id, page: page ?? caller, key: keyOf(page) });
    },
    /** The renditions that these pages requested, and all that were requested without a page. */
    of(pages: readonly string[]) {
      if (pages.length === 0) return [];
      const keys = new Set(['', ...pages.map(keyOf)]);
      return requested.filter(({ key }) => keys.has(key));
    },
  };
}

/** Normalizes a page's path, whose end depends on Astro's version and settings. */
function samePath(page: string): string {
  return decodePath(page.replace(/\/+$/, '').replace(/(?:\/index)?\.html$/, '') || '/');
}
