import { assetIdPattern, parseAssetId } from '../../errors/asset-id.ts';

export interface RenditionAddress {
  readonly id: number;
  /** The first 16 hexadecimal digits of the SHA-256 of the bytes that it was made from. */
  readonly sourceHash: string;
  /** 16 hexadecimal digits over rectangle, size and recipe; `file` for the bytes as they are. */
  readonly digest: string;
  /** For people only: two names of one rendition are one rendition. Letters, digits, `_` and `-`; 1 to 80 of them. */
  readonly name: string;
  /** Without the dot. */
  readonly extension: string;
}

/** The folder of renditions below Astro's own assets folder. */
const renditionFolder = 'media-asset';

/** In the place of a digest: the file is an original as it is. */
export const fileDigest = 'file';

const hash = '[0-9a-f]{16}';
const digest = `(?:${hash}|${fileDigest})`;
const name = '[\\w-]{1,80}';
const extension = '[a-z0-9]{1,10}';
const pattern = (slash: string) =>
  `${renditionFolder}${slash}(${assetIdPattern})-(${hash})-(${digest})${slash}(${name})\\.(${extension})`;
const wholeUrl = new RegExp(`(?:^|/)${pattern('/')}(?:[?#].*)?$`);
/** A slash, as URLs, JSON and HTML write it where it stands in other text. */
export const anySlash = String.raw`(?:\\*/|%(?:25)*2[fF]|\\+u002[fF]|&#(?:47|[xX]2[fF]);|&sol;)`;
const writtenUrl = new RegExp(pattern(anySlash));
/** A rendition's URL in a text, its id first. */
export const renditionPattern = new RegExp(writtenUrl, 'g');
const plainHost = 'https?://(?![^/]*xn--)(?:[a-z][a-z0-9-]*\\.)*[a-z][a-z0-9-]*';
const plainFolder = `(?:${plainHost})?(?:/(?!${renditionFolder}/)[\\w-]+)*/${renditionFolder}`;
const plainRest = `-${hash}-${digest}/${name}\\.${extension}`;
const plainUrl = new RegExp(`^${plainFolder}/(${assetIdPattern})${plainRest}$`);
const plainWidth = ' [1-9]\\d*w';
const plainSrcset = new RegExp(
  `^(${plainFolder})/(${assetIdPattern})-${hash}-${digest}(/${name}\\.${extension})${plainWidth}(?:, \\1/\\2-${hash}-${digest}\\3${plainWidth})*$`,
);

/** The path of a rendition below the assets folder: `media-asset/4711-<source>-<digest>/<name>.<extension>`. */
export function formatRenditionPath(address: RenditionAddress): string {
  const { id, sourceHash, digest, name, extension } = address;
  return `${renditionFolder}/${id}-${sourceHash}-${digest}/${name}.${extension}`;
}

/** Reads the URL (absolute, or any path) of a rendition of ours; `undefined` for any other URL. */
export function parseRenditionUrl(url: string): RenditionAddress | undefined {
  const match = wholeUrl.exec(url);
  return match ? toAddress(match) : undefined;
}

/**
 * The asset id of a rendition's URL as our pages have it: from the root or with a host, and with
 * nothing in it that a browser reads as something else. `undefined` for any other URL, renditions
 * among them.
 */
export function idOfPlainUrl(url: string): number | undefined {
  return parseAssetId(plainUrl.exec(url)?.[1]);
}

/**
 * The asset id of all URLs of a `srcset` as our pages have it: {@link idOfPlainUrl plain} ones of one
 * name, in widths. `undefined` for any other, of several assets for example.
 */
export function idOfPlainSrcset(srcset: string): number | undefined {
  return parseAssetId(plainSrcset.exec(srcset)?.[2]);
}

/**
 * Every rendition named anywhere in a text (HTML, CSS, JSON, XML), in order, repeats included; also
 * as the parameter of another URL, however often it is encoded. Finds more than a parser would, in
 * comments for example: for deciding which files must exist.
 */
export function findRenditions(text: string): RenditionAddress[] {
  // Read from a copy: a part of a text keeps all of it in memory.
  return Array.from(text.matchAll(renditionPattern), ([written]) => {
    const match = writtenUrl.exec(Buffer.from(written).toString());
    return match ? toAddress(match) : undefined;
  }).filter((address) => address !== undefined);
}

/** What makes two addresses one rendition: all but the readable name. */
export function renditionKey(address: Omit<RenditionAddress, 'name'>): string {
  return `${address.id}-${address.sourceHash}-${address.digest}.${address.extension}`;
}

function toAddress(match: RegExpExecArray): RenditionAddress | undefined {
  const [, digits, sourceHash, digest, name, extension] = match;
  const id = parseAssetId(digits);
  if (!id || !sourceHash || !digest || !name || !extension) return undefined;
  return { id, sourceHash, digest, name, extension };
}
