import type { Element } from 'hast';
import { idOfPlainSrcset } from '../../assets/formats/rendition-url.ts';
import { attribute, textOf, words } from '../read/page-element.ts';
import { cssUrls } from './css-urls.ts';

/** All others can name assets that browsers don't show. `alt` and so on have words, not URLs. */
const readAttributes = new Set(
  'alt ariaLabel background className content d data dataMediaAsset href httpEquiv imageSrcSet poster props rel sizes src srcDoc srcSet style title type xLinkHref'.split(
    ' ',
  ),
);

const urlAttributes = new Set('background content data href poster src xLinkHref'.split(' '));

/** A stylesheet without any of these names no asset: reading it takes longer than a page's tags. */
const mayNameInCss = /media-asset[/\\%&]|download|@[iI]|\t|\\[-/\da-zA-Z\n\r\f]/;

/** A `srcset` without any of these is a single URL. */
const separators = /[\t\n\f\r ,]/;

/** Collects the URLs in an element's attributes, and in the text of styles and JSON-LD, as written. */
export function elementUrls(element: Element) {
  const { tagName } = element;
  const urls: string[] = [];
  /** Asset IDs of `srcset`s that were read as a whole. Their URLs aren't in `urls`. */
  const ids: number[] = [];
  /** Attributes, scripts and broken JSON, which browsers don't show, with their text. */
  const unread: { where: string; text: string }[] = [];
  for (const name in element.properties) {
    if (!readAttributes.has(name))
      unread.push({ where: spelled(name), text: String(element.properties[name]) });
    else readAttribute(element, name, { urls, ids });
  }
  const named = { urls, ids, stylesheets: [] as string[], unread };
  if (tagName === 'style') {
    const text = textOf(element);
    if (!mayNameInCss.test(text)) return named;
    const css = cssUrls(text);
    return { ...named, urls: [...urls, ...css.urls], stylesheets: css.imports };
  }
  if (tagName === 'link' && words(element, 'rel').includes('stylesheet')) {
    const href = attribute(element, 'href');
    return href === undefined ? named : { ...named, stylesheets: [href] };
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

/** Collects the URLs of one attribute. `name` is hast's property name. */
function readAttribute(
  element: Element,
  name: string,
  { urls, ids }: { urls: string[]; ids: number[] },
): void {
  const value = attribute(element, name);
  if (!value) return;
  if (urlAttributes.has(name)) urls.push(value);
  else if (name === 'style') urls.push(...cssUrls(value).urls);
  else if (name === 'srcSet' || name === 'imageSrcSet') {
    // Most name one asset, which a single match finds.
    const id = idOfPlainSrcset(value);
    if (id === undefined) urls.push(...srcsetUrls(value));
    else ids.push(id);
  }
}

/** The attribute's name in HTML: `data-src` for hast's `dataSrc`. */
function spelled(name: string): string {
  if (!/^(?:data|aria)[A-Z]/.test(name)) return name.toLowerCase();
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** An element's JSON, and what to call it if it's broken. */
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
function jsonStrings(text: string): string[] | undefined {
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

/**
 * The URLs of a `srcset`, read as the HTML standard says: a URL ends at white space, or at its
 * trailing commas. Skips candidates with descriptors that browsers refuse.
 */
export function srcsetUrls(srcset: string): string[] {
  const urls: string[] = [];
  let rest = srcset;
  for (;;) {
    rest = rest.replace(/^[\t\n\f\r ,]+/, '');
    if (rest === '') return urls;
    const end = rest.search(blank);
    const word = end === -1 ? rest : rest.slice(0, end);
    rest = rest.slice(word.length);
    if (word.endsWith(',')) {
      urls.push(word.replace(/,+$/, ''));
      continue;
    }
    const text = descriptorText(rest);
    rest = rest.slice(text.length + 1);
    if (isAccepted(text.split(/[\t\n\f\r ]+/).filter((token) => token !== ''))) urls.push(word);
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
  if (kind === 'x') return /^(?:\d*\.)?\d+(?:[eE][+-]?\d+)?$/.test(value) ? kind : '?';
  return '?';
}
