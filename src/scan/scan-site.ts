import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import picomatch from 'picomatch';
import { type Finding, finding, mediaAssetError } from '../errors/errors.ts';
import { assetUrlReader, toUrl } from './extract/asset-url.ts';
import { cssUrls } from './extract/css-urls.ts';
import { compare, type Manifest, type PageUsage } from './manifest.ts';
import { type AddressRules, basePath, pagePath, pageUrls } from './page-url.ts';
import { decodePage, readPage } from './read/read-page.ts';
import { readSiteFile } from './read/read-site-file.ts';
import { htmlFiles, isBelow, type SkipReason } from './read/site-files.ts';
import { type PageScan, scanPage, stylesheetUrl } from './scan-page.ts';

export interface SiteScan extends Manifest {
  readonly counts: {
    readonly pages: number;
    readonly redirects: number;
    /** Files that match an `exclude` glob. They aren't read. */
    readonly excluded: number;
  };
  /** The pages' URLs that aren't written like those of our files, absolute, each with its asset. */
  readonly links: ReadonlyMap<string, number>;
}

export interface ScanRules extends AddressRules {
  readonly exclude: readonly string[];
  /** Astro's `build.assetsPrefix` for stylesheets. */
  readonly assetsPrefix?: string | undefined;
  /** The service's base URL, also with a path. */
  readonly service?: string | undefined;
}

/** Pages between two reports of progress. */
const batchSize = 64;

/**
 * Scans a folder of built HTML for the assets that each page shows. The same folder always gives the
 * same manifest.
 *
 * @param asked.onProgress called after all files are found
 * @throws `folder-missing`; `scan-empty`, also if all pages are excluded or redirects;
 * `scan-unreadable`, because an unreadable page must not look like one without assets
 */
export async function scanSite(asked: {
  dir: string;
  rules: ScanRules;
  onProgress?: (progress: { done: number; total: number }) => void;
}): Promise<SiteScan> {
  const { dir, rules, onProgress } = asked;
  const skipped: { file: string; reason: SkipReason }[] = [];
  const found = htmlFiles(dir, (file, reason) => skipped.push({ file, reason }));
  const files = found.filter(included(rules));
  const excluded = found.length - files.length;
  if (found.length === 0) throw mediaAssetError('scan-empty', { dir });

  const scan = fileScanner(dir, rules);
  const shown: ShownFile[] = [];
  for (const [index, file] of files.entries()) {
    const page = scan(file);
    if (page) shown.push({ file, ...page });
    const done = index + 1;
    if (done % batchSize > 0 && done < files.length) continue;
    onProgress?.({ done, total: files.length });
    // Reading is synchronous, so let signals in.
    await setImmediate();
  }
  const { pages, findings } = mergePages(shown);
  const counts = { pages: pages.length, redirects: files.length - shown.length, excluded };
  if (pages.length === 0) throw mediaAssetError('scan-empty', { dir, ...counts });
  return {
    site: rules.site,
    base: rules.base,
    pages,
    findings: [
      ...skipped
        .sort((a, b) => compare(a.file, b.file))
        .map(({ file, reason }) => finding('warning', 'page-skipped', { file, dir, reason })),
      ...findings,
    ],
    counts,
    links: new Map(shown.flatMap(({ links }) => links)),
  };
}

/**
 * Returns a function that scans a page, by its file's path below the folder, and returns `undefined` for
 * a redirect page. All pages share a buffer. Each stylesheet is read once.
 */
