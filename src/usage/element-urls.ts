import type { Element } from 'hast';
import { cssUrls } from './css-urls.ts';
import { jsonStrings } from './json-strings.ts';
import { textOf } from './page-elements.ts';
import { srcsetUrls } from './srcset-urls.ts';

/** The URLs that one element names, as written. */
export interface ElementUrls {
  readonly urls: readonly string[];
  readonly stylesheets: readonly string[];
  /** What the element holds that should be JSON and is not. */
  readonly broken: string | undefined;
}

/** How each attribute names URLs, by the name that the parsed tree gives it. */
const readers = new Map<string, (value: string) => readonly string[]>([
  ...['src', 'href', 'xLinkHref', 'poster', 'content', 'data', 'background'].map(
    (name) => [name, (url: string) => [url]] as const,
  ),
  ['srcSet', srcsetUrls],
  ['imageSrcSet', srcsetUrls],
  ['style', (css) => cssUrls(css).urls],
]);

/** Collects the URLs in an element's attributes and, for styles and data, in its text. */
export function elementUrls(element: Element): ElementUrls {
  const { tagName } = element;
  const urls = Object.keys(element.properties).flatMap((name) => {
    const value = attribute(element, name);
    return (value && readers.get(name)?.(value)) || [];
  });
  if (tagName === 'style') {
    const css = cssUrls(textOf(element));
    return { urls: [...urls, ...css.urls], stylesheets: css.imports, broken: undefined };
  }
  if (tagName === 'link' && words(element, 'rel').includes('stylesheet')) {
    const href = attribute(element, 'href');
    return { urls, stylesheets: href === undefined ? [] : [href], broken: undefined };
  }
  const json = elementJson(element);
  if (!json) return { urls, stylesheets: [], broken: undefined };
  const strings = jsonStrings(json.text);
  return {
    // A string is a URL, or a whole srcset where a picture was handed on as data.
    urls: [...urls, ...(strings ?? []).flatMap((text) => [text, ...srcsetUrls(text)])],
    stylesheets: [],
    broken: strings ? undefined : json.name,
  };
}

/** An attribute's text; `undefined` where the element does not have it. */
export function attribute(element: Element, name: string): string | undefined {
  const value = element.properties[name];
  return typeof value === 'string' ? value : undefined;
}

/** The words of an attribute that holds a list of them, in lower case. */
export function words(element: Element, name: string): string[] {
  const value = element.properties[name];
  return Array.isArray(value) ? value.map((word) => String(word).toLowerCase()) : [];
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
