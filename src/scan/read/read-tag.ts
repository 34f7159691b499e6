import { indexOfByte, isBlank, isSameBytes, lower } from './page-bytes.ts';

/** The attributes that the scan reads, by hast's names. An attribute's number is its index here. */
export const attributeNames = [
  'src',
  'href',
  'xLinkHref',
  'poster',
  'content',
  'data',
  'background',
  'srcSet',
  'imageSrcSet',
  'style',
  'dataMediaAsset',
  'srcDoc',
  'rel',
  'type',
  'charSet',
  'httpEquiv',
  'props',
] as const;

export type AttributeName = (typeof attributeNames)[number];

const written = new Map<AttributeName, string>([
  ['xLinkHref', 'xlink:href'],
  ['dataMediaAsset', 'data-media-asset'],
  ['httpEquiv', 'http-equiv'],
]);
const spelled = attributeNames.map((name) =>
  new TextEncoder().encode(written.get(name) ?? name.toLowerCase()),
);
/** Attributes with words or lengths, not URLs, by hast's names. */
const wordNames = ['alt', 'ariaLabel', 'className', 'd', 'sizes', 'title'];
const wordsSpelled = ['alt', 'aria-label', 'class', 'd', 'sizes', 'title'].map((name) =>
  new TextEncoder().encode(name),
);
const readNames = new Set<string>([...attributeNames, ...wordNames]);

/** Whether the scan doesn't read an attribute that can contain URLs, such as `data-src`. */
export function isUnread(name: string): boolean {
  return !readNames.has(name);
}
/** Attribute numbers by the length of the name. */
const byLength = Array.from({ length: 17 }, (_, length) =>
  Int32Array.from([...spelled.keys()].filter((number) => spelled[number]?.length === length)),
);
const longest = byLength.length - 1;
/** Name lengths by first letter, one bit each. */
const lengths = new Int32Array(256);
for (const name of spelled) {
  const letter = name[0] as number;
  for (const first of [letter, letter - 32])
    lengths[first] = (lengths[first] as number) | (1 << name.length);
}
/** Values up to this number contain URLs. */
const lastUrl = attributeNames.indexOf('style');
const mediaAsset = attributeNames.indexOf('dataMediaAsset');

/** 1 for bytes that end an attribute's name, 2 for bytes that end a tag's name too. */
const marks = new Uint8Array(256);
const endsTagName = 2;
marks[0x3d] = 1;
for (const character of '\t\n\f\r />') marks[character.charCodeAt(0)] = endsTagName;

/** The length of the shortest asset URL, `http://a/1/file/1/download/0`. */
const shortestAddress = 28;

/** Positions of the name and value of an attribute that isn't read. */
interface UnreadAttribute {
  readonly nameFrom: number;
  readonly nameTo: number;
  readonly from: number;
  readonly to: number;
}

/** One tag of a page, with positions in bytes. Filled by {@link readTag}. */
export interface Tag {
  nameFrom: number;
  nameTo: number;
  /** The position after the `>`. */
  end: number;
  selfClosing: boolean;
  /** The attributes that the scan reads, one bit per number. */
  attributes: number;
  /** Whether an attribute may name an asset. */
  mayName: boolean;
  /** Start and end of each attribute's value, by number. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Attributes that aren't read but may name an asset. */
  readonly unread: UnreadAttribute[];
}

export function createTag(): Tag {
  return {
    nameFrom: 0,
    nameTo: 0,
    end: 0,
    selfClosing: false,
    attributes: 0,
    mayName: false,
    from: new Int32Array(attributeNames.length),
    to: new Int32Array(attributeNames.length),
    unread: [],
  };
}

export function attributeNumber(name: AttributeName): number {
  return attributeNames.indexOf(name);
}

export function attributeBit(name: AttributeName): number {
  return 1 << attributeNumber(name);
}

/**
 * Reads a tag like the HTML standard's tokenizer, from the first letter of its name.
 *
 * @returns whether the tag ends
 */
export function readTag(bytes: Buffer, start: number, tag: Tag): boolean {
  const length = bytes.length;
  let at = start;
  let byte = 0;
  while (at < length && (marks[bytes[at] as number] as number) < endsTagName) at += 1;
  tag.nameFrom = start;
  tag.nameTo = at;
  tag.attributes = 0;
  tag.mayName = false;
  if (tag.unread.length > 0) tag.unread.length = 0;

  while (at < length) {
    byte = bytes[at] as number;
    if (byte === 62) {
      tag.end = at + 1;
      tag.selfClosing = bytes[at - 1] === 47 && at - 1 >= tag.nameTo;
      return true;
    }
    at += 1;
    if ((marks[byte] as number) >= endsTagName) continue;

    // A `=` here begins a name.
    const nameFrom = at - 1;
    while (at < length && marks[bytes[at] as number] === 0) at += 1;
    const nameTo = at;
    while (at < length && isBlank(bytes[at] as number)) at += 1;
    if (bytes[at] !== 61) {
      note(tag, bytes, nameFrom, nameTo, nameTo, nameTo);
      continue;
    }
    at += 1;
    while (at < length && isBlank(bytes[at] as number)) at += 1;
    const quote = bytes[at] as number;
    if (quote === 34 || quote === 39) {
      at += 1;
      const from = at;
      at = indexOfByte(bytes, quote, at);
      note(tag, bytes, nameFrom, nameTo, from, at);
      at += 1;
    } else {
      const from = at;
      for (; at < length; at += 1) {
        byte = bytes[at] as number;
        if (byte === 62 || isBlank(byte)) break;
      }
      note(tag, bytes, nameFrom, nameTo, from, at);
      if (at < length && byte === 62) {
        tag.end = at + 1;
        tag.selfClosing = false;
        return true;
      }
    }
  }
  return false;
}