function fileScanner(dir: string, rules: ScanRules): (file: string) => PageScan | undefined {
  const root = resolve(dir);
  const urlOf = pageUrls(rules);
  const assetUrls = assetUrlReader(rules);
  const readStylesheet = stylesheetReader(root, rules);
  let scratch: Buffer = Buffer.allocUnsafe(256 * 1024);
  return (file) => {
    const page = urlOf(file);
    const path = `${root}/${file}`;
    const bytes = readSiteFile(path, scratch);
    if (!bytes) throw mediaAssetError('scan-unreadable', { file: path });
    // Keep the larger buffer of a longer page.
    if (bytes.length > scratch.length) scratch = bytes;
    const scan = scanPage({ ...readPage(bytes, page), page, assetUrls, readStylesheet });
    // A copy, because a part of the page's text would keep all of it in memory.
    return scan && JSON.parse(JSON.stringify(scan));
  };
}

/**
 * Returns a function that lists the absolute URLs that a stylesheet of the site and its imports fetch.
 * Each file is read once. Stylesheets that are missing or on other hosts have no URLs.
 *
 * @param root the site's folder, absolute
 */
function stylesheetReader(root: string, { site, base, assetsPrefix }: ScanRules) {
  const { origin } = new URL(site);
  const prefixes = [basePath(base), ...(assetsPrefix ? [assetsPrefix] : [])];
  const rootUrls = prefixes.map((prefix) => new URL(prefix.replace(/\/?$/, '/'), origin).href);
  const known = new Map<string, ReturnType<typeof cssUrls>>();

  function load(url: string): ReturnType<typeof cssUrls> {
    const file = localFile(url);
    const bytes = file && readSiteFile(file);
    if (!bytes) return { urls: [], imports: [] };
    const { urls, imports } = cssUrls(decodePage(bytes).text);
    return {
      urls: urls.map((named) => toUrl(named, url)?.href ?? named),
      imports: imports.flatMap((named) => stylesheetUrl(named, url) ?? []),
    };
  }

  function localFile(url: string): string | undefined {
    const { origin, pathname } = new URL(url);
    const place = `${origin}${pathname}`;
    const rootUrl = rootUrls.find((candidate) => place.startsWith(candidate));
    if (rootUrl === undefined) return undefined;
    const file = resolve(root, decode(place.slice(rootUrl.length)));
    return isBelow(root, file) ? file : undefined;
  }

  return (url: string): readonly string[] => {
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

type ShownFile = PageScan & { readonly file: string };

/** Sorts pages by URL. Files with the same URL become one page, with the name of the first. */
function mergePages(shown: ShownFile[]): { pages: PageUsage[]; findings: Finding[] } {
  const pages: PageUsage[] = [];
  const findings: Finding[] = [];
  shown.sort((a, b) => compare(a.usage.page, b.usage.page) || compare(a.file, b.file));
  for (const same of Map.groupBy(shown, ({ usage }) => usage.page).values()) {
    const [{ usage }] = same as [ShownFile];
    const { page, pageName } = usage;
    if (same.length === 1) pages.push(usage);
    else {
      const ids = new Set(same.flatMap(({ usage }) => usage.assets));
      pages.push({ page, pageName, assets: [...ids].sort((a, b) => a - b) });
      const files = same.map(({ file }) => file);
      findings.push(finding('warning', 'page-twice', { page, files }));
    }
    for (const { findings: found } of same) findings.push(...found);
  }
  return { pages, findings };
}

/**
 * Returns a test for files that no `exclude` glob matches. Globs match the page's decoded path, with
 * and without the site's base. A trailing slash makes no difference.
 */
function included(rules: ScanRules): (file: string) => boolean {
  if (rules.exclude.length === 0) return () => true;
  const isExcluded = picomatch(
    rules.exclude.map((glob) => withoutSlash(glob.startsWith('/') ? glob : `/${glob}`)),
    { dot: true },
  );
  const root = basePath(rules.base);
  const urlOf = pageUrls(rules);
  return (file) => {
    const path = pagePath(urlOf(file));
    const below = path.startsWith(`${root}/`) ? path.slice(root.length) : path;
    return !isExcluded(withoutSlash(path)) && !isExcluded(withoutSlash(below));
  };
}

function withoutSlash(path: string): string {
  return path.replace(/(?<=.)\/+$/, '');
}
