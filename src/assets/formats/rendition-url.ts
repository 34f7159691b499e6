import { assetIdPattern, parseAssetId } from '../../errors/asset-id.ts';

export interface RenditionAddress {
  readonly id: number;
  /** The first 16 hexadecimal digits of the source's SHA-256. */
  readonly sourceHash: string;
  /** 16 hexadecimal digits for rectangle, size and recipe; `file` for unchanged bytes. */
  readonly digest: string;
  /** For people only: the same rendition can have several names. 1 to 80 letters, digits, `_` and `-`. */
  readonly name: string;
  /** Without the dot. */
  readonly extension: string;
}

/** A part of each digest. Increased when the same rendition gets other pixels than before. */
export const pixelVersion = 7;

/** The folder of renditions below Astro's own assets folder. Only builds write there. */
export const renditionFolder = 'media-asset';

/** Replaces the digest of an unchanged file. */
export const fileDigest = 'file';

const hash = '[0-9a-f]{16}';
const name = '[\\w-]{1,80}';
const extension = '[a-z0-9]{1,10}';
const pattern = (slash: string) =>
  `${renditionFolder}${slash}(${assetIdPattern})-(${hash})-(?:(${hash})-|${fileDigest}${slash})(${name})\\.(${extension})`;
const wholeUrl = new RegExp(`(?:^|/)${pattern('/')}(?:[?#].*)?$`, 's');
/** A slash as URLs, JSON and HTML encode it within other text. */
export const anySlash = String.raw`(?:\\*/|%(?:25)*2[fF]|\\+u002[fF]|&#(?:47|[xX]2[fF]);|&sol;)`;
const writtenUrl = new RegExp(pattern(anySlash));
/** A rendition's URL in a text. The first group is the ID. */
export const renditionPattern = new RegExp(writtenUrl, 'g');
const plainHost = 'https?://(?![^/]*xn--)(?:[a-z][a-z0-9-]*\\.)*[a-z][a-z0-9-]*';
const plainFolder = `(?:${plainHost})?(?:/(?!${renditionFolder}/)[\\w-]+)*/${renditionFolder}`;
const plainRest = `-${hash}-(?:${hash}-|${fileDigest}/)${name}\\.${extension}`;
const plainUrl = new RegExp(`^${plainFolder}/(${assetIdPattern})${plainRest}$`);
const plainWidth = ' [1-9]\\d*w';
const plainSrcset = new RegExp(
  `^(${plainFolder})/(${assetIdPattern})-${hash}-${hash}(-${name}\\.${extension})${plainWidth}(?:, \\1/\\2-${hash}-${hash}\\3${plainWidth})*$`,
);

/**
 * The path of a rendition below the assets folder: `media-asset/4711-<source>-<digest>-<name>.<extension>`.
 * Unchanged files have a folder each, so that visitors save them with their name:
 * `media-asset/4711-<source>-file/<name>.<extension>`.
 */
export function formatRenditionPath(address: RenditionAddress): string {
  const { id, sourceHash, digest, name, extension } = address;
  const separator = digest === fileDigest ? '/' : '-';
  return `${renditionFolder}/${id}-${sourceHash}-${digest}${separator}${name}.${extension}`;
}

/** Reads an absolute URL or any path; `undefined` for any other URL. */
export function parseRenditionUrl(url: string): RenditionAddress | undefined {
  const match = wholeUrl.exec(url);
  return match ? toAddress(match) : undefined;
}

/**
 * The asset ID in a rendition's URL as our pages contain it: from the root or with a host, and without
 * characters that browsers read differently. `undefined` for any other URL, also of renditions.
 */
export function idOfPlainUrl(url: string): number | undefined {
  return parseAssetId(plainUrl.exec(url)?.[1]);
}

/**
 * The asset ID of a `srcset` as our pages contain it: {@link idOfPlainUrl plain} URLs of one name, in
 * widths. `undefined` for any other, such as one with several assets.
 */
export function idOfPlainSrcset(srcset: string): number | undefined {
  return parseAssetId(plainSrcset.exec(srcset)?.[2]);
}

/**
 * Finds every rendition in a text (HTML, CSS, JSON, XML), in order and with repeats, also as a
 * parameter of another URL in any encoding. It finds more than a parser would, such as URLs in
 * comments, because it decides which files must exist.
 */
export function findRenditions(text: string): RenditionAddress[] {
  // Read from a copy, because a substring keeps the whole text in memory.
  return Array.from(decodeLetters(text).matchAll(renditionPattern), ([written]) => {
    const match = writtenUrl.exec(Buffer.from(written).toString());
    return match ? toAddress(match) : undefined;
  }).filter((address) => address !== undefined);
}

/** Decodes the characters of URLs that need no escape, such as `%2D`: hosts do, and browsers don't. */
export function decodeLetters(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/%(?:2[de]|3\d|[4-7][\da-f])/gi, decodeURIComponent);
}

/** The same for two addresses of one rendition: everything except the readable name. */
export function renditionKey(address: Omit<RenditionAddress, 'name'>): string {
  return `${address.id}-${address.sourceHash}-${address.digest}.${address.extension}`;
}

function toAddress(match: RegExpExecArray): RenditionAddress | undefined {
  const [, digits, sourceHash, digest = fileDigest, name, extension] = match;
  const id = parseAssetId(digits);
  if (!id || !sourceHash || !name || !extension) return undefined;
  return { id, sourceHash, digest, name, extension };
}
