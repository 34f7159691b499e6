import { idOfPlainUrl, parseRenditionUrl } from '../../assets/formats/rendition-url.ts';

/** Reads the asset that a URL names. The URL is as it stands in a page, relative to `base`. */
export type AssetUrlReader = (url: string, base: string) => number | undefined;

/**
 * A reader for the two kinds of URL that name an asset: a rendition of ours, on any host (the
 * site's or that of `build.assetsPrefix`), and `/1/file/{id}/download/…` below one of the
 * service base URLs.
 */
export function assetUrlReader(serviceOrigins: readonly string[]): AssetUrlReader {
  const services = serviceOrigins.map((url) => {
    const { origin, pathname } = new URL(url);
    return { origin, prefix: `${pathname.replace(/\/+$/, '')}/1/file/` };
  });

  return (value, base) => {
    if (!assetWords.test(value) && !isBelowAsset(base)) return undefined;
    const id = idOfPlainUrl(value);
    if (id !== undefined) return id;
    const url = toUrl(value, base);
    if (!url) return undefined;
    // Only the path: in a query it would be another address's parameter, in a share link say.
    const rendition = parseRenditionUrl(url.pathname);
    if (rendition) return rendition.id;
    for (const { origin, prefix } of services) {
      if (url.origin !== origin || !url.pathname.startsWith(prefix)) continue;
      const [id = '', download, format] = url.pathname.slice(prefix.length).split('/');
      if (isId(id) && download === 'download' && format) return Number(id);
    }
    return undefined;
  };
}

/**
 * One of these stands in each asset's URL, or a line's end or tab that a browser leaves out. It
 * reads a backslash as a slash.
 */
const assetWords = /media-asset[/\\]|download|[\t\n\r]/;

/** Whether a URL relative to this one may be an asset's without a word of it. */
export function isBelowAsset(base: string): boolean {
  return base.includes('/media-asset/') || base.includes('/1/file/');
}

/** A URL as a browser reads it; `undefined` for anything that is fetched in another way than http. */
export function toUrl(value: string, base: string): URL | undefined {
  if (value === '' || /^\s*data:/i.test(value)) return undefined;
  // A browser resolves prose as a path too. Our paths hold no blank.
  if (/^[^?#]* /.test(value.trim())) return undefined;
  const url = URL.parse(value, base);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
}

/**
 * Reads `data-media-asset`: one id, or several separated by white space. An id is a positive
 * integer up to 2^53 − 1 in plain digits; any other token is unreadable.
 */
export function readIds(value: string): { ids: number[]; unreadable: string[] } {
  const tokens = value.split(/[\t\n\f\r ]+/).filter((token) => token !== '');
  return {
    ids: tokens.filter(isId).map(Number),
    unreadable: tokens.filter((token) => !isId(token)),
  };
}

function isId(text: string): boolean {
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text));
}
