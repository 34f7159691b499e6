import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';
import type { Properties } from 'hast';
import { find, html, svg } from 'property-information';
import { mayNameAsset } from '../extract/asset-url.ts';
import type { PageElement } from './page-element.ts';

/** An attribute as pages usually write it: its name, and its value in quotes or without. */
const attribute =
  /[\t\n\f\r /]+([^\t\n\f\r "'<>/=]+)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r "'<>`]+(?=[\t\n\f\r >]|$))))?/gy;

/** What follows the name in a start tag, as pages usually write it. */
const startTagEnd = new RegExp(
  String.raw`(?:${attribute.source.replaceAll(/\((?!\?)/g, '(?:')})*[\t\n\f\r ]*\/?>`,
  'y',
);
const endTagEnd = /[^\t\n\f\r />]*[\t\n\f\r ]*>/y;
/** As a parser has it. */
const withLineFeeds = (text: string) => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);
const nameEnd = /[\t\n\f\r />]/g;

/** They change how a parser reads everything after them. */
const farReaching = named('base frame frameset noembed noframes plaintext xmp');

/** In these, a parser moves or drops tags, reads them differently, or they don't count as live. */
const delicate = named('math noscript svg table template');

/** A parser drops these tags in some places. */
const droppable = named(
  'body caption col colgroup form head html noscript tbody td tfoot th thead tr',
);

/** They have no end tag in HTML. */
const empty = named(
  'area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr',
);

const foreign = named('math svg');

/** In SVG and MathML, other tags can end it, contain HTML, or have another meaning. */
const drawing =
  /^(?:animate\w*|annotation|circle|clippath|defs|ellipse|fe\w+|filter|g|image|line|lineargradient|m(?:frac|over|padded|phantom|root|row|space|sqrt|style|sub|subsup|sup|table|td|tr|under|underover)|marker|mask|path|pattern|polygon|polyline|radialgradient|rect|semantics|set|stop|switch|symbol|text|textpath|tspan|use)$/;

/** There, these contain text, and HTML elements. */
const foreignText = named('mi mn mo ms mtext title');

/** They say more than the URLs in their attributes. */
const telling = named('astro-island h1 html link meta script style title');
const tellingAttributes = named('as content href http-equiv lang onload props rel srcdoc type');

/** They contain text up to their end tag. */
const textEnds: ReadonlyMap<string, RegExp> = new Map(
  ['iframe', 'script', 'style', 'textarea', 'title'].map((name) => [
    name,
    new RegExp(String.raw`<\/${name}(?=[\t\n\f\r />])`, 'gi'),
  ]),
);

/** In a heading, they leave its text as it is. */
const inHeading =
  /<\/?(?:abbr|b|code|em|i|kbd|mark|q|s|small|span|strong|sub|sup|u|wbr)(?:[\t\n\f\r ](?:[^<>"']|"[^"<]*"|'[^'<]*')*)?>/gi;

/** All others matter only if they name an asset, or in a delicate element. */
const special = new Set([...farReaching, ...delicate, ...telling, ...textEnds.keys()]);

/**
 * The elements of a page that the scan needs, in page order. All others name no asset and don't
 * affect the page's name or URL. `undefined` if tags alone don't decide which elements a
 * parser finds, or which title and `meta` it finds first.
 */
export function readTags(text: string): PageElement[] | undefined {
  const found: PageElement[] = [];
  /** The open elements, from the outermost delicate one. */
  const open: string[] = [];
  let isTitled = false;
  /** The text of the first `h1`; `undefined` if tags alone don't decide it. */
  let heading: string | undefined = '';

  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const isEndTag = text[at + 1] === '/';
    const from = at + (isEndTag ? 2 : 1);
    const parent = open.at(-1);
    const letter = text.charCodeAt(from) | 0x20;
    const isTag = letter >= 0x61 && letter <= 0x7a;
    if (!isTag || (isEndTag && !parent)) {
      at = isTag ? endOf(endTagEnd, text, from) : otherEnd(text, at);
      if (at < 0) return undefined;
      continue;
    }
    const to = endOf(nameEnd, text, from) - 1;
    at = endOf(isEndTag ? endTagEnd : startTagEnd, text, to);
    if (to < 0 || at < 0) return undefined;
    const name = text.slice(from, to).toLowerCase();
    const isForeign = parent !== undefined && foreign.has(parent);
    const isDrawn = isForeign && (drawing.test(name) || foreignText.has(name));
    if (isEndTag) {
      if (!isDrawn && open.pop() !== name) return undefined;
      continue;
    }

    const written = text.slice(to, at - 1);
    const mayName = written !== '' && mayNameAsset.test(written);
    if (open.length === 0 && !mayName && !special.has(name)) continue;
    if (farReaching.has(name) || (mayName && droppable.has(name))) return undefined;
    if (isForeign) {
      const hasTags = () => !text.startsWith(`</${name}`, text.indexOf('<', at));
      if (mayName || !isDrawn || (foreignText.has(name) && hasTags())) return undefined;
      continue;
    }
    // In a template, everything after it is dropped.
    if (parent && name === 'col' && parent !== 'colgroup') return undefined;
    if (parent && name === 'title' && !isTitled) return undefined;

    const tag = [from - 1, at] as const;
    let content = '';
    const textEnd = textEnds.get(name);
    if (textEnd) {
      const end = endOf(textEnd, text, at);
      if (end < 0) return undefined;
      content = withLineFeeds(text.slice(at, end - `</${name}`.length));
      at = end - `</${name}`.length;
      // In a script, a comment can contain an end tag.
      if (name === 'script' && content.includes('<!--')) return undefined;
      if (name === 'title') content = decodeHTML(content);
    }
    if (name === 'h1' && heading === '') {
      heading = parent ? undefined : headingText(text, at);
      content = heading ?? '';
    }
    if (mayName || telling.has(name)) {
      const properties = readAttributes(written, name === 'svg');
      if (properties.srcDoc !== undefined) return undefined;
      // Its place decides whether it counts.
      if (name === 'meta' && parent && properties.httpEquiv !== undefined) return undefined;
      const children = content === '' ? [] : [{ type: 'text' as const, value: content }];
      const element = { type: 'element' as const, tagName: name, properties, children };
      found.push({ element, at: tag, live: open.length === 0, inSvg: false });
    }
    if (name === 'title' && !isTitled) {
      // An empty title isn't the page's name, and neither is a second one.
      if (content.trim() === '') return undefined;
      isTitled = true;
    }

    if (!parent && !delicate.has(name)) continue;
    const isEmpty = foreign.has(name)
      ? written.replace(attribute, '').endsWith('/')
      : empty.has(name);
    if (!isEmpty) open.push(name);
  }
  return (isTitled || heading !== undefined) && open.length === 0 ? found : undefined;
}

function headingText(text: string, at: number): string | undefined {
  const end = text.indexOf('</h1>', at);
  const parts = text.slice(at, end).split(inHeading);
  const isText = end > 0 && !parts.some((part) => part.includes('<'));
  return isText ? withLineFeeds(parts.map((part) => decodeHTML(part)).join('')) : undefined;
}

/** The position after a comment, a doctype, or a `<` that's text. -1 for anything else. */
function otherEnd(text: string, at: number): number {
  // A parser makes a comment of it: `</ >`, or nothing: `</>`.
  if (text[at + 1] === '/') return text.indexOf('>', at + 2);
  if (/[!?]/.test(text[at + 1] ?? '')) {
    const isComment = text.startsWith('<!--', at);
    if (!isComment && !/^<!doctype/i.test(text.slice(at, at + 9))) return -1;
    // `<!-->` is a comment.
    const end = text.indexOf(isComment ? '-->' : '>', at + 2);
    if (end < 0 || (isComment && text.slice(at, end).includes('--!>'))) return -1;
    return end;
  }
  return at + 1;
}

/** The position after a match from `at`. -1 if there's none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** What a start tag has behind its name: lower-case names and values, as written. The first of two counts. */
export function tagAttributes(written: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  attribute.lastIndex = 0;
  for (let match = attribute.exec(written); match; match = attribute.exec(written)) {
    const [, given = '', double, single, bare] = match;
    const name = given.toLowerCase();
    if (!found.has(name)) found.set(name, double ?? single ?? bare ?? '');
  }
  return found;
}

/** The attributes that the scan reads, as `rehype-parse` names them. */
function readAttributes(written: string, inSvg: boolean): Properties {
  const properties: Properties = {};
  for (const [name, value] of tagAttributes(written)) {
    const isTelling = tellingAttributes.has(name) || name.startsWith('data-media-asset');
    if (!isTelling && !mayNameAsset.test(value)) continue;
    const { property, spaceSeparated } = findAttribute(name, inSvg);
    const decoded = decodeHTMLAttribute(withLineFeeds(value));
    properties[property] = spaceSeparated
      ? decoded.split(/[\t\n\f\r ]+/).filter((word) => word !== '')
      : decoded;
  }
  return properties;
}

const known = { html: new Map<string, Attribute>(), svg: new Map<string, Attribute>() };
type Attribute = ReturnType<typeof find>;

/** What the standard says of an attribute. Keeps the usual ones: a search takes as long as a tag. */
function findAttribute(name: string, inSvg: boolean): Attribute {
  const names = inSvg ? known.svg : known.html;
  const found = names.get(name) ?? find(inSvg ? svg : html, name);
  if (names.size < 100) names.set(name, found);
  return found;
}

function named(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}
