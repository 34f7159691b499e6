import type { Element } from 'hast';
import { find, html } from 'property-information';
import { idOfPlainSrcset } from '../../assets/formats/rendition-url.ts';
import { attribute, textOf, words } from '../read/page-element.ts';
import { cssUrls } from './css-urls.ts';

/** What attributes hold, by hast's names. All others can name assets that browsers don't show. */
const contents = new Map(
  Object.entries({
    words: 'alt ariaLabel className d dataMediaAsset httpEquiv props rel sizes srcDoc title type',
    url: 'background content data href poster src xLinkHref',
    urls: 'imageSrcSet srcSet',
    css: 'clipPath cursor fill filter markerEnd markerMid markerStart mask stroke style',
  }).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind])),
);

/** CSS without any of these names no asset: reading it takes longer than a page's tags. */
const mayNameInCss =
  /media-asset[/\\%&]|-[\da-f]{16}-|download|@[iI]|\t|\\[-/\da-zA-Z\n\r\f]|%(?:2[dDeE]|3\d|[4-7])/;

/** What `String()` makes of an object: a whole URL, or the end of one. */
const objectUrl = /(?:^|[/,("'])\s*\[object(?: |%20)Object\](?:[\s,?#)"']|$)/;

/** A `srcset` without any of these is a single URL. */
const separators = /[\t\n\f\r ,]/;

/** Their drawings show images. An `<img>` shows none of its drawing's. */
const embedding = /^(?:embed|i?frame|object|use)$/;
const drawing = /\.svg\s*(?:[?#]|$)/i;

/** Collects the URLs in an element's attributes, and in the text of styles and JSON-LD, as written. */
export function elementUrls(element: Element, isOwn = (_: string) => true) {
  const { tagName } = element;
  const urls: string[] = [];
  /** Asset IDs of `srcset`s that were read as a whole. Their URLs aren't in `urls`. */
  const ids: number[] = [];
  /** Attributes, scripts and broken JSON, which browsers don't show, with their text. */
  const unread: { where: string; text: string }[] = [];
  /** Attributes with an object instead of a URL. */
  const objects: string[] = [];
  for (const name in element.properties) {
    const kind = contents.get(name);
    const value = attribute(element, name) ?? '';
    const where = () => find(html, name).attribute;
    if (kind === undefined) unread.push({ where: where(), text: `${element.properties[name]}` });
    else if (kind !== 'words' && value.includes('[object') && objectUrl.test(value))
      objects.push(where());
    // Most name one asset, which a single match finds.
    const id = kind === 'urls' && isOwn(value) ? idOfPlainSrcset(value) : undefined;
    if (id !== undefined) ids.push(id);
    else if (kind === 'urls') urls.push(...srcsetUrls(value));
    else if (kind === 'url') urls.push(value);
    else if (kind === 'css' && mayNameInCss.test(value)) urls.push(...cssUrls(value).urls);
  }
  const drawings = embedding.test(tagName) ? urls.filter((url) => drawing.test(url)) : [];
  const named = { urls, ids, imports: drawings, unread, objects };
  if (tagName === 'style') {
    const text = textOf(element);
    if (!mayNameInCss.test(text)) return named;
    const css = cssUrls(text);
    return { ...named, urls: [...urls, ...css.urls], imports: css.imports };
  }
  if (tagName === 'link') {
    const rel = words(element, 'rel');
    const href = attribute(element, 'href');
    // Its `onload` applies a stylesheet that was fetched ahead.
    const isStyle = rel.includes('stylesheet') || element.properties.onLoad !== undefined;
    return isStyle && href !== undefined ? { ...named, imports: [href] } : named;
  }
  const json = elementJson(element);
  if (!json) {
    if (tagName === 'script') unread.push({ where: 'an inline script', text: textOf(element) });
    return named;
  }
  const strings = jsonStrings(json.text);
  if (!strings) {
    unread.push(json);
    return named;
  }
  // A string is a URL, or a whole `srcset`.
  const inJson = strings.flatMap((text) =>
    separators.test(text) ? [text, ...srcsetUrls(text)] : text,
  );
  return { ...named, urls: [...urls, ...inJson] };
}

function elementJson(element: Element): { where: string; text: string } | undefined {
  if (element.tagName === 'astro-island') {
    const text = attribute(element, 'props');
    return text === undefined ? undefined : { where: 'broken props of an island', text };
  }
  const type = element.tagName === 'script' ? attribute(element, 'type') : undefined;
  if (type?.split(';')[0]?.trim().toLowerCase() !== 'application/ld+json') return undefined;
  return { where: 'broken JSON-LD', text: textOf(element) };
}

/** All string values in JSON, at any depth. `undefined` if the text isn't JSON. */
export function jsonStrings(text: string): string[] | undefined {
  const rest: unknown[] = [];
  try {
    rest.push(JSON.parse(text));
  } catch {
    return undefined;
  }
  const strings: string[] = [];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value === 'string') strings.push(value);
    else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value)) rest.push(inner);
    }
  }
  return strings;
}

const blank = /[\t\n\f\r ]/;

/** The URLs of a `srcset` as the HTML standard reads it, without those that browsers refuse. */
export function srcsetUrls(srcset: string): string[] {
  const found: string[] = [];
  let rest = srcset;
  for (;;) {
    rest = rest.replace(/^[\t\n\f\r ,]+/, '');
    if (rest === '') return found;
    const end = rest.search(blank);
    const word = end === -1 ? rest : rest.slice(0, end);
    rest = rest.slice(word.length);
    if (word.endsWith(',')) {
      found.push(word.replace(/(?<!,),+$/, ''));
      continue;
    }
    const text = descriptorText(rest);
    rest = rest.slice(text.length + 1);
    const descriptors = text.split(/[\t\n\f\r ]+/).filter((token) => token !== '');
    if (isAccepted(descriptors)) found.push(word);
  }
}

/** The text up to the next comma outside parentheses. */
function descriptorText(text: string): string {
  let open = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '(') open = true;
    else if (character === ')') open = false;
    else if (character === ',' && !open) return text.slice(0, index);
  }
  return text;
}

function isAccepted(descriptors: readonly string[]): boolean {
  const kinds = descriptors.map(kindOf).sort().join('');
  return ['', 'w', 'x', 'hw'].includes(kinds);
}

/** `w`, `h` or `x`. `?` makes the candidate invalid. */
function kindOf(descriptor: string): string {
  const kind = descriptor.at(-1) ?? '';
  const value = descriptor.slice(0, -1);
  if (kind === 'w' || kind === 'h') return /^0*[1-9]\d*$/.test(value) ? kind : '?';
  if (kind !== 'x' || !/^-?(?:\d*\.)?\d+(?:[eE][+-]?\d+)?$/.test(value)) return '?';
  return Number(value) >= 0 ? kind : '?';
}
