import { resolve } from 'node:path';
import { mediaAssetError } from '../../errors/errors.ts';
import { assetUrlReader } from '../extract/asset-url.ts';
import { type SiteFolder, stylesheetReader } from '../extract/site-stylesheets.ts';
import { pageUrls } from '../page-url.ts';
import { type PageScan, scanPage } from '../scan-page.ts';
import { readPage } from './read-page.ts';
import { readSiteFile } from './read-site-file.ts';

export interface ScannedFolder extends SiteFolder {
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
