import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import {
  findRenditions,
  formatRenditionPath,
  type RenditionAddress,
} from '../../assets/formats/rendition-url.ts';
import { assetIdPattern } from '../../errors/asset-id.ts';
import { type Finding, mediaAssetError } from '../../errors/errors.ts';
import { downloadPattern } from '../../scan/extract/asset-url.ts';
import { readPieces } from '../../scan/read/read-site-file.ts';
import { filesBelow } from '../../scan/read/site-files.ts';
import { moveFile, removeFile } from '../../storage/retry-locked-file.ts';
import { findFailures } from '../markdown/markdown-failures.ts';
import { textFile } from './build-notes.ts';
import { unavailableMarker } from './unavailable-assets.ts';

/**
 * Files that name no rendition. Any other file can: an endpoint can have any name. Not `.mjs`: on a
 * static site, Astro's chunks of all pages and drafts are in this folder too during the build.
 */
const unreadFile = new RegExp(
  `\\.(?:${[
    'mjs|map|wasm|pdf|zip|gz|svgz|br|zst|7z|rar|woff|woff2|ttf|otf|eot',
    'png|jpg|jpeg|gif|webp|avif|jxl|heic|ico|bmp|tif|tiff|psd',
    'mp4|m4v|webm|mov|avi|mkv|mp3|m4a|aac|ogg|oga|ogv|opus|wav|flac',
  ].join('|')})$`,
  'i',
);

const marker = new RegExp(`${unavailableMarker}="(${assetIdPattern})"`, 'g');

/** Where Astro 7 keeps those chunks until the end of the build. Config can change their names. */
const prerenderFolder = '.prerender';

/** Files that are read between two pauses. */
const filesAtOnce = 64;

const serverIsland = '<!--[if astro]>server-island-start<![endif]-->';

/** The attribute of what `<MediaCredits>` renders. */
export const creditsMarker = 'data-media-asset-credits';

/** An attribute with a `media:` address. */
const unreadInHtml = /\s(?:src|href|srcset|poster)=["']?\s*(media:-?\d[^"'\s>]*)/gi;

/** The same in the escaped HTML of a feed, and in Markdown itself. */
const unreadInFeed =
  /(?:(?:src|href|srcset|poster)=(?:\\?["']|&(?:quot|apos|#34|#39);)|\]\((?:<|&lt;)?)(media:-?\d(?:[\w?=,.:/-]|&amp;|&(?=\w+=))*)/gi;

/** Comes before a URL from `getMediaAsset` in JSON, or in an island's props. */
const dataKey = /("|&quot;)(originalUrl|customFormatUrl)\1:\s*(\[0,)?\1$/;

/**
 * Reads every built file that can name a rendition. Astro's page cache adds pages whose components
 * didn't run, so only the files show which renditions pages use.
 *
 * @param toPage turns a file's path below `dir` into its name in messages
 */
export async function readBuiltFiles(
  dir: string,
  { baseUrl, toPage }: { baseUrl: string; toPage: (file: string) => string },
) {
  // If no page is prerendered, Astro 5 passes a folder that doesn't exist.
  const files = existsSync(dir) ? readableFiles(dir).sort() : [];
  const named = {
    renditions: [] as { address: RenditionAddress; page: string }[],
    /** Assets that the service refused while a page was rendered. */
    refused: [] as { id: number; page: string }[],
    /** Of images in Markdown. */
    failures: [] as Finding[],
    /** `media:` addresses that are still in the HTML. */
    unread: [] as { address: string; page: string }[],
    /**
     * Assets that pages name by the service's own download URLs. `isData`: the URL is only in the data
     * of `getMediaAsset`, which browsers don't fetch.
     */
    assets: [] as { id: number; page: string; isData: boolean }[],
    /** Pages with server islands (`server:defer`). */
    deferred: [] as string[],
    /** Pages with a `<MediaCredits>`. */
    credits: [] as { file: string; page: string }[],
  };
  const downloads = downloadPattern(baseUrl);
  for (const [index, file] of files.entries()) {
    // Synchronous reads take a quarter of the time for small files. The pauses let signals in.
    if (index % filesAtOnce === 0) await setImmediate();
    const page = toPage(file);
    // Data can repeat a name a million times.
    const noted = new Set<string>();
    const isNew = (name: string) => noted.size < noted.add(name).size;
    readPieces(join(dir, file), ({ text, seen }) => {
      if (text.includes('\0') && !textFile.test(file)) return false;
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
      const hasCredits = file.endsWith('.html') && text.includes(creditsMarker);
      if (hasCredits && isNew(creditsMarker)) named.credits.push({ file, page });
      // During the build, Astro's chunks of the pages are here too.
      if (file.endsWith('.js')) return;
      for (const { 0: start, 1: id, index } of text.matchAll(downloads)) {
        // It was found in the previous piece, which can also hold the key in front of it.
        if (index + start.length <= seen) continue;
        const isData = dataKey.test(text.slice(Math.max(0, index - 60), index));
        if (isNew(`${id} ${isData}`)) named.assets.push({ id: Number(id), page, isData });
      }
    });
  }
  return named;
}

/** Paths of the files that can name a rendition. Includes links to files, but not to folders. */
function readableFiles(dir: string): string[] {
  return filesBelow(dir, (entry, path) => {
    // A page can be in a folder named `feed.xml`.
    if (entry.isDirectory()) return path === prerenderFolder ? undefined : 'folder';
    return unreadFile.test(path) ? undefined : 'file';
  });
}

/** The `media:` addresses that are left in a page or a feed. */
export function unreadAddresses(file: string, text: string): string[] {
  const pattern = file.endsWith('.html') ? unreadInHtml : isFeed(file, text) ? unreadInFeed : null;
  if (pattern === null) return [];
  return [...new Set(Array.from(text.matchAll(pattern), ([, address = '']) => address))];
}

function isFeed(file: string, text: string): boolean {
  if (file.endsWith('.json')) return text.includes('jsonfeed.org/version');
  return /\.(?:xml|rss|atom)$/.test(file);
}

/** Writes a file of the built site, and its folder if needed. An incomplete file never appears. */
export async function writeBuiltFile(
  path: string,
  content: Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  const folder = dirname(path);
  const temporary = `${path}.${process.pid}.part`;
  try {
    mkdirSync(folder, { recursive: true });
    // Writing synchronously is faster than a turn in the thread pool.
    if (content instanceof Uint8Array) writeFileSync(temporary, content);
    else await writeFile(temporary, content);
    await moveFile(temporary, path);
  } catch (cause) {
    // The first error matters more than a leftover file.
    await removeFile(temporary).catch(() => {});
    if (!isOfOutput(cause, folder)) throw cause;
    const problem = `the file system reports ${cause.code}`;
    throw mediaAssetError('file-unwritable', { path, problem }, { cause });
  }
}

/** Whether writing failed. The content can come from files, and reading them can fail too. */
function isOfOutput(thrown: unknown, folder: string): thrown is NodeJS.ErrnoException {
  if (!(thrown instanceof Error && 'syscall' in thrown)) return false;
  if ('path' in thrown) return String(thrown.path).startsWith(folder);
  return thrown.syscall !== 'read';
}
