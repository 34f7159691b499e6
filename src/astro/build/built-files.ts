import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fastGlob from 'fast-glob';
import {
  findRenditions,
  formatRenditionPath,
  type RenditionAddress,
} from '../../assets/formats/rendition-url.ts';
import { assetIdPattern } from '../../errors/asset-id.ts';
import { type MediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { downloadPattern } from '../../scan/extract/asset-url.ts';
import { readPieces } from '../../scan/read/read-site-file.ts';
import { strictListing } from '../../scan/read/site-files.ts';
import { moveFile, removeFile } from '../../storage/retry-locked-file.ts';
import { findFailures } from '../markdown/markdown-renderer.ts';
import { unavailableMarker } from './unavailable-assets.ts';

export interface NamedInFiles {
  readonly renditions: { readonly address: RenditionAddress; readonly page: string }[];
  /** Assets that were refused while a page was rendered. */
  readonly refused: { readonly id: number; readonly page: string }[];
  /** Images of Markdown that couldn't be made. */
  readonly failures: MediaAssetError[];
  /** Addresses of Markdown that no one has made an image of. */
  readonly unread: { readonly address: string; readonly page: string }[];
  /**
   * Assets that pages name by the service's own download addresses. `isData`: the address is only in
   * the data of `getMediaAsset`, which nobody fetches.
   */
  readonly assets: { readonly id: number; readonly page: string; readonly isData: boolean }[];
  /** Pages with parts that a server renders later (`server:defer`). */
  readonly deferred: string[];
}

/**
 * Files that can name a rendition: pages, stylesheets, scripts, feeds and data. Not `.mjs`: without a
 * server, Astro's own chunks of all pages and drafts lie here too while it builds.
 */
const textFile = '**/*.@(html|css|js|json|jsonld|xml|rss|atom|svg|txt|md|webmanifest)';

const marker = new RegExp(`${unavailableMarker}="(${assetIdPattern})"`, 'g');

/** Where Astro 7 keeps those chunks; whatever its config names them, they are removed at the end. */
const prerenderFolder = '.prerender';

/** Between two pauses. */
const filesAtOnce = 64;

/** The comment that Astro puts in the place of a server island. */
const serverIsland = '<!--[if astro]>server-island-start<![endif]-->';

/** An attribute that names an address of Markdown. */
const unreadInHtml = /\s(?:src|href|srcset|poster)=["']?\s*(media:-?\d[^"'\s>]*)/gi;

/** The same in the escaped HTML of a feed, and in Markdown itself. */
const unreadInFeed =
  /(?:(?:src|href|srcset|poster)=(?:\\?["']|&(?:quot|apos|#34|#39);)|\]\((?:<|&lt;)?)(media:-?\d(?:[\w?=,.:/-]|&amp;|&(?=\w+=))*)/gi;

/** Before an address in JSON, or in the props of an island, that came from `getMediaAsset`. */
const dataKey = /("|&quot;)(originalUrl|customFormatUrl)\1:\s*(\[0,)?\1$/;

/**
 * Reads every built file that can name a rendition. What pages show is decided here and not by
 * which components ran: Astro's page cache puts pages into the output whose components did not.
 *
 * @param toPage names the file in messages, from its path below `dir`
 * @throws `scan-unreadable` for a folder that cannot be listed, or a file that cannot be read
 */
export async function readBuiltFiles({
  dir,
  baseUrl,
  toPage,
}: {
  dir: string;
  baseUrl: string;
  toPage: (file: string) => string;
}): Promise<NamedInFiles> {
  // Astro 5 names a folder that isn't there if no page is prerendered.
  const files = existsSync(dir) ? textFiles(dir).sort() : [];
  const named: NamedInFiles = {
    renditions: [],
    refused: [],
    failures: [],
    unread: [],
    assets: [],
    deferred: [],
  };
  const downloads = downloadPattern(baseUrl);
  for (const [index, file] of files.entries()) {
    // Read one after the other, a thousand small files take a quarter of the time; signals come in here.
    if (index % filesAtOnce === 0) await setImmediate();
    const page = toPage(file);
    const noted = new Set<string>();
    const isNew = (name: string) => noted.size < noted.add(name).size;
    readPieces(join(dir, file), (piece) => {
      noteNames(named, { file, page, downloads, isNew, ...piece });
    });
  }
  return named;
}

/**
 * What may be a file that can name a rendition, relative to its folder. Links to files count, links
 * to folders don't.
 */
function textFiles(dir: string): string[] {
  return fastGlob
    .sync(textFile, {
      cwd: dir,
      dot: true,
      ignore: [`${prerenderFolder}/**`],
      followSymbolicLinks: false,
      // A page of a feed can lie in a folder `feed.xml`.
      onlyFiles: false,
      objectMode: true,
      fs: strictListing,
    })
    .filter(({ dirent }) => !dirent.isDirectory())
    .map(({ path }) => path);
}

/** The addresses of Markdown in a page or a feed that no one has made an image of. */
export function unreadAddresses(file: string, text: string): string[] {
  const pattern = file.endsWith('.html') ? unreadInHtml : isFeed(file, text) ? unreadInFeed : null;
  if (pattern === null) return [];
  return [...new Set(Array.from(text.matchAll(pattern), ([, address = '']) => address))];
}

function isFeed(file: string, text: string): boolean {
  if (file.endsWith('.json')) return text.includes('jsonfeed.org/version');
  return /\.(?:xml|rss|atom)$/.test(file);
}

interface Piece {
  readonly file: string;
  readonly page: string;
  readonly downloads: RegExp;
  /** Whether no piece of the file has had a name yet: data may repeat one a million times. */
  readonly isNew: (name: string) => boolean;
  readonly text: string;
  readonly seen: number;
}

function noteNames(named: NamedInFiles, { file, page, downloads, isNew, text, seen }: Piece): void {
  for (const address of findRenditions(text)) {
    if (isNew(formatRenditionPath(address))) named.renditions.push({ address, page });
  }
  if (text.includes(unavailableMarker)) {
    for (const [, id] of text.matchAll(marker)) named.refused.push({ id: Number(id), page });
  }
  named.failures.push(...findFailures(text));
  for (const address of unreadAddresses(file, text)) {
    if (isNew(address)) named.unread.push({ address, page });
  }
  const isDeferred = file.endsWith('.html') && text.includes(serverIsland);
  if (isDeferred && isNew(serverIsland)) named.deferred.push(page);
  // Scripts are not pages: while Astro builds, its own chunks of the pages lie here too.
  if (file.endsWith('.js')) return;
  for (const { 0: start, 1: id, index } of text.matchAll(downloads)) {
    // The key of its data may only be in the piece before, where it was seen.
    if (index + start.length <= seen) continue;
    const isData = dataKey.test(text.slice(Math.max(0, index - 60), index));
    if (isNew(`${id} ${isData}`)) named.assets.push({ id: Number(id), page, isData });
  }
}

/**
 * Writes a file of the built site, which appears whole or not at all. Makes the folder.
 *
 * @throws `file-unwritable`, and what giving the content throws
 */
export async function writeBuiltFile(
  path: string,
  content: Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  const folder = dirname(path);
  const temporary = `${path}.${process.pid}.part`;
  try {
    mkdirSync(folder, { recursive: true });
    // What is in memory is on disk sooner than the thread pool is reached.
    if (content instanceof Uint8Array) writeFileSync(temporary, content);
    else await writeFile(temporary, content);
    await moveFile(temporary, path);
  } catch (cause) {
    // What it was that failed matters more than a file that stays.
    await removeFile(temporary).catch(() => {});
    if (!isOfOutput(cause, folder)) throw cause;
    const problem = `the file system answers ${cause.code}`;
    throw mediaAssetError('file-unwritable', { path, problem }, { cause });
  }
}

/** Whether the output was what failed: the content is read from files too. */
function isOfOutput(thrown: unknown, folder: string): thrown is NodeJS.ErrnoException {
  if (!(thrown instanceof Error && 'syscall' in thrown)) return false;
  if ('path' in thrown) return String(thrown.path).startsWith(folder);
  return thrown.syscall !== 'read';
}
