import { resolve } from 'node:path';
import { mediaAssetError } from '../errors.ts';
import { assetUrlReader } from './asset-url.ts';
import { readPage } from './read-page.ts';
import { type PageScan, pageStylesheets, scanPage } from './scan-page.ts';
import { readSiteFileNow } from './site-files.ts';
import { stylesheetReader } from './site-stylesheets.ts';

/** A page's file. */
export interface PageFile {
  /** Relative to the folder of the site, with `/` between its parts. */
  readonly file: string;
  /** The absolute public URL. */
  readonly page: string;
}

/** The folder of a built site, and what a scan of its files follows. */
export interface SiteFolder {
  readonly dir: string;
  readonly site: string;
  readonly base: string;
  readonly assetsPrefix: string | undefined;
  readonly serviceOrigins: readonly string[];
}

/** Scans a page of the site; `undefined` for a redirect page. */
export type FileScanner = (file: PageFile) => Promise<PageScan | undefined>;

/**
 * A scanner for the pages of one folder, one after the other: they are read into one buffer, and
 * each stylesheet is read once.
 *
 * @throws `scan-unreadable`, `scan-too-large`, `page-too-deep` (the scanner)
 */
export function fileScanner(folder: SiteFolder): FileScanner {
  const { dir } = folder;
  const idOf = assetUrlReader(folder.serviceOrigins);
  const stylesheetIds = stylesheetReader(folder);
  let scratch: Buffer = Buffer.allocUnsafe(256 * 1024);

  return async ({ file, page }) => {
    const path = resolve(dir, file);
    const bytes = readSiteFileNow(path, scratch);
    if (!bytes) throw mediaAssetError('scan-unreadable', { file: path });
    // A longer page gets a buffer of its own, which serves from then on.
    if (bytes.length > scratch.length) scratch = bytes;
    const { elements, charset } = await readPage(bytes, page);
    const stylesheets = new Map<string, readonly number[]>();
    for (const url of pageStylesheets({ elements, page })) {
      stylesheets.set(url, await stylesheetIds(url));
    }
    return scanPage({ elements, page, charset, idOf, stylesheets });
  };
}
