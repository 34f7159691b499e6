import type { Element } from 'hast';
import { idOfPlainSrcset } from '../images/rendition-url.ts';
import { cssUrls } from './css-urls.ts';
import { jsonStrings } from './json-strings.ts';
import { attribute, textOf, words } from './page-element.ts';
import { srcsetUrls } from './srcset-urls.ts';

/** What one element names. */
export interface ElementUrls {
  /** URLs as written. */
  readonly urls: readonly string[];
  /** The assets of whole `srcset`s whose URLs are not among `urls`. */
  readonly ids: readonly number[];
  readonly stylesheets: readonly string[];
  /** What the element holds that should be JSON and is not. */
  readonly broken: string | undefined;
}

type Found = Pick<ElementUrls, 'urls' | 'ids'>;

const ofUrl = (url: string): Found => ({ urls: [url], ids: [] });

/** How each attribute names URLs, by the name that the parsed tree gives it. */
const readers = new Map<string, (value: string) => Found>([
  ['src', ofUrl],
  ['href', ofUrl],
  ['xLinkHref', ofUrl],
  ['poster', ofUrl],
  ['content', ofUrl],
  ['data', ofUrl],
  ['background', ofUrl],
  ['srcSet', readSrcset],
  ['imageSrcSet', readSrcset],
  ['style', (css) => ({ urls: cssUrls(css).urls, ids: [] })],
]);

/** Collects the URLs in an element's attributes and, for styles and data, in its text. */
export function elementUrls(element: Element): ElementUrls {
  const { tagName } = element;
  const urls: string[] = [];
  const ids: number[] = [];
  for (const name in element.properties) {
    const read = readers.get(name);
    const value = read && attribute(element, name);
    if (!value) continue;
    const found = read(value);
    urls.push(...found.urls);
    ids.push(...found.ids);
  }
  const named = { urls, ids, stylesheets: [], broken: undefined };
  if (tagName === 'style') {
    const css = cssUrls(textOf(element));
    return { ...named, urls: [...urls, ...css.urls], stylesheets: css.imports };
  }
  if (tagName === 'link' && words(element, 'rel').includes('stylesheet')) {
    const href = attribute(element, 'href');
    return href === undefined ? named : { ...named, stylesheets: [href] };
  }
  const json = elementJson(element);
  if (!json) return named;
  const strings = jsonStrings(json.text);
  // A string is a URL, or a whole srcset where a picture was handed on as data.
  const inJson = (strings ?? []).flatMap((text) => [text, ...srcsetUrls(text)]);
  return { ...named, urls: [...urls, ...inJson], broken: strings ? undefined : json.name };
}

/** Most name one asset: their URLs are read in one go. */
function readSrcset(srcset: string): Found {
  const id = idOfPlainSrcset(srcset);
  return id === undefined ? { urls: srcsetUrls(srcset), ids: [] } : { urls: [], ids: [id] };
}

function elementJson(element: Element): { name: string; text: string } | undefined {
  if (element.tagName === 'astro-island') {
    const text = attribute(element, 'props');
    return text === undefined ? undefined : { name: 'props of an island', text };
  }
  const type = element.tagName === 'script' ? attribute(element, 'type') : undefined;
  if (type?.split(';')[0]?.trim().toLowerCase() !== 'application/ld+json') return undefined;
  return { name: 'JSON-LD', text: textOf(element) };
}
