import { existsSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { decodePath } from '../../errors/decode-path.ts';
import { toUrl } from '../extract/asset-url.ts';
import { cssUrls } from '../extract/css-urls.ts';
import { elementUrls } from '../extract/element-urls.ts';
import { basePath, type ScanRules } from '../page-url.ts';
import { decodePage, pageElements } from './read-page.ts';
import { readSiteFile } from './read-site-file.ts';
import { isBelow } from './site-files.ts';

/**
 * Returns a function that reads a stylesheet or a drawing of the site, by its absolute URL without a
 * fragment: what it fetches, as absolute URLs, and its files below the site's folder. Each file is read
 * once. Stylesheets that are missing or on other hosts have no URLs. `root` is absolute.
 */
export function stylesheetReader(
  root: string,
  { site, base, assetsPrefix }: Pick<ScanRules, 'site' | 'base' | 'assetsPrefix'>,
) {
  const prefixes = [basePath(base), ...(assetsPrefix ? [assetsPrefix] : [])];
  const rootUrls = prefixes.map((one) => placeOf(new URL(one.replace(/\/?$/, '/'), site).href));
  const known = new Map<string, ReturnType<typeof load>>();

  function load(url: string) {
    const file = localFile(url);
    const bytes = file && readSiteFile(file);
    if (!bytes) return { urls: [], imports: [], files: [] };
    const { text } = decodePage(bytes);
    const found = /\.svg$/i.test(file)
      ? pageElements({ html: text, page: url }).map(({ element }) => elementUrls(element))
      : [cssUrls(text)];
    return {
      files: [relative(root, file).replaceAll(sep, '/')],
      urls: found.flatMap(({ urls }) => urls).map((named) => toUrl(named, url)?.href ?? named),
      imports: found
        .flatMap(({ imports }) => imports)
        .flatMap((one) => stylesheetUrl(one, url) ?? []),
    };
  }

  function localFile(url: string): string | undefined {
    const place = placeOf(url);
    // One can be below the other.
    const from = rootUrls.filter((rootUrl) => place.startsWith(rootUrl));
    const files = from.map((rootUrl) => resolve(root, place.slice(rootUrl.length)));
    return files.find((file) => isBelow(root, file) && existsSync(file));
  }

  return (url: string) => {
    const seen = new Set([url]);
    const loaded = Array.from(seen, (next) => {
      const stylesheet = known.get(next) ?? load(next);
      known.set(next, stylesheet);
      for (const imported of stylesheet.imports) seen.add(imported);
      return stylesheet;
    });
    const [urls, files] = [loaded.flatMap((one) => one.urls), loaded.flatMap((one) => one.files)];
    return { urls: [...new Set(urls)], files };
  };
}

/** A URL without its query, decoded as hosts look for files. */
const placeOf = (url: string) => decodePath(url.replace(/[?#].*/s, ''), decodeURIComponent);

/** A path that needs no escaping in a URL. */
const plainPath = /^(?:\/[\w-]+)+(?:\.[\w-]+)*$/;

/** A stylesheet's absolute URL without its fragment. */
export function stylesheetUrl(value: string, base: string): string | undefined {
  if (plainPath.test(value)) return base.slice(0, base.indexOf('/', 'https://'.length)) + value;
  const url = toUrl(value, base);
  if (!url) return undefined;
  url.hash = '';
  return url.href;
}
