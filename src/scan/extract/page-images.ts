import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';
import { attribute, type PageElement } from '../read/page-element.ts';
import { tagAttributes } from '../read/read-tags.ts';
import { readIds } from './asset-url.ts';
import { srcsetUrls } from './element-urls.ts';

/** An `<img>` that names an asset, with the sources of its `<picture>`. */
export type PageImage = Readonly<ReturnType<typeof toImage>>;

/** The ID of an item in a list of credits starts with this, and ends with the asset's. */
export const listItem = 'media-credit-';

/** A page's images, and the IDs in its labels and lists of credits, as they're usually written. */
export function pageImages({ text, elements }: { text: string; elements: readonly PageElement[] }) {
  const images: PageImage[] = [];
  const labelled: number[] = [];
  const listed: number[] = [];
  const root = elements.find(({ element }) => element.tagName === 'html');
  const pageLanguage = root && attribute(root.element, 'lang');
  /** Those directly before the place that's read, and so in its `<picture>`. */
  let sources: OwnAttributes[] = [];
  let end = 0;
  for (const { element, at } of elements) {
    labelled.push(...readIds(attribute(element, 'dataMediaAssetLabel') ?? '').ids);
    const id = attribute(element, 'id') ?? '';
    if (id.startsWith(listItem)) listed.push(...readIds(id.slice(listItem.length)).ids);
    if (!at || at[0] < end || !/^(?:img|source)$/.test(element.tagName)) continue;
    if (text.slice(end, at[0]).trim() !== '') sources = [];
    let tag = text.slice(...at);
    end = at[1];
    if (element.tagName === 'source') {
      sources.push(readTag(tag));
      // The image behind its sources can name no asset.
      imageTag.lastIndex = end;
      tag = imageTag.exec(text)?.[0].trim() ?? '';
      if (tag !== '') end = imageTag.lastIndex;
    }
    if (tag !== '') images.push(toImage(readTag(tag), sources, pageLanguage));
  }
  return { images, labelled, listed };
}

const imageTag = /\s*<img(?=[\s/>])(?:"[^"]*"|'[^']*'|[^"'>])*>/iy;

/** What visitors don't see: comments, scripts and the like, tags. */
const unseen =
  /<!--.*?(?:-->|$)|<(noscript|script|style|template|title)(?=[\s/>]).*?(?:<\/\1\s*>|$)|<[/!?a-z](?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^"'>])*>?/gis;

/** The text of a page, with a space for each tag. */
export function visibleText(html: string): string {
  return decodeHTML(html.replace(unseen, ' '));
}

type OwnAttributes = ReturnType<typeof readTag>;

function readTag(tag: string) {
  const written = tagAttributes(tag.slice(tag.search(/[\s/>]/)));
  return (name: string) => {
    const value = written.get(name);
    return value && decodeHTMLAttribute(value);
  };
}

function toImage(
  image: OwnAttributes,
  sources: readonly OwnAttributes[],
  pageLanguage: string | undefined,
) {
  const marked = readIds(image('data-media-asset') ?? '').ids;
  const sets = marked.length > 0 ? [] : [image, ...sources].map((one) => one('srcset') ?? '');
  return {
    /** The IDs in `data-media-asset`. */
    marked,
    /** If there's none, the URLs of its files, as written. */
    urls: [image('src') ?? '', ...sets.flatMap(srcsetUrls)],
    /** `''` for decoration; `undefined` if it's missing. */
    alt: image('alt')?.replace(/\s+/g, ' ').trim(),
    /** Whether screen readers skip it, or take its text from elsewhere. */
    needsNoAlt:
      /^(?:none|presentation)$/.test(image('role') ?? '') ||
      image('aria-hidden') === 'true' ||
      Boolean(image('aria-label') || image('aria-labelledby')),
    /** Its own `lang`, or the page's. */
    language: (image('lang') ?? pageLanguage)?.trim() || undefined,
  };
}
