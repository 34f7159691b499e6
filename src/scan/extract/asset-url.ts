import {
  anySlash,
  decodeLetters,
  idOfPlainUrl,
  parseRenditionUrl,
  renditionPattern,
} from '../../assets/formats/rendition-url.ts';
import { assetIdPattern, parseAssetId } from '../../errors/asset-id.ts';

/**
 * Creates a reader for URLs that name an asset:
 *
 * - a rendition of ours, on any host (the site's or that of `build.assetsPrefix`),
 * - `/1/file/{id}/download/…` below the service's base URL,
 * - an image URL of the site's own host around one of these: `/.netlify/images?url=…`,
 *   `/_vercel/image?url=…`, `/_image?href=…`, `/cdn-cgi/image/<options>/…`.
 */
export function assetUrlReader({ site, service }: { site: string; service?: string | undefined }) {
  const { origin, host } = new URL(site);
  const own = service === undefined ? undefined : new URL(service);
  const prefix = `${decodeLetters(own?.pathname ?? '').replace(/\/+$/, '')}/1/file/`;
  const patterns = [renditionPattern, ...(service === undefined ? [] : [downloadPattern(service)])];

  function idOf(value: string, base: string): number | undefined {
    if (!mayName(value, base)) return undefined;
    const id = idOfPlainUrl(value);
    if (id !== undefined) return id;
    // Browsers resolve prose as a path too. Asset paths contain no spaces.
    if (/^[^?#]* /.test(value.trim())) return undefined;
    const url = toUrl(value, base);
    if (!url) return undefined;
    // Only the path. In another host's query, such as a share link's, it isn't shown.
    const path = decodeLetters(url.pathname);
    const rendition = parseRenditionUrl(path);
    if (rendition) return rendition.id;
    // Browsers request images over https if a page asks for http.
    if (url.host === own?.host && path.startsWith(prefix)) {
      const [id, download, format] = path.slice(prefix.length).split('/');
      if (download === 'download' && format) return parseAssetId(id);
    }
    if (url.host !== host) return undefined;
    for (const inner of innerUrls(url)) {
      const id = idOf(inner, origin);
      if (id !== undefined) return id;
    }
    return undefined;
  }

  return {
    /** The asset that a URL names. `url` is as written in the page, relative to `base`. */
    idOf,
    mayName,
    /** The assets that a text names in any form, fetched by browsers or not. */
    named: (text: string): number[] =>
      (assetWords.test(text) ? patterns : [])
        .flatMap((pattern) => [...decodeLetters(text).matchAll(pattern)])
        .flatMap(([, digits]) => parseAssetId(digits) ?? []),
  };
}

function innerUrls({ pathname, searchParams }: URL): string[] {
  const [, ofPath] = /^\/cdn-cgi\/image\/[^/]+\/(.+)$/.exec(pathname) ?? [];
  return [...searchParams.getAll('url'), ...searchParams.getAll('href'), ofPath ?? ''];
}

/**
 * Matches the service's download URLs in a text, over http too, with the ID as the first group. Like
 * `renditionPattern`, it also matches URLs that are encoded inside another URL.
 */
export function downloadPattern(serviceUrl: string): RegExp {
  const start = `${serviceUrl.replace(/^https?:|\/+$/g, '')}/1/file/`;
  const written = start.replace(/\W/g, (sign) => {
    if (sign === '/') return anySlash;
    return sign === ':' ? '(?::|%(?:25)*3[aA])' : `\\${sign}`;
  });
  return new RegExp(`${written}(${assetIdPattern})${anySlash}download${anySlash}(?=[\\w-])`, 'gi');
}

/** What stands around URLs in code, data and markup, also in escaped ones. Not what follows a space. */
const delimiter =
  /["'`<>()\r\n\t]|[,;](?! )|\\(?:[nrt"]|u00(?:2[27]|3[ce]))|&(?:quot|apos|lt|gt|#3[49]);| [\d.]+[wx](?:, ?)?/gi;

/** The parts of a text that can be a URL. All others are prose, which only mentions one. */
export function withoutProse(text: string): string {
  const parts = text.split(delimiter).map((part) => part.trim());
  return parts.filter((part) => !part.includes(' ')).join('\n');
}

/** Every asset URL contains one of these words or an escape. */
const assetWords = /media-asset|download|%(?:2[de]|3\d|[4-7])/i;

/** Whether a text can name an asset: `idOf` finds none in any other. Browsers drop line breaks and tabs. */
function mayName(text: string, base: string): boolean {
  if (assetWords.test(text) || isBelowAsset(base)) return true;
  return /[\t\n\r]/.test(text) && assetWords.test(text.replace(/[\t\n\r]+/g, ''));
}

/** An attribute that matters here contains one of these words, or something that can hide one. */
export const mayNameAsset =
  /media-(?:asset|credit-)|download|srcdoc|\[object|\.svg|data:(?:text|app|image\/svg)|[&\\\t\n\r]|%(?:2[de]|[3-7])/i;

/** Whether a relative URL below this one can name an asset without any of the words. */
export function isBelowAsset(base: string): boolean {
  return /\/(?:media-asset|1\/file)\//.test(decodeLetters(base));
}

/** Parses a URL like a browser. `undefined` unless it's http or https. */
export function toUrl(value: string, base: string): URL | undefined {
  if (value === '' || /^\s*data:/i.test(value)) return undefined;
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
