import {
  anySlash,
  idOfPlainUrl,
  parseRenditionUrl,
  renditionPattern,
} from '../../assets/formats/rendition-url.ts';
import { assetIdPattern, parseAssetId } from '../../errors/asset-id.ts';

/** How much of a text before an asset's name tells where it stands. */
const textBefore = 80;

export interface AssetUrlReader {
  /** The asset that a URL names. The URL is as it stands in a page, relative to `base`. */
  idOf(url: string, base: string): number | undefined;
  /** The assets that a text names in any form, also in one that no browser fetches, with the text around it. */
  named(text: string): { id: number; around: string }[];
}

/**
 * A reader for the URLs that name an asset:
 *
 * - a rendition of ours, on any host (the site's or that of `build.assetsPrefix`),
 * - `/1/file/{id}/download/…` below one of the service base URLs,
 * - an image URL of the site's own host around one of these: `/.netlify/images?url=…`,
 *   `/_vercel/image?url=…`, `/_image?href=…`, `/cdn-cgi/image/<options>/…`.
 */
export function assetUrlReader(serviceOrigins: readonly string[], site: string): AssetUrlReader {
  const host = new URL(site).origin;
  const services = serviceOrigins.map((url) => {
    const { origin, pathname } = new URL(url);
    return { origin, prefix: `${pathname.replace(/\/+$/, '')}/1/file/` };
  });
  const patterns = [renditionPattern, ...serviceOrigins.map(downloadPattern)];

  function idOf(value: string, base: string): number | undefined {
    if (!assetWords.test(value) && !isBelowAsset(base)) return undefined;
    const id = idOfPlainUrl(value);
    if (id !== undefined) return id;
    const url = toUrl(value, base);
    if (!url) return undefined;
    // Only the path: in a query of another host it would be that one's parameter, in a share link say.
    const rendition = parseRenditionUrl(url.pathname);
    if (rendition) return rendition.id;
    for (const { origin, prefix } of services) {
      if (url.origin !== origin || !url.pathname.startsWith(prefix)) continue;
      const [id, download, format] = url.pathname.slice(prefix.length).split('/');
      if (download === 'download' && format) return parseAssetId(id);
    }
    if (url.origin !== host) return undefined;
    for (const inner of innerUrls(url)) {
      const id = idOf(inner, host);
      if (id !== undefined) return id;
    }
    return undefined;
  }

  return {
    idOf,
    named: (text) =>
      (namedWords.test(text) ? patterns : [])
        .flatMap((pattern) => [...text.matchAll(pattern)])
        .flatMap(({ 0: { length }, 1: digits, index }) => {
          const id = parseAssetId(digits);
          if (id === undefined) return [];
          const around = text.slice(Math.max(0, index - textBefore), index + length);
          return [{ id, around: around.replace(/\s+/g, ' ').trim() }];
        }),
  };
}

/** The URLs that an image URL of a host may be made of. */
function innerUrls({ pathname, searchParams }: URL): string[] {
  const [, ofPath] = /^\/cdn-cgi\/image\/[^/]+\/(.+)$/.exec(pathname) ?? [];
  return [...searchParams.getAll('url'), ...searchParams.getAll('href'), ofPath ?? ''];
}

/**
 * Finds the download addresses of a service in a text, the id as the first group. As with
 * `renditionPattern`, they may be encoded as part of another URL.
 */
export function downloadPattern(serviceUrl: string): RegExp {
  const start = `${serviceUrl.replace(/\/+$/, '')}/1/file/`;
  const written = start.replace(/\W/g, (sign) => {
    if (sign === '/') return anySlash;
    return sign === ':' ? '(?::|%(?:25)*3[aA])' : `\\${sign}`;
  });
  return new RegExp(`${written}(${assetIdPattern})${anySlash}download${anySlash}(?=[\\w-])`, 'g');
}

/**
 * One of these stands in each asset's URL, or a line's end or tab that a browser leaves out. It
 * reads a backslash as a slash, and a host decodes one from `%2F`.
 */
const assetWords = /media-asset[/\\%]|download|[\t\n\r]/;

/** One of these stands in each asset's URL, however it's written in other text. */
const namedWords = /media-asset|download/;

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
 * Reads `data-media-asset`: one ID, or several separated by white space. Any other token is
 * unreadable.
 */
export function readIds(value: string): { ids: number[]; unreadable: string[] } {
  const tokens = value.split(/[\t\n\f\r ]+/).filter((token) => token !== '');
  return {
    ids: tokens.map(parseAssetId).filter((id) => id !== undefined),
    unreadable: tokens.filter((token) => parseAssetId(token) === undefined),
  };
}
