import { resolve } from 'node:path';
import { type AddressRules, basePath } from '../page-url.ts';
import { decodePage } from '../read/read-page.ts';
import { readSiteFile } from '../read/read-site-file.ts';
import { isBelow } from '../read/site-files.ts';
import { stylesheetUrl } from '../scan-page.ts';
import { toUrl } from './asset-url.ts';
import { type CssUrls, cssUrls } from './css-urls.ts';

export interface SiteFolder {
  readonly dir: string;
  /** `assetsPrefix`: Astro's `build.assetsPrefix` for stylesheets. */
  readonly rules: AddressRules & { readonly assetsPrefix?: string | undefined };
}

/** Returns the absolute URLs that a stylesheet of the site and its imports fetch. */
export type StylesheetReader = (url: string) => readonly string[];

/**
 * Creates a reader for the site's stylesheets. Each file is read once. Stylesheets that are missing or
 * on other hosts have no URLs.
 */
export function stylesheetReader({
  dir,
  rules: { site, base, assetsPrefix },
}: SiteFolder): StylesheetReader {
  const { origin } = new URL(site);
  const roots = [`${basePath(base)}/`, ...(assetsPrefix ? [withSlash(assetsPrefix)] : [])];
  const rootUrls = roots.map((root) => new URL(root, origin).href);
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

function withSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // Keep a `%` that isn't an escape.
    return path;
  }
}
