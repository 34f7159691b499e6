import { mimes } from 'mrmime';
import { z } from 'zod';
import { knownExtensions, sniffBytes } from './sniff-bytes.ts';

/**
 * Kinds of files that are published unchanged only if the site allows them: files that a browser runs
 * with the rights of the site's own pages, and images, whose metadata can hold places and names.
 */
const guardedKind = z.enum(['html', 'svg', 'xml', 'script', 'picture']);
export type GuardedKind = z.output<typeof guardedKind>;

/** The kinds of a file that only a site can allow, and how they were found. */
export const guardedSchema = z
  .array(z.object({ kind: guardedKind, by: z.enum(['bytes', 'name', 'declared type']) }))
  .readonly();
type Guarded = z.output<typeof guardedSchema>[number];

/** The number of bytes that `detectFileType` reads. Browsers read fewer. */
export const detectedBytes = 8192;

const guardedExtensions: Readonly<Record<Exclude<GuardedKind, 'picture'>, RegExp>> = {
  html: /^(html?|xhtml?|xht|shtml?|stm|hxt|mht|mhtml|hta|htc|eml)$/,
  svg: /^svgz?$/,
  xml: /^(xml|xsl|xslt|xsd|dtd|rdf|rss|atom|rng|mathml|mml|xul|xbl|wsdl|xlf|kml|gpx|plist)$/,
  script:
    /^([mc]?jsx?|jsm|jse|es\d?|ecma|wasm|swf|vbs|vbe|wsf|php\d?|phtml|phar|aspx?|jspx?|cgi|pl|py|rb|sh|bash|ps1|bat|cmd|htaccess)$/,
};

const guardedTypes: typeof guardedExtensions = {
  html: /^(text\/html|application\/xhtml\+xml|multipart\/related|message\/rfc822)$/,
  svg: /^image\/svg/,
  xml: /^((text|application)\/xml(-.*)?|.*\+xml|text\/xsl)$/,
  script:
    /^((text|application)\/(x-)?(java|ecma|type|j|live)script.*|application\/(wasm|x-shockwave-flash|x-(httpd-)?php|x-sh))$/,
};

/**
 * Decides how a file is published, by its first bytes, its declared type and its name. If they
 * contradict each other, the bytes win. Any of the three can make the file a guarded one.
 *
 * @param file.start the file's first `detectedBytes` bytes, or all of them
 * @returns `extension` without its dot: hosts choose the content type by it. `contentType` without
 * parameters. `guarded`: empty if anyone may have the file
 */
export function detectFileType(file: {
  start: Uint8Array;
  declared: string | undefined;
  filename: string | undefined;
}) {
  const { start, declared, filename } = file;
  const named = extensionOf(filename);
  const extension = chooseExtension(start, named ?? extensionOfType(declared));
  const found: [Guarded['by'], GuardedKind[]][] = [
    ['name', kindsIn(guardedExtensions, extension)],
    ['name', kindsIn(guardedExtensions, named ?? '')],
    ['declared type', kindsIn(guardedTypes, plainType(declared))],
    ['bytes', byBytes(start)],
  ];
  const kinds = new Map<GuardedKind, Guarded>();
  for (const [by, all] of found) for (const kind of all) kinds.set(kind, { kind, by });
  // HTML and SVG are XML too. Allowing one of them allows XML for this file.
  if (kinds.has('html') || kinds.has('svg')) kinds.delete('xml');
  const contentType = types.get(extension) ?? 'application/octet-stream';
  return { extension, contentType, guarded: [...kinds.values()] };
}

function chooseExtension(start: Uint8Array, claimed: string | undefined): string {
  const { kind, extensions } = sniffBytes(start);
  if (kind && !extensions) return extensionOfType(`image/${kind}`) ?? kind;
  const [first] = extensions ?? [];
  const isText = start.every((byte) => byte >= 0x20 || (byte >= 9 && byte <= 13));
  if (!extensions || !first) return claimed ?? (isText ? 'txt' : 'bin');
  // Many formats are zip archives, so any extension of no other format is kept.
  const isPlausible =
    claimed !== undefined &&
    (extensions.includes(claimed) || (first === 'zip' && !knownExtensions.has(claimed)));
  return isPlausible ? claimed : first;
}

/** The text after the last dot, if it can be an extension. */
function extensionOf(filename: string | undefined): string | undefined {
  return /[^.]\.([a-z0-9]{1,10})\s*$/i.exec(filename ?? '')?.[1]?.toLowerCase();
}

function kindsIn(patterns: typeof guardedExtensions, value: string): GuardedKind[] {
  const kinds = Object.keys(patterns) as (keyof typeof patterns)[];
  return kinds.filter((kind) => patterns[kind].test(value));
}

function byBytes(start: Uint8Array): GuardedKind[] {
  if (sniffBytes(start).isPicture) return ['picture'];
  const text = asText(start).trimStart();
  if (text.startsWith('#!')) return ['script'];
  // If all of these bytes are blank, the file could be anything.
  if (text === '') return ['html'];
  if (!/^<[^\s\d<=]/.test(text)) return [];
  if (/<(!doctype\s+html|html)[\s>]/i.test(text)) return ['html'];
  if (/<([\w.-]+:)?svg[\s/>]/i.test(text)) return ['svg'];
  return /<(head|body|script|iframe|div|h1|table|p|br)[\s>/]/i.test(text) ? ['html'] : ['xml'];
}

/** Decodes UTF-8 or UTF-16. Like XML parsers, detects UTF-16 without a byte order mark too. */
function asText(start: Uint8Array): string {
  const [first, second] = start;
  const utf16le = (first === 0xff && second === 0xfe) || second === 0;
  const utf16be = (first === 0xfe && second === 0xff) || first === 0;
  const encoding = utf16le ? 'utf-16le' : utf16be ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(start);
}

/** Content types that are common in a media library, by extension. */
const furtherTypes: Readonly<Record<string, string>> = {
  avi: 'video/x-msvideo',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  flac: 'audio/flac',
  ico: 'image/x-icon',
  m4v: 'video/mp4',
  mkv: 'video/x-matroska',
  odp: 'application/vnd.oasis.opendocument.presentation',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odt: 'application/vnd.oasis.opendocument.text',
  opus: 'audio/opus',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  psd: 'image/vnd.adobe.photoshop',
  srt: 'application/x-subrip',
  vcf: 'text/vcard',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
};

const types: ReadonlyMap<string, string> = new Map(Object.entries({ ...mimes, ...furtherTypes }));

function extensionOfType(contentType: string | undefined): string | undefined {
  const type = plainType(contentType);
  if (type === 'application/octet-stream') return undefined;
  return [...usual, ...types.keys()].find((extension) => types.get(extension) === type);
}

/** Preferred extensions of types for which the table lists a rarer one first. */
const usual = 'html jpg js md mp3 mp4 mpeg ogg tif txt xhtml xml'.split(' ');

/** A content type without its parameters, in lower case; `''` if there is none. */
function plainType(contentType: string | undefined): string {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