function note(
  tag: Tag,
  bytes: Uint8Array,
  nameFrom: number,
  nameTo: number,
  from: number,
  to: number,
): void {
  const length = nameTo - nameFrom;
  const isLong = to - from >= shortestAddress;
  if (length > longest || ((lengths[bytes[nameFrom] as number] as number) & (1 << length)) === 0) {
    if (isLong) noteUnread(tag, bytes, nameFrom, nameTo, from, to);
    return;
  }
  const candidates = byLength[length] as Int32Array;
  for (let index = 0; index < candidates.length; index += 1) {
    const number = candidates[index] as number;
    if (!isSpelled(spelled[number] as Uint8Array, bytes, nameFrom)) continue;
    // The first of two is the one that counts.
    if (tag.attributes & (1 << number)) return;
    tag.attributes |= 1 << number;
    tag.from[number] = from;
    tag.to[number] = to;
    if (number === mediaAsset || (number <= lastUrl && mayName(bytes, from, to))) {
      tag.mayName = true;
    }
    return;
  }
  if (isLong) noteUnread(tag, bytes, nameFrom, nameTo, from, to);
}

function noteUnread(
  tag: Tag,
  bytes: Uint8Array,
  nameFrom: number,
  nameTo: number,
  from: number,
  to: number,
): void {
  for (const name of wordsSpelled) {
    if (name.length === nameTo - nameFrom && isSpelled(name, bytes, nameFrom)) return;
  }
  if (!holdsWord(bytes, from, to)) return;
  tag.unread.push({ nameFrom, nameTo, from, to });
  tag.mayName = true;
}

function isSpelled(name: Uint8Array, bytes: Uint8Array, from: number): boolean {
  for (let index = 0; index < name.length; index += 1) {
    if (name[index] !== lower(bytes[from + index] as number)) return false;
  }
  return true;
}

const folder = new TextEncoder().encode('media-asset');
const download = new TextEncoder().encode('download');
/** First bytes of a slash, encoded or not. */
const slashes = new TextEncoder().encode('/\\%&');
/** Bytes in CSS that need a closer look. */
const ofCss = new Uint8Array(256);
for (const character of '\t@\\-w') ofCss[character.charCodeAt(0)] = 1;
/** Bytes after a backslash that can escape a letter, hyphen or slash, or join lines. */
const lettersEscape = /[-/0-9a-z\n\r\f]/i;

/**
 * Whether a value may contain an asset URL: one of its words, or something that can hide one (an
 * entity, an escape, a line break).
 */
function mayName(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] as number;
    if (byte === 38 || byte === 92 || byte < 14) return true;
    if (isAssetWord(bytes, at, byte, from)) return true;
  }
  return false;
}

/** Whether bytes contain a word of an asset URL, or an entity that can be a letter (`&#109;`). */
function holdsWord(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] as number;
    if (byte === 38 && bytes[at + 1] === 35) return true;
    if (isAssetWord(bytes, at, byte, from)) return true;
  }
  return false;
}

/** The last scripts and stylesheets without asset URLs. A site's pages repeat them. */
const harmless: Buffer[] = Array.from({ length: 16 }, () => Buffer.alloc(0));
let oldest = 0;

/**
 * Whether a script or stylesheet may contain an asset URL. A stylesheet with an import counts too.
 */
export function textMayName(bytes: Buffer, from: number, to: number, isCss: boolean): boolean {
  if (harmless.some((known) => isSameBytes(known, bytes, from, to))) return false;
  if ((isCss ? readCss : holdsWord)(bytes, from, to)) return true;
  harmless[oldest] = Buffer.from(bytes.subarray(from, to));
  oldest = (oldest + 1) % harmless.length;
  return false;
}

function readCss(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] as number;
    if (ofCss[byte] === 0) continue;
    if (byte === 9 || isAssetWord(bytes, at, byte, from)) return true;
    if (byte !== 64 && byte !== 92) continue;
    const next = String.fromCharCode(bytes[at + 1] as number);
    if (byte === 64 ? next === 'i' || next === 'I' : lettersEscape.test(next)) return true;
  }
  return false;
}

/**
 * Whether a byte is the hyphen of `media-asset/` (the slash in any form) or the w of `download`. The
 * slash matters because our own styles name attributes such as `data-media-asset`.
 */
function isAssetWord(bytes: Uint8Array, at: number, byte: number, from: number): boolean {
  if (byte === 45 && bytes[at + 1] === 97 && stands(folder, bytes, at - 5, from)) {
    return slashes.includes(bytes[at + 6] as number);
  }
  return byte === 119 && stands(download, bytes, at - 2, from);
}

function stands(word: Uint8Array, bytes: Uint8Array, at: number, from: number): boolean {
  if (at < from) return false;
  for (let index = 0; index < word.length; index += 1) {
    if (bytes[at + index] !== word[index]) return false;
  }
  return true;
}
