import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { mayHaveMarker } from '../assets/formats/markers.ts';
import { findRenditions, formatRenditionPath } from '../assets/formats/rendition-url.ts';
import { assetUrlReader, downloadPattern, withoutProse } from './extract/asset-url.ts';
import { elementUrls, jsonStrings } from './extract/element-urls.ts';
import { type Marker, pageMarkers } from './extract/page-markers.ts';
import { isXml, unreadAddresses } from './extract/unread-addresses.ts';
import { pageUrls, type ScanRules } from './page-url.ts';
import type { PageElement } from './read/page-element.ts';
import { decodePage, pageElements, readPage } from './read/read-page.ts';
import { readSiteFile } from './read/read-site-file.ts';
import { filesBelow, isPage } from './read/site-files.ts';
import { stylesheetReader } from './read/stylesheets.ts';
import { type PageScan, scanPage } from './scan-page.ts';

/** Files that aren't text. Any other file can name a rendition: an endpoint can have any name. */
const unreadFile = new RegExp(
  `\\.(?:${[
    'wasm|pdf|zip|gz|svgz|br|zst|7z|rar|woff|woff2|ttf|otf|eot',
    'png|jpg|jpeg|gif|webp|avif|jxl|heic|ico|bmp|tif|tiff|psd',
    'mp4|m4v|webm|mov|avi|mkv|mp3|m4a|aac|ogg|oga|ogv|opus|wav|flac',
  ].join('|')})$`,
  'i',
);

/** Where Astro 7 keeps its code of all pages during the build. Earlier versions use `.mjs` files. */
const prerenderFolder = '.prerender';

/** Files that are read between two pauses. */
const filesAtOnce = 64;

const serverIsland = '<!--[if astro]>server-island-start<![endif]-->';

/** Files that are text, even with a NUL. */
const textFile = /\.(?:html|css|js|json|jsonld|xml|rss|atom|svg|txt|md|webmanifest)$/;

const isData = /\.(?:json|[cm]?js|map)$/;

/** Files for people. An endpoint can put data into one. */
const isProse = /\.(?:txt|md)$/;

/** A built page, and what it says. Each is found when it's asked for. */
export type BuiltPage = NonNullable<ReturnType<ReturnType<typeof pageReader>>>;

/** Reads a page by its path below the folder; `undefined` without a file. All share a buffer. */
export function pageReader(dir: string, rules: ScanRules) {
  const root = resolve(dir);
  const urlOf = pageUrls(rules);
  const assetUrls = assetUrlReader(rules);
  const readStylesheet = stylesheetReader(root, rules);
  let scratch: Buffer = Buffer.allocUnsafe(256 * 1024);
  return (file: string) => {
    const bytes = readSiteFile(`${root}/${file}`, { scratch });
    if (!bytes) return undefined;
    // Keep the larger buffer of a longer page.
    if (bytes.length > scratch.length) scratch = bytes;
    const url = urlOf(file);
    const read = readPage(bytes, url);
    return {
      file,
      url,
      read,
      /** `undefined` for a redirect page. */
      scan(): PageScan | undefined {
        const elements = read.elements();
        const found = { ...read, elements, page: url, assetUrls, readStylesheet };
        const scan = scanPage({ ...found, assetsPrefix: rules.assetsPrefix });
        // A copy, because a part of the page's text would keep all of it in memory.
        return scan && JSON.parse(JSON.stringify(scan));
      },
    };
  };
}

/** What a built file says. */
export type BuiltFile = Awaited<ReturnType<typeof readOutput>>[number];

/**
 * Reads every built file that can name a rendition. Astro's page cache adds pages whose components
 * didn't run, so only the files show which renditions pages use. What a file names is searched in its
 * text, because one too many does no harm. Markers are attributes of elements.
 *
 * @param options.judges whether the site judges assets, so that it must be known which ones pages show
 */
