import type { Element } from 'hast';
import { cssUrls } from './css-urls.ts';
import { jsonStrings } from './json-strings.ts';
import { attribute, textOf, words } from './page-element.ts';
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
  const urls: string[] = [];
  for (const name in element.properties) {
    const value = attribute(element, name);
    if (value) urls.push(...(readers.get(name)?.(value) ?? []));
  }
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

function elementJson(element: Element): { name: string; text: string } | undefined {
  if (element.tagName === 'astro-island') {
    const text = attribute(element, 'props');
    return text === undefined ? undefined : { name: 'props of an island', text };
  }
  const type = element.tagName === 'script' ? attribute(element, 'type') : undefined;
  if (type?.split(';')[0]?.trim().toLowerCase() !== 'application/ld+json') return undefined;
  return { name: 'JSON-LD', text: textOf(element) };
}
