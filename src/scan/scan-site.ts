import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import picomatch from 'picomatch';
import { parseRenditionUrl } from '../assets/formats/rendition-url.ts';
import { compare } from '../errors/compare.ts';
import { type Finding, finding, mediaAssetError } from '../errors/errors.ts';
import type { PageUsage } from './manifest.ts';
import { basePath, pagePath, pageUrls, type ScanRules } from './page-url.ts';
import { isPage, servedFiles } from './read/site-files.ts';
import { type BuiltPage, pageReader } from './read-output.ts';
import type { PageScan } from './scan-page.ts';

/** A manifest, and what else a scan has found. */
export type SiteScan = Readonly<Awaited<ReturnType<typeof scanSite>>>;

/** Pages between two reports of progress. */
const batchSize = 64;

/**
 * Scans a folder of built HTML for the assets that each page shows. The same folder always gives the
 * same manifest.
 *
 * @param asked.onProgress called after all files are found
 * @param asked.onPage called for each page with its scan, also for redirects and excluded pages, which
 * have none
 * @throws `folder-missing`; `scan-empty`, also if all pages are excluded or redirects;
 * `scan-unreadable`, because an unreadable page must not look like one without assets
 */
export async function scanSite(asked: {
  dir: string;
  rules: ScanRules;
  onProgress?: (progress: { done: number; total: number }) => void;
  onPage?: ((page: BuiltPage, scan: PageScan | undefined) => void) | undefined;
}) {
  const { dir, rules, onProgress, onPage } = asked;
  const isOurs = (path: string) => parseRenditionUrl(path) !== undefined;
  const served = servedFiles(dir, (path) => isPage(path) || isOurs(path));
  const found = served.filter(isPage);
  const excluded = new Set(found.filter(exclusion(rules)));
  if (found.length === 0) throw mediaAssetError('scan-empty', { dir });

  const read = pageReader(dir, rules);
  const scanned: ShownFile[] = [];
  for (const [index, file] of found.entries()) {
    const page = read(file);
    if (!page) throw mediaAssetError('scan-unreadable', { file: join(dir, file) });
    const scan = page.scan();
    if (scan) scanned.push({ file, ...scan });
    onPage?.(page, excluded.has(file) ? undefined : scan);
    const done = index + 1;
    if (done % batchSize > 0 && done < found.length) continue;
    onProgress?.({ done, total: found.length });
    // Reading is synchronous, so let signals in.
    await setImmediate();
  }
  const shown = scanned.filter(({ file }) => !excluded.has(file));
  const { pages, findings } = mergePages(shown);
  const redirects = found.length - excluded.size - shown.length;
  const counts = { pages: pages.length, redirects, excluded: excluded.size };
  if (pages.length === 0) throw mediaAssetError('scan-empty', { dir, ...counts });
  return {
    site: rules.site,
    base: rules.base,
    pages,
    findings,
    /** `excluded`: files that match an `exclude` glob. */
    counts,
    files: served.filter(isOurs),
    /** Pages that an `exclude` glob matches: they are published, and not reported. */
    excluded: scanned.flatMap(({ file, usage }) => (excluded.has(file) ? usage : [])),
    /** The URLs of all pages that aren't written like those of our files, absolute, each with its asset. */
    links: new Map(scanned.flatMap(({ links }) => links)),
  };
}

type ShownFile = PageScan & { readonly file: string };

/** Sorts pages by URL. Files with the same URL become one page, with the name of the first. */
export function mergePages(shown: ShownFile[]): { pages: PageUsage[]; findings: Finding[] } {
  const pages: PageUsage[] = [];
  const findings: Finding[] = [];
  shown.sort((a, b) => compare(a.usage.page, b.usage.page) || compare(a.file, b.file));
  for (const same of Map.groupBy(shown, ({ usage }) => usage.page).values()) {
    const [{ usage }] = same as [ShownFile];
    const ids = new Set(same.flatMap(({ usage }) => usage.assets));
    pages.push({ ...usage, assets: [...ids].sort((a, b) => a - b) });
    const files = same.map(({ file }) => file);
    if (files.length > 1)
      findings.push(finding('warning', 'page-twice', { page: usage.page, files }));
    for (const { findings: found } of same) findings.push(...found);
  }
  return { pages, findings };
}

/** Tests files by `exclude` globs of decoded paths, with or without the base and a last slash. */
function exclusion(rules: ScanRules): (file: string) => boolean {
  if (rules.exclude.length === 0) return () => false;
  const isExcluded = picomatch(
    rules.exclude.map((glob) => withoutSlash(glob.startsWith('/') ? glob : `/${glob}`)),
    { dot: true },
  );
  const root = basePath(rules.base);
  const urlOf = pageUrls(rules);
  return (file) => {
    const path = pagePath(urlOf(file));
    const below = path.startsWith(`${root}/`) ? path.slice(root.length) : path;
    return isExcluded(withoutSlash(path)) || isExcluded(withoutSlash(below));
  };
}

function withoutSlash(path: string): string {
  return path.replace(/(?<=.)\/+$/, '');
}
