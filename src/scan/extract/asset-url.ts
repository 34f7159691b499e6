import {
  anySlash,
  idOfPlainUrl,
  parseRenditionUrl,
  renditionPattern,
} from '../../assets/formats/rendition-url.ts';
import { assetIdPattern, parseAssetId } from '../../errors/asset-id.ts';

/** Characters before an asset's name that a finding quotes. */
const textBefore = 80;

/**
 * Creates a reader for URLs that name an asset:
 *
 * - a rendition of ours, on any host (the site's or that of `build.assetsPrefix`),
 * - `/1/file/{id}/download/…` below the service's base URL,
 * - an image URL of the site's own host around one of these: `/.netlify/images?url=…`,
 *   `/_vercel/image?url=…`, `/_image?href=…`, `/cdn-cgi/image/<options>/…`.
 */
export function assetUrlReader({ site, service }: { site: string; service?: string | undefined }) {
  const host = new URL(site).origin;
  const own = service === undefined ? undefined : new URL(service);
  const prefix = `${own?.pathname.replace(/\/+$/, '')}/1/file/`;
  const patterns = [renditionPattern, ...(service === undefined ? [] : [downloadPattern(service)])];

  function idOf(value: string, base: string): number | undefined {
    if (!assetWords.test(value) && !isBelowAsset(base)) return undefined;
    const id = idOfPlainUrl(value);
    if (id !== undefined) return id;
    const url = toUrl(value, base);
    if (!url) return undefined;
    // Only the path. In another host's query, such as a share link's, it isn't shown.
    const rendition = parseRenditionUrl(url.pathname);
    if (rendition) return rendition.id;
    if (url.origin === own?.origin && url.pathname.startsWith(prefix)) {
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
    /** The asset that a URL names. `url` is as written in the page, relative to `base`. */
    idOf,
    /** The assets that a text names in any form, fetched by browsers or not, with the text around. */
    named: (text: string): { id: number; around: string }[] =>
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

/** The URLs inside a host's image URL. */
function innerUrls({ pathname, searchParams }: URL): string[] {
  const [, ofPath] = /^\/cdn-cgi\/image\/[^/]+\/(.+)$/.exec(pathname) ?? [];
  return [...searchParams.getAll('url'), ...searchParams.getAll('href'), ofPath ?? ''];
}

/**
 * Matches the service's download URLs in a text, with the ID as the first group. Like
 * `renditionPattern`, it also matches URLs that are encoded inside another URL.
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
 * Every asset URL contains one of these words, or a line break or tab that browsers remove. Browsers
 * read a backslash as a slash, and hosts decode `%2F`.
 */
const assetWords = /media-asset[/\\%]|download|[\t\n\r]/;

/** An attribute with an asset URL contains one of these words, or something that can hide one. */
export const mayNameAsset = /media-asset|download|srcdoc|[&\\\t\n\r]/i;

/** Every asset URL inside another text contains one of these words. */
const namedWords = /media-asset|download/;

/** Whether a relative URL below this one can name an asset without any of the words. */
export function isBelowAsset(base: string): boolean {
  return base.includes('/media-asset/') || base.includes('/1/file/');
}

/** Parses a URL like a browser. `undefined` unless it's http or https. */
export function toUrl(value: string, base: string): URL | undefined {
  if (value === '' || /^\s*data:/i.test(value)) return undefined;
  // Browsers resolve prose as a path too. Asset paths contain no spaces.
  if (/^[^?#]* /.test(value.trim())) return undefined;
  const url = URL.parse(value, base);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
}

/** Reads `data-media-asset`: IDs separated by white space. `unreadable` has all other tokens. */
export function readIds(value: string): { ids: number[]; unreadable: string[] } {
  const tokens = value.split(/[\t\n\f\r ]+/).filter((token) => token !== '');
  return {
    ids: tokens.map(parseAssetId).filter((id) => id !== undefined),
    unreadable: tokens.filter((token) => parseAssetId(token) === undefined),
  };
}
