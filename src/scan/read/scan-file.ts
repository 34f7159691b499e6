import { resolve } from 'node:path';
import { mediaAssetError } from '../../errors/errors.ts';
import { assetUrlReader } from '../extract/asset-url.ts';
import { stylesheetReader } from '../extract/site-stylesheets.ts';
import { type AddressRules, pageUrls } from '../page-url.ts';
import { type PageScan, scanPage } from '../scan-page.ts';
import { readPage } from './read-page.ts';
import { readSiteFile } from './read-site-file.ts';

export interface SiteFolder {
  readonly dir: string;
  readonly rules: AddressRules & { readonly assetsPrefix?: string | undefined };
  readonly serviceOrigins: readonly string[];
}

/** Scans a file, relative to the site's folder. `undefined` for a redirect page. */
export type FileScanner = (file: string) => Promise<PageScan | undefined>;

/**
 * Creates a scanner for the pages of one folder. Call it for one page at a time, because pages share a
 * buffer. Each stylesheet is read once.
 */
export function fileScanner(folder: SiteFolder): FileScanner {
  const { dir, rules, serviceOrigins } = folder;
  const root = resolve(dir);
  const urlOf = pageUrls(rules);
  const { site, base, assetsPrefix } = rules;
  const assetUrls = assetUrlReader(serviceOrigins, site);
  const readStylesheet = stylesheetReader({ dir, site, base, assetsPrefix });
  let scratch: Buffer = Buffer.allocUnsafe(256 * 1024);

  return async (file) => {
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
