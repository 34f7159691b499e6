import picomatch from 'picomatch';
import { type Finding, finding, mediaAssetError } from '../errors/errors.ts';
import { compare } from './compare.ts';
import { pagePath } from './extract/page-name.ts';
import type { Manifest, PageUsage } from './manifest.ts';
import { type AddressRules, basePath, pageUrls } from './page-url.ts';
import { type ScanThreads, scanFiles } from './read/scan-files.ts';
import { htmlFiles, type SkipReason } from './read/site-files.ts';
import type { PageScan } from './scan-page.ts';

export interface SiteScan extends Manifest {
  readonly counts: {
    readonly pages: number;
    readonly redirects: number;
    /** Files that the `exclude` globs leave out; they are not read. */
    readonly excluded: number;
  };
}

export interface ScanRules extends AddressRules {
  readonly exclude: readonly string[];
  readonly assetsPrefix?: string | undefined;
}

/**
 * Reads a folder of built HTML and finds the assets that each page shows. The same folder gives
 * the same manifest, whatever the order in which files are read.
 *
 * `serviceOrigins` are the base URLs of the service, each with its path prefix if it has one.
 *
 * @throws `folder-missing`, `scan-empty` (also where no page is left to count), `scan-unreadable`: a page that cannot be read must not look like one without assets
 */
export async function scanSite({
  dir,
  rules,
  serviceOrigins,
  threads,
  onProgress,
}: {
  dir: string;
  rules: ScanRules;
  serviceOrigins: readonly string[];
  /** Beside this one; as many as save time where it is left out. */
  threads?: ScanThreads;
  /** Told from when all files are found. */
  onProgress?: (progress: { done: number; total: number }) => void;
}): Promise<SiteScan> {
  const skipped: { file: string; reason: SkipReason }[] = [];
  const found = htmlFiles(dir, (file, reason) => skipped.push({ file, reason }));
  const files = found.filter(included(rules));
  const excluded = found.length - files.length;
  const folder = { dir, rules, serviceOrigins };
  const scanned = await scanFiles({ folder, files, threads, onProgress });
  if (scanned.length + excluded === 0) throw mediaAssetError('scan-empty', { dir });

  const shown = scanned.flatMap(({ file, scan }) => (scan ? [{ file, ...scan }] : []));
  const { pages, findings } = mergePages(shown);
  const counts = {
    pages: pages.length,
    redirects: scanned.length - shown.length,
    excluded,
  };
  if (pages.length === 0) throw mediaAssetError('scan-empty', { dir, ...counts });
  return {
    version: 1,
    site: rules.site,
    base: rules.base,
    pages,
    findings: [
      ...skipped
        .sort((a, b) => compare(a.file, b.file))
        .map(({ file, reason }) => finding('warning', 'page-skipped', file, { file, dir, reason })),
      ...findings,
    ],
    counts,
  };
}

interface ShownFile extends PageScan {
  readonly file: string;
}

/** The pages in order of their URL. Files with one URL are one page, named as the first of them. */
function mergePages(shown: ShownFile[]): { pages: PageUsage[]; findings: Finding[] } {
  const pages: PageUsage[] = [];
  const findings: Finding[] = [];
  shown.sort((a, b) => compare(a.usage.page, b.usage.page) || compare(a.file, b.file));
  for (let at = 0; at < shown.length; ) {
    const first = shown[at] as ShownFile;
    const same = [first];
    const { page, pageName } = first.usage;
    for (at += 1; shown[at]?.usage.page === page; at += 1) same.push(shown[at] as ShownFile);
    if (same.length === 1) pages.push(first.usage);
    else {
      pages.push({ page, pageName, assets: sum(same.flatMap(({ usage }) => usage.assets)) });
      const files = same.map(({ file }) => file);
      findings.push(finding('warning', 'page-twice', page, { page, files }));
    }
    for (const { findings: found } of same) findings.push(...found);
  }
  return { pages, findings };
}

function sum(assets: PageUsage['assets']): PageUsage['assets'] {
  return [...Map.groupBy(assets, ({ id }) => id)]
    .map(([id, same]) => ({
      id,
      occurrences: same.reduce((total, { occurrences }) => total + occurrences, 0),
    }))
    .sort((a, b) => a.id - b.id);
}

/**
 * A test for files whose pages no glob leaves out. A glob is matched on the page's path, decoded, both
 * as visitors see it and without the site's base; a slash at the end makes no difference.
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
