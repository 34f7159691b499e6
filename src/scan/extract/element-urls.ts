import type { Element } from 'hast';
import { idOfPlainSrcset } from '../../assets/formats/rendition-url.ts';
import { attribute, textOf, words } from '../read/page-element.ts';
import { cssUrls } from './css-urls.ts';
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

/** A `srcset` without one of these is one URL. */
const separators = /[\t\n\f\r ,]/;

/** Collects the URLs in an element's attributes and, for styles and data, in its text. */
export function elementUrls(element: Element): ElementUrls {
  const { tagName } = element;
  const urls: string[] = [];
  const ids: number[] = [];
  for (const name in element.properties) readAttribute(element, name, { urls, ids });
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
  const inJson = (strings ?? []).flatMap((text) =>
    separators.test(text) ? [text, ...srcsetUrls(text)] : text,
  );
  return { ...named, urls: [...urls, ...inJson], broken: strings ? undefined : json.name };
}

/** Reads what an attribute names, by the name that the parsed tree gives it. */
function readAttribute(
  element: Element,
  name: string,
  { urls, ids }: { urls: string[]; ids: number[] },
): void {
  const value = attribute(element, name);
  if (!value) return;
  switch (name) {
    case 'src':
    case 'href':
    case 'xLinkHref':
    case 'poster':
    case 'content':
    case 'data':
    case 'background':
      urls.push(value);
      break;
    case 'srcSet':
    case 'imageSrcSet': {
      // Most name one asset: their URLs are read in one go.
      const id = idOfPlainSrcset(value);
      if (id === undefined) urls.push(...srcsetUrls(value));
      else ids.push(id);
      break;
    }
    case 'style':
      urls.push(...cssUrls(value).urls);
  }
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

/** Every string value in a JSON text, at any depth; `undefined` where the text is no JSON. */
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
