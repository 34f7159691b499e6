import { setImmediate } from 'node:timers/promises';
import picomatch from 'picomatch';
import { type Finding, finding, mediaAssetError } from '../errors/errors.ts';
import { compare } from './compare.ts';
import type { Manifest, PageUsage } from './manifest.ts';
import { type AddressRules, basePath, pagePath, pageUrls } from './page-url.ts';
import { fileScanner } from './read/scan-file.ts';
import { htmlFiles, type SkipReason } from './read/site-files.ts';
import type { PageScan } from './scan-page.ts';

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
  readonly assetsPrefix?: string | undefined;
}

/** Pages between two reports of progress. */
const batchSize = 64;

/**
 * Scans a folder of built HTML for the assets that each page shows. The same folder always gives the
 * same manifest.
 *
 * @param asked.serviceOrigins base URLs of the service, including path prefixes
 * @throws `folder-missing`; `scan-empty`, also if all pages are excluded or redirects;
 * `scan-unreadable`, because an unreadable page must not look like one without assets
 */
export async function scanSite(asked: {
  dir: string;
  rules: ScanRules;
  serviceOrigins: readonly string[];
  /** Called after all files are found. */
  onProgress?: (progress: { done: number; total: number }) => void;
}): Promise<SiteScan> {
  const { dir, rules, serviceOrigins, onProgress } = asked;
  const skipped: { file: string; reason: SkipReason }[] = [];
  const found = htmlFiles(dir, (file, reason) => skipped.push({ file, reason }));
  const files = found.filter(included(rules));
  const excluded = found.length - files.length;
  if (found.length === 0) throw mediaAssetError('scan-empty', { dir });

  const scan = fileScanner({ dir, rules, serviceOrigins });
  const shown: ShownFile[] = [];
  for (const [index, file] of files.entries()) {
    const page = await scan(file);
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
