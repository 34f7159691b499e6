import { resolve } from 'node:path';
import { mediaAssetError } from '../../errors/errors.ts';
import { assetUrlReader, toUrl } from '../extract/asset-url.ts';
import { type CssUrls, cssUrls } from '../extract/css-urls.ts';
import { type AddressRules, basePath, pageUrls } from '../page-url.ts';
import { type PageScan, scanPage, stylesheetUrl } from '../scan-page.ts';
import { decodePage, readPage } from './read-page.ts';
import { readSiteFile } from './read-site-file.ts';
import { isBelow } from './site-files.ts';

export interface ScannedFolder {
  readonly dir: string;
  /** `assetsPrefix`: Astro's `build.assetsPrefix` for stylesheets. */
  readonly rules: AddressRules & { readonly assetsPrefix?: string | undefined };
  readonly serviceOrigins: readonly string[];
}

/**
 * Creates a scanner for the pages of one folder. Call it for one page at a time, because pages share a
 * buffer. Each stylesheet is read once.
 */
export function fileScanner(folder: ScannedFolder) {
  const { dir, rules, serviceOrigins } = folder;
  const root = resolve(dir);
  const urlOf = pageUrls(rules);
  const assetUrls = assetUrlReader(serviceOrigins, rules.site);
  const readStylesheet = stylesheetReader(folder);
  let scratch: Buffer = Buffer.allocUnsafe(256 * 1024);

  /** Scans a file, relative to the site's folder. `undefined` for a redirect page. */
  return async (file: string): Promise<PageScan | undefined> => {
    const page = urlOf(file);
    const path = `${root}/${file}`;
    const bytes = readSiteFile(path, scratch);
    if (!bytes) throw mediaAssetError('scan-unreadable', { file: path });
    // Keep the larger buffer of a longer page.
    if (bytes.length > scratch.length) scratch = bytes;
    const { elements, charset } = readPage(bytes, page);
    const scan = scanPage({ elements, page, charset, assetUrls, readStylesheet });
    // A copy, because a part of the page's text would keep all of it in memory.
    return scan && JSON.parse(JSON.stringify(scan));
  };
}

/**
 * Returns a function that lists the absolute URLs that a stylesheet of the site and its imports fetch.
 * Each file is read once. Stylesheets that are missing or on other hosts have no URLs.
 */
function stylesheetReader(folder: ScannedFolder): (url: string) => readonly string[] {
  const { dir } = folder;
  const { site, base, assetsPrefix } = folder.rules;
  const { origin } = new URL(site);
  const roots = [basePath(base), ...(assetsPrefix ? [assetsPrefix] : [])];
  const rootUrls = roots.map((root) => new URL(root.replace(/\/?$/, '/'), origin).href);
  const known = new Map<string, CssUrls>();

  const load = (url: string): CssUrls => {
    const file = localFile(url);
    const bytes = file && readSiteFile(file);
    if (!bytes) return { urls: [], imports: [] };
    const { urls, imports } = cssUrls(decodePage(bytes).text);
    return {
      urls: urls.map((named) => toUrl(named, url)?.href ?? named),
      imports: imports.flatMap((named) => stylesheetUrl(named, url) ?? []),
    };
  };

  const localFile = (url: string): string | undefined => {
    const { origin, pathname } = new URL(url);
    const root = rootUrls.find((candidate) => `${origin}${pathname}`.startsWith(candidate));
    if (root === undefined) return undefined;
    const file = resolve(dir, decode(`${origin}${pathname}`.slice(root.length)));
    return isBelow(resolve(dir), file) ? file : undefined;
  };

  return (url) => {
    const urls = new Set<string>();
    const seen = new Set([url]);
    for (const next of seen) {
      const stylesheet = known.get(next) ?? load(next);
      known.set(next, stylesheet);
      for (const named of stylesheet.urls) urls.add(named);
      for (const imported of stylesheet.imports) seen.add(imported);
    }
    return [...urls];
  };
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // Keep a `%` that isn't an escape.
    return path;
  }
}
