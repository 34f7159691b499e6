import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';
import type { Element, Properties } from 'hast';
import { OpenElements } from './open-elements.ts';
import { declarationEnd, has, isAllBlank, isLetter, nextMarkup, rawTextEnd } from './page-bytes.ts';
import { type PageElement, textOf } from './page-element.ts';
import {
  type AttributeName,
  attributeBit,
  attributeNames,
  attributeNumber,
  createTag,
  readTag,
  type Tag,
  textMayName,
} from './read-tag.ts';
import { RepeatedParts } from './repeated-parts.ts';
import { RAW, READ, REPEATED, tagFlags, tagNames, tagNumber, tagNumberOf } from './tag-rules.ts';

const island = tagNumberOf('astro-island');
const link = tagNumberOf('link');
const meta = tagNumberOf('meta');
const script = tagNumberOf('script');
const style = tagNumberOf('style');
const svg = tagNumberOf('svg');
const title = tagNumberOf('title');

const aboutPage = attributeBit('charSet') | attributeBit('httpEquiv');
const ofType = attributeBit('type');
const props = attributeBit('props');
const srcDoc = attributeBit('srcDoc');
/** In SVG, hast has other names for these. */
const notInSvg =
  attributeBit('srcSet') |
  attributeBit('imageSrcSet') |
  attributeBit('charSet') |
  attributeBit('httpEquiv');
const rel = attributeNumber('rel');
const type = attributeNumber('type');

const slash = 0x2f;
const exclamation = 0x21;
const question = 0x3f;
const plus = 0x2b;
const ampersand = 0x26;

// Reused for each page, because one page is read at a time.
const open = new OpenElements();
/** Parts that several pages share are read once. */
const repeated = new RepeatedParts();
const tag = createTag();

/**
 * The elements of a plain page that the scan needs, in page order. All others name no asset and don't
 * affect the page's name, URL or charset.
 *
 * A page is plain if its tags alone decide its tree. `undefined` for all other pages, which
 * `handOverToParser` in `read-page.ts` lists.
 *
 * @param bytes UTF-8, without NUL
 */
export function plainElements(bytes: Buffer): PageElement[] | undefined {
  const found: PageElement[] = [];
  open.begin(bytes);
  repeated.beginPage();
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  let isNamed = false;
  let at = hasMark ? 3 : 0;

  for (;;) {
    const next = nextMarkup(bytes, at);
    if (open.minds && !isAllBlank(bytes, at, next) && !open.text()) return undefined;
    if (next === bytes.length) break;

    const kind = bytes[next + 1] as number;
    if (kind === slash) {
      at = open.end(next + 2);
      if (at < 0) return undefined;
      if (open.depth < repeated.depth) {
        repeated.end(bytes, { endName: next + 2, to: at, found: found.length });
      }
      continue;
    }
    if (!isLetter(kind)) {
      at = kind === exclamation ? declarationEnd(bytes, next) : lessThanEnd(bytes, next, open);
      if (at < 0) return undefined;
      continue;
    }
    if (!readTag(bytes, next + 1, tag)) return undefined;
    const number = tagNumber(bytes, tag.nameFrom, tag.nameTo);
    const { live, inSvg } = open;
    if (!open.start(number, tag)) return undefined;
    const isForeign = open.inForeign || number === svg;
    if (tag.attributes & (isForeign ? notInSvg | srcDoc : srcDoc)) return undefined;
    // An SVG's title isn't the page's, so the page's has to come first.
    if (isForeign && number === title && !isNamed) return undefined;

    at = tag.end;
    const isRaw = !isForeign && ((tagFlags[number] as number) & RAW) !== 0;
    const textEnd = isRaw ? rawTextEnd(bytes, tag, number === script) : at;
    if (textEnd < 0) return undefined;
    if (tag.mayName || (!isForeign && saysMore(bytes, tag, number, textEnd))) {
      if (tag.unread.some(({ nameFrom, nameTo }) => mayRepeat(bytes, tag, nameFrom, nameTo))) {
        return undefined;
      }
      const element = toElement(bytes, tag, number, textEnd);
      found.push({ element, live, inSvg });
      if (number === title && live && !isNamed) {
        // An empty title isn't the name, and neither is a second title.
        if (textOf(element).trim() === '') return undefined;
        isNamed = true;
      }
    }
    if ((tagFlags[number] as number) & REPEATED && isNamed && open.isFree) {
      const { depth } = open;
      const endName = repeated.find(bytes, next, depth);
      if (endName < 0) repeated.begin({ from: next, depth, found: found.length });
      else at = open.end(endName);
      continue;
    }
    if (!isRaw) continue;
    if (!readTag(bytes, textEnd + 2, tag)) return undefined;
    at = tag.end;
  }
  return isNamed && open.mayEnd ? found : undefined;
}

