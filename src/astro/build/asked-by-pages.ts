import { findRenditions, type RenditionAddress } from '../../assets/formats/rendition-url.ts';

/** What pages have asked for while they were rendered, wherever it went. */
export interface AskedByPages {
  /** @param asset what the page was given, with its addresses */
  note(page: string, asset: object): void;
  /** What these pages have asked for, and what was asked for without the name of a page. */
  renditionsOf(pages: readonly string[]): AskedRendition[];
}

interface AskedRendition {
  readonly address: RenditionAddress;
  readonly page: string;
}

/** The page of a request that names none. */
const unnamed = /^getMedia(?:Asset|File)\(\)$/;

export function askedByPages(): AskedByPages {
  const asked = new Map<string, AskedRendition[]>();
  const keyOf = (page: string) => (unnamed.test(page) ? '' : samePath(page));
  return {
    note(page, asset) {
      const found = findRenditions(JSON.stringify(asset)).map((address) => ({ address, page }));
      const known = asked.get(keyOf(page));
      if (known) known.push(...found);
      else asked.set(keyOf(page), found);
    },
    renditionsOf(pages) {
      if (pages.length === 0) return [];
      const keys = new Set(['', ...pages.map(keyOf)]);
      return [...keys].flatMap((key) => asked.get(key) ?? []);
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
