import { mimes } from 'mrmime';
import { sniffBytes } from './sniff-bytes.ts';

/**
 * What is published as it is only where the site allows it: what a browser would run with the rights
 * of the site's own pages, and pictures, whose files hold places and names of people.
 */
export const guardedKinds = ['html', 'svg', 'xml', 'script', 'picture'] as const;
export type GuardedKind = (typeof guardedKinds)[number];

interface Guarded {
  readonly kind: GuardedKind;
  readonly by: 'bytes' | 'name' | 'declared type';
}

export interface FileType {
  /** Of the published file, without the dot: hosts choose the type by it. */
  readonly extension: string;
  /** Without parameters. */
  readonly contentType: string;
  /** None where anybody may have it. */
  readonly guarded: readonly Guarded[];
}

/** How many bytes of a file `detectFileType` looks at: browsers look at fewer. */
export const detectedBytes = 8192;

const endings: Readonly<Record<Exclude<GuardedKind, 'picture'>, RegExp>> = {
  html: /^(html?|xhtml?|xht|shtml?|stm|hxt|mht|mhtml|hta|htc|eml)$/,
  svg: /^svgz?$/,
  xml: /^(xml|xsl|xslt|xsd|dtd|rdf|rss|atom|rng|mathml|mml|xul|xbl|wsdl|xlf|kml|gpx|plist)$/,
  script:
    /^([mc]?jsx?|jsm|jse|es\d?|ecma|wasm|swf|vbs|vbe|wsf|php\d?|phtml|phar|aspx?|jspx?|cgi|pl|py|rb|sh|bash|ps1|bat|cmd|htaccess)$/,
};

const declaredTypes: typeof endings = {
  html: /^(text\/html|application\/xhtml\+xml|multipart\/related|message\/rfc822)$/,
  svg: /^image\/svg/,
  xml: /^((text|application)\/xml(-.*)?|.*\+xml|text\/xsl)$/,
  script:
    /^((text|application)\/(x-)?(java|ecma|type|j|live)script.*|application\/(wasm|x-shockwave-flash|x-(httpd-)?php|x-sh))$/,
};

/** The beginnings of HEIC pictures; `?` is any byte. */
const heic = ['????ftyphei', '????ftyphev', '????ftypmif1', '????ftypmsf1'];

/** The beginnings of formats, and the endings that fit them; the first stands for all. */
const families: readonly [starts: readonly string[], extensions: readonly string[]][] = [
  [['%PDF-'], ['pdf', 'ai']],
  [['\x1f\x8b'], ['gz', 'tgz']],
  [['\x1aE\xdf\xa3'], ['webm', 'mkv', 'weba']],
  [['OggS'], ['ogg', 'oga', 'ogv', 'opus', 'ogx']],
  [['RIFF????WAVE'], ['wav']],
  [['RIFF????AVI '], ['avi']],
  [['ID3'], ['mp3', 'aac', 'flac', 'wav']],
  [heic, ['heic', 'heif', 'avif']],
  [['????ftypM4A'], ['m4a', 'mp4']],
  [['????ftypqt'], ['mov', 'mp4', 'm4v']],
  [['????ftyp'], ['mp4', 'm4v', 'm4a', 'mov', '3gp', '3g2']],
  // Many formats are zip archives: any ending that is not another family's may stand.
  [['PK\x03\x04', 'PK\x05\x06'], ['zip']],
];

const familyEndings = new Set(families.flatMap(([, extensions]) => extensions));

/**
 * Decides how a file is published, by its first bytes, its declared type and its name: where they
 * contradict each other the bytes are right, and each of them alone can make it a guarded one.
 *
 * @param start its first `detectedBytes` bytes, or all of them
 * @param filename as the service writes it: only its ending is used
 */
export function detectFileType({
  start,
  declared,
  filename,
}: {
  start: Uint8Array;
  declared: string | undefined;
  filename: string | undefined;
}): FileType {
  const named = endingOf(filename);
  const extension = chooseExtension(start, named ?? extensionOfType(declared));
  const guarded = [
    ...byName(extension).map((kind): Guarded => ({ kind, by: 'name' })),
    ...(named ? byName(named).map((kind): Guarded => ({ kind, by: 'name' })) : []),
    ...byType(plainType(declared)).map((kind): Guarded => ({ kind, by: 'declared type' })),
    ...byBytes(start).map((kind): Guarded => ({ kind, by: 'bytes' })),
  ];
  const kinds = new Map(guarded.map((one) => [one.kind, one]));
  // Both are XML: who allows one of them allows that too.
  if (kinds.has('html') || kinds.has('svg')) kinds.delete('xml');
  return { extension, contentType: typeOfExtension(extension), guarded: [...kinds.values()] };
}

