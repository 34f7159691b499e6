import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';
import type { Properties } from 'hast';
import { find, html, svg } from 'property-information';
import { mayNameAsset } from '../extract/asset-url.ts';
import type { PageElement } from './page-element.ts';

/** An attribute as pages usually write it: its name, and its value in quotes or without. */
const attribute =
  /[\t\n\f /]+([^\t\n\f "'<>/=]+)(?:[\t\n\f ]*=[\t\n\f ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f "'<>`]+(?=[\t\n\f >]|$))))?/g;

/** What follows the name in a start tag, as pages usually write it. */
const startTagEnd = new RegExp(
  String.raw`(?:${attribute.source.replaceAll(/\((?!\?)/g, '(?:')})*[\t\n\f ]*\/?>`,
  'y',
);
const endTagEnd = /[\t\n\f ]*>/y;
const tagStart = /<\/?[a-z]/iy;
const nameEnd = /[\t\n\f />]/g;

/** They change how a parser reads everything after them. */
const farReaching = named('base frame frameset noembed noframes plaintext xmp');

/** In these, a parser moves or drops tags, reads them differently, or they don't count as live. */
const delicate = named('math noscript select svg table template');

/** A parser drops these tags in some places. */
const droppable = named(
  'body caption col colgroup form head html noscript select tbody td tfoot th thead tr',
);

/** A parser drops all other tags in a `select`. */
const ofSelect = named('optgroup option select');

/** They have no end tag in HTML. */
const empty = named(
  'area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr',
);

/** In SVG and MathML, these end it, contain HTML, or have another meaning. */
const notForeign = named(
  'annotation-xml astro-island b base big blockquote body br center code dd desc div dl dt em embed font foreignobject h1 h2 h3 h4 h5 h6 head hr i iframe img li link listing menu meta nobr noscript ol p pre ruby s script small span strike strong style sub sup table template textarea tt u ul var',
);

/** In SVG and MathML, these contain text, and HTML elements. */
const foreignText = named('mi mn mo ms mtext title');

/** They say more than the URLs in their attributes. */
const telling = named('astro-island link meta script style title');
const tellingAttributes = named('content data-media-asset href http-equiv props rel srcdoc type');

/** They contain text up to their end tag. */
const textEnds: ReadonlyMap<string, RegExp> = new Map(
  ['iframe', 'script', 'style', 'textarea', 'title'].map((name) => [
    name,
    new RegExp(String.raw`<\/${name}(?=[\t\n\f />])`, 'gi'),
  ]),
);

/** All others matter only if they name an asset, or in a delicate element. */
const special = new Set([...farReaching, ...delicate, ...telling, ...textEnds.keys()]);

/** SVG or MathML, with the number of open elements around it. */
interface Foreign {
  readonly name: string;
  readonly depth: number;
}

/**
 * The elements of a page that the scan needs, in page order. All others name no asset and don't
 * affect the page's name or URL. `undefined` if tags alone don't decide which elements a
 * parser finds, or which title and `meta` it finds first.
 */
export function readTags(page: string): PageElement[] | undefined {
  const text = page.includes('\r') ? page.replace(/\r\n?/g, '\n') : page;
  const found: PageElement[] = [];
  /** The open elements, from the outermost delicate one. */
  const open: string[] = [];
  let foreign: Foreign | undefined;
  let isTitled = false;

  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const from = endOf(tagStart, text, at) - 1;
    if (from < 0) {
      at = otherEnd(text, at);
      if (at < 0) return undefined;
      continue;
    }
    const isEndTag = from === at + 2;
    const to = endOf(nameEnd, text, from) - 1;
    at = endOf(isEndTag ? endTagEnd : startTagEnd, text, to);
    if (to < 0 || at < 0) return undefined;
    if (isEndTag) {
      if (open.length === 0) continue;
      if (open.pop() !== text.slice(from, to).toLowerCase()) return undefined;
      if (foreign?.depth === open.length) foreign = undefined;
      continue;
    }

    const name = text.slice(from, to).toLowerCase();
    const written = text.slice(to, at - 1);
    const mayName = written !== '' && mayNameAsset.test(written);
    if (open.length === 0 && !mayName && !special.has(name)) continue;
    const parent = open.at(-1);
    if (farReaching.has(name) || (mayName && droppable.has(name))) return undefined;
    if (parent && !mayStandIn(name, { parent, foreign, isTitled })) return undefined;

    let content = '';
    const textEnd = foreign ? undefined : textEnds.get(name);
    if (textEnd) {
      const end = endOf(textEnd, text, at);
      if (end < 0) return undefined;
      content = text.slice(at, end - `</${name}`.length);
      at = end - `</${name}`.length;
      // In a script, a comment can contain an end tag.
      if (name === 'script' && content.includes('<!--')) return undefined;
      if (name === 'title') content = decodeHTML(content);
    }
    if (mayName || (!foreign && telling.has(name))) {
      const inSvg = name === 'svg' || foreign?.name === 'svg';
      const properties = readAttributes(written, inSvg);
      if (properties.srcDoc !== undefined) return undefined;
      // Its place decides whether it counts.
      if (name === 'meta' && parent && properties.httpEquiv !== undefined) return undefined;
      const children = content === '' ? [] : [{ type: 'text' as const, value: content }];
      const element = { type: 'element' as const, tagName: name, properties, children };
      found.push({ element, live: open.length === 0, inSvg: foreign?.name === 'svg' });
    }
    if (name === 'title' && !isTitled) {
      // An empty title isn't the page's name, and neither is a second one.
      if (content.trim() === '') return undefined;
      isTitled = true;
    }

    if (!parent && !delicate.has(name)) continue;
    if (name === 'svg' || name === 'math') foreign ??= { name, depth: open.length };
    const isEmpty = foreign ? written.replace(attribute, '').endsWith('/') : empty.has(name);
    if (!isEmpty) open.push(name);
    else if (foreign?.depth === open.length) foreign = undefined;
  }
  return isTitled && open.length === 0 ? found : undefined;
}

/** Whether a parser makes an element of a tag in a delicate element. */
function mayStandIn(
  name: string,
  place: { parent: string; foreign?: Foreign | undefined; isTitled: boolean },
): boolean {
  const { parent, foreign, isTitled } = place;
  if (name === 'title' && !isTitled) return false;
  if (foreign) {
    const isRoot = name === 'svg' || name === 'math';
    if (isRoot ? name !== foreign.name : notForeign.has(name)) return false;
    return !foreignText.has(parent);
  }
  if (ofSelect.has(parent)) return name !== 'select' && ofSelect.has(name);
  // In a template, everything after it is dropped.
  return name !== 'col' || parent === 'colgroup';
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

/** The attributes that the scan reads, as `rehype-parse` names them. */
function readAttributes(written: string, inSvg: boolean): Properties {
  const properties: Properties = {};
  const names = new Set<string>();
  attribute.lastIndex = 0;
  for (let match = attribute.exec(written); match; match = attribute.exec(written)) {
    const [, given = '', double, single, bare] = match;
    const name = given.toLowerCase();
    const value = double ?? single ?? bare ?? '';
    // The first of two counts.
    if (names.has(name)) continue;
    names.add(name);
    if (!tellingAttributes.has(name) && !mayNameAsset.test(value)) continue;
    const { property, spaceSeparated } = findAttribute(name, inSvg);
    const decoded = decodeHTMLAttribute(value);
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
