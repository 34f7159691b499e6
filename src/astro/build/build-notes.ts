import { randomUUID } from 'node:crypto';
import { findRenditions, type RenditionAddress } from '../../assets/formats/rendition-url.ts';
import type { Unscanned } from './build-summary.ts';
import { createUnavailableAssets, type UnavailableAssets } from './unavailable-assets.ts';

export interface BuildNotes {
  readonly buildId: string;
  readonly unavailable: UnavailableAssets;
  readonly requested: RequestedRenditions;
  /** Paths of the renditions in the output, below the assets folder. */
  readonly published: Set<string>;
  /** The files that are published as they are: their bytes, by path. */
  readonly files: Map<string, number>;
  readonly unscanned: Unscanned;
}

export function createBuildNotes(): BuildNotes {
  return {
    buildId: randomUUID(),
    unavailable: createUnavailableAssets(),
    requested: createRequestedRenditions(),
    published: new Set(),
    files: new Map(),
    unscanned: { routes: [], islands: [] },
  };
}

/** The renditions that pages have requested while they were rendered. */
export interface RequestedRenditions {
  /** @param asset what the page was given, with its addresses */
  note(page: string, asset: object): void;
  /** The renditions that these pages requested, and those requested without naming a page. */
  of(pages: readonly string[]): RequestedRendition[];
}

interface RequestedRendition {
  readonly address: RenditionAddress;
  readonly page: string;
}

/** The page of a request that names none. */
const unnamed = /^getMedia(?:Asset|File)\(\)$/;

export function createRequestedRenditions(): RequestedRenditions {
  const requested = new Map<string, RequestedRendition[]>();
  const keyOf = (page: string) => (unnamed.test(page) ? '' : samePath(page));
  return {
    note(page, asset) {
      const found = findRenditions(JSON.stringify(asset)).map((address) => ({ address, page }));
      const known = requested.get(keyOf(page));
      if (known) known.push(...found);
      else requested.set(keyOf(page), found);
    },
    of(pages) {
      if (pages.length === 0) return [];
      return [...new Set(['', ...pages.map(keyOf)])].flatMap((key) => requested.get(key) ?? []);
    },
  };
}

/** One text for a page's path in all forms: Astro's majors and settings differ in its end. */
function samePath(page: string): string {
  const path = page.replace(/\/+$/, '').replace(/(?:\/index)?\.html$/, '') || '/';
  try {
    return decodeURI(path);
  } catch {
    // A `%` that begins no escape stays as it is.
    return path;
  }
}