function chooseExtension(start: Uint8Array, claimed: string | undefined): string {
  const { kind } = sniffBytes(start);
  if (kind && !beginsWith(start, heic)) return extensionOfType(`image/${kind}`) ?? kind;
  const [, family] = families.find(([starts]) => beginsWith(start, starts)) ?? [];
  if (!family) return claimed ?? (isText(start) ? 'txt' : 'bin');
  const stands =
    claimed !== undefined &&
    (family.includes(claimed) || (family[0] === 'zip' && !familyEndings.has(claimed)));
  return stands ? claimed : (family[0] ?? 'bin');
}

/** What stands behind the last dot, if it can be an ending. */
function endingOf(filename: string | undefined): string | undefined {
  return /[^.]\.([a-z0-9]{1,10})\s*$/i.exec(filename ?? '')?.[1]?.toLowerCase();
}

function byName(extension: string): GuardedKind[] {
  return kindsIn(endings, extension);
}

function byType(type: string): GuardedKind[] {
  return kindsIn(declaredTypes, type);
}

function kindsIn(patterns: typeof endings, value: string): GuardedKind[] {
  const kinds = Object.keys(patterns) as (keyof typeof patterns)[];
  return kinds.filter((kind) => patterns[kind].test(value));
}

function byBytes(start: Uint8Array): GuardedKind[] {
  if (sniffBytes(start).kind || beginsWith(start, heic)) return ['picture'];
  const text = asText(start).trimStart();
  if (text.startsWith('#!')) return ['script'];
  // What is blank as far as we look could be anything.
  if (text === '') return ['html'];
  if (!/^<[^\s\d<=]/.test(text)) return [];
  if (/<(!doctype\s+html|html)[\s>]/i.test(text)) return ['html'];
  if (/<([\w.-]+:)?svg[\s/>]/i.test(text)) return ['svg'];
  return /<(head|body|script|iframe|div|h1|table|p|br)[\s>/]/i.test(text) ? ['html'] : ['xml'];
}

/** Without a byte order mark; UTF-16 is found without one too, as XML parsers find it. */
function asText(start: Uint8Array): string {
  const [first, second] = start;
  const utf16le = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0);
  const utf16be = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  const encoding = utf16le ? 'utf-16le' : utf16be ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(start);
}

function beginsWith(bytes: Uint8Array, starts: readonly string[]): boolean {
  const text = Buffer.from(bytes.subarray(0, 32)).toString('latin1');
  return starts.some((start) =>
    Array.from(start).every((character, at) => character === '?' || text[at] === character),
  );
}

function isText(start: Uint8Array): boolean {
  return start.every((byte) => byte >= 0x20 || (byte >= 9 && byte <= 13));
}

/** Types that are common in a media library, by the ending of a file's name. */
const further: Readonly<Record<string, string>> = {
  '7z': 'application/x-7z-compressed',
  avi: 'video/x-msvideo',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  flac: 'audio/flac',
  ico: 'image/x-icon',
  indd: 'application/x-indesign',
  m4v: 'video/mp4',
  mkv: 'video/x-matroska',
  odp: 'application/vnd.oasis.opendocument.presentation',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odt: 'application/vnd.oasis.opendocument.text',
  opus: 'audio/opus',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  psd: 'image/vnd.adobe.photoshop',
  rar: 'application/vnd.rar',
  rtf: 'application/rtf',
  srt: 'application/x-subrip',
  tar: 'application/x-tar',
  vcf: 'text/vcard',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
};

const types: ReadonlyMap<string, string> = new Map(Object.entries({ ...mimes, ...further }));

/** The media type of an ending, without parameters; that of bytes where it is not known. */
function typeOfExtension(extension: string): string {
  return types.get(extension) ?? 'application/octet-stream';
}

/** The usual ending for a media type, without the dot. */
function extensionOfType(contentType: string | undefined): string | undefined {
  const type = plainType(contentType);
  if (type === 'application/octet-stream') return undefined;
  return [...usual, ...types.keys()].find((extension) => types.get(extension) === type);
}

/** Endings of types for which the table has a rarer one first. */
const usual = 'html jpg js md mp3 mp4 mpeg ogg tif txt xhtml xml'.split(' ');

/** A `Content-Type` without its parameters, in lower case; empty where there is none. */
function plainType(contentType: string | undefined): string {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