export async function readOutput(
  dir: string,
  rules: ScanRules & { readonly service: string },
  { judges }: { judges: boolean },
) {
  // If no page is prerendered, Astro 5 passes a folder that doesn't exist.
  const files = existsSync(dir) ? readableFiles(dir).sort() : [];
  const found = [];
  const readPageFile = pageReader(dir, rules);
  const assetUrls = assetUrlReader(rules);
  const downloads = downloadPattern(rules.service);
  const idsIn = (text: string) => Array.from(text.matchAll(downloads), ([, id]) => Number(id));
  for (const [index, file] of files.entries()) {
    // Synchronous reads take a quarter of the time for small files. The pauses let signals in.
    if (index % filesAtOnce === 0) await setImmediate();
    const built = isPage(file) ? readPageFile(file) : undefined;
    const text = built?.read.text ?? readText(join(dir, file));
    if (text === undefined) continue;
    /** The path of its URL. Only its name if it isn't a page. */
    const page = built ? new URL(built.url).pathname : file;
    const named = findRenditions(text).map((one) => [formatRenditionPath(one), one] as const);
    const data = isProse.test(file) ? (jsonStrings(text) ?? []).join('\n') : text;
    const urls = built || assetUrls.named(text).length === 0 ? '' : withoutProse(data);
    const scan = judges ? built?.scan() : undefined;
    const mayBeMarked = mayHaveMarker.test(text);
    const mayFetch = built && (scan?.named ?? idsIn(text)).length > 0;
    const elements = built && (mayBeMarked || mayFetch) ? built.read.elements() : [];
    const fetched = idsIn(built ? fetchedUrls(elements) : isData.test(file) ? '' : urls);
    const ofPage = judges ? scan?.named : [...named.map(([, { id }]) => id), ...fetched];
    const shown = built ? ofPage : assetUrls.named(urls);
    found.push({
      file,
      page,
      renditions: Array.from(new Map(named).values(), (address) => ({ address, page })),
      markers: !mayBeMarked ? [] : built ? pageMarkers(elements) : await dataMarkers(file, text),
      /** `media:` addresses that are still in the text. */
      unread: unreadAddresses(file, text).map((address) => ({ address, page })),
      /** What a page shows, as far as it must be known, and what other files name by URLs that stand alone. */
      assets: Array.from(new Set(shown), (id) => ({ id, page })),
      /** Those that browsers fetch. Others are only text or data, such as that of `getMediaAsset`. */
      fetched: Array.from(new Set(fetched), (id) => ({ id, page })),
      /** Whether it has server islands (`server:defer`). */
      isDeferred: isPage(file) && text.includes(serverIsland),
      /** `undefined` for a redirect page, for files that aren't pages, and if nothing is judged. */
      scan,
    });
  }
  return found;
}

/** `undefined` if there's no file, or if it's binary. */
function readText(path: string): string | undefined {
  const bytes = readSiteFile(path, { mayBeBinary: true });
  return bytes && (textFile.test(path) || !bytes.includes(0)) ? decodePage(bytes).text : undefined;
}

/** Islands get data. */
function fetchedUrls(elements: readonly PageElement[]): string {
  const shown = elements.filter(({ element }) => element.tagName !== 'astro-island');
  return shown.flatMap(({ element }) => elementUrls(element).urls).join(' ');
}

/** The markers of a feed or JSON. Other texts only quote them. */
async function dataMarkers(file: string, text: string): Promise<Marker[]> {
  const values = file.endsWith('.json') ? jsonStrings(text) : [];
  const texts = isXml.test(file) ? await xmlTexts(text) : (values ?? []);
  const marked = texts.filter((html) => mayHaveMarker.test(html));
  return marked.flatMap((html) => pageMarkers(pageElements({ html, page: file })));
}

/** The texts of a feed, unescaped, and the tags of HTML that isn't escaped. */
async function xmlTexts(xml: string): Promise<string[]> {
  const { Parser } = await import('htmlparser2');
  const texts: string[] = [];
  const parser = new Parser(
    {
      onopentag: () => texts.push(xml.slice(parser.startIndex, parser.endIndex + 1), ''),
      ontext: (text) => texts.push((texts.pop() ?? '') + text),
      onclosetag: () => texts.push(''),
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return texts;
}

/** Paths of the files that can name a rendition. Includes links to files, but not to folders. */
function readableFiles(dir: string): string[] {
  const isApart = existsSync(join(dir, prerenderFolder));
  return filesBelow(dir, (entry, path) => {
    // A page can be in a folder named `feed.xml`.
    if (entry.isDirectory()) return path === prerenderFolder ? undefined : 'folder';
    return unreadFile.test(path) || (!isApart && path.endsWith('.mjs')) ? undefined : 'file';
  });
}