/** Whether the scan needs an element although its attributes name no asset. */
function saysMore(bytes: Buffer, tag: Tag, number: number, textEnd: number): boolean {
  if (((tagFlags[number] as number) & READ) === 0) return false;
  switch (number) {
    case title:
      return true;
    case style:
      return textMayName(bytes, tag.end, textEnd, true);
    case meta:
      return (tag.attributes & aboutPage) !== 0;
    case island:
      return (tag.attributes & props) !== 0;
    case link:
      return (tag.to[rel] as number) - (tag.from[rel] as number) >= 'stylesheet'.length;
    default:
      return (
        ((tag.attributes & ofType) !== 0 && mayBeJsonLd(bytes, tag)) ||
        textMayName(bytes, tag.end, textEnd, false)
      );
  }
}

/** Whether a script's type contains a plus, or an entity that can be one. */
function mayBeJsonLd(bytes: Buffer, tag: Tag): boolean {
  const from = tag.from[type] as number;
  const to = tag.to[type] as number;
  return has(bytes, plus, from, to) || has(bytes, ampersand, from, to);
}

/** The position after a `<` that's text. -1 if it isn't text, or if text isn't plain here. */
function lessThanEnd(bytes: Uint8Array, at: number, open: OpenElements): number {
  if (bytes[at + 1] === question) return -1;
  return !open.minds || open.text() ? at + 1 : -1;
}

/** A tag's element like rehype's, with its text and the attributes that the scan needs. */
function toElement(bytes: Buffer, tag: Tag, number: number, textEnd: number): Element {
  const properties: Properties = {};
  for (let index = 0; tag.attributes >> index !== 0; index += 1) {
    if ((tag.attributes & (1 << index)) === 0) continue;
    const name = attributeNames[index] as AttributeName;
    const value = decode(
      bytes,
      tag.from[index] as number,
      tag.to[index] as number,
      decodeHTMLAttribute,
    );
    if (name === 'rel' || name === 'httpEquiv') properties[name] = words(value);
    else properties[name] = value;
  }
  for (const { nameFrom, nameTo, from, to } of tag.unread) {
    properties[nameOf(bytes, nameFrom, nameTo)] = decode(bytes, from, to, decodeHTMLAttribute);
  }
  const value = decode(bytes, tag.end, textEnd, number === title ? decodeHTML : asWritten);
  const tagName = tagNames[number] || nameOf(bytes, tag.nameFrom, tag.nameTo);
  return {
    type: 'element',
    tagName,
    properties,
    children: value === '' ? [] : [{ type: 'text', value }],
  };
}

function decode(
  bytes: Buffer,
  from: number,
  to: number,
  decodeEntities: (text: string) => string,
): string {
  const text = bytes.toString('utf8', from, to);
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  return lines.includes('&') ? decodeEntities(lines) : lines;
}

function asWritten(text: string): string {
  return text;
}

function nameOf(bytes: Buffer, from: number, to: number): string {
  return bytes.toString('utf8', from, to).toLowerCase();
}

/** Whether an attribute's name may occur earlier in the tag. The first one counts. */
function mayRepeat(bytes: Buffer, tag: Tag, nameFrom: number, nameTo: number): boolean {
  return nameOf(bytes, tag.nameTo, nameFrom).includes(nameOf(bytes, nameFrom, nameTo));
}

/** Splits words like hast. */
function words(value: string): string[] {
  const text = value.trim();
  return text === '' ? [] : text.split(/[ \t\n\r\f]+/);
}
