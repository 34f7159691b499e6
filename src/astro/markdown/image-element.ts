import type { Element, Properties } from 'hast';
import { imageAttributes } from '../../assets/request/image-attributes.ts';
import type { MediaAssetSource } from '../../assets/request/media-asset.ts';

/** Attributes by HTML name. */
export type Attributes = Readonly<Record<string, string | undefined>>;

/** An element of an image's HTML. Attributes are in the order of the HTML. */
export interface ImageElement {
  readonly tag: 'img' | 'picture' | 'source' | 'span';
  readonly attributes: Attributes;
  readonly children: readonly ImageElement[];
}

/** Builds the HTML that `<MediaAsset>` renders for an asset. */
export function imageElement(
  asset: Parameters<typeof imageAttributes>[0],
  given: Parameters<typeof imageAttributes>[1] & { readonly attributes: Attributes },
): ImageElement {
  const { attributes, sources, below } = imageAttributes(asset, given);
  const image = element('img', toTexts(attributes));
  const picture =
    sources.length > 0 ? element('picture', {}, [...sources.map(sourceElement), image]) : image;
  if (!below) return picture;
  const looks = { class: given.attributes.class, src: below, alt: '', 'aria-hidden': 'true' };
  return element('span', { 'data-media-asset-frame': '' }, [element('img', looks), picture]);
}

export function element(
  tag: ImageElement['tag'],
  attributes: Attributes,
  children: readonly ImageElement[] = [],
): ImageElement {
  return { tag, attributes, children };
}

export function toHast({ tag, attributes, children }: ImageElement): Element {
  const properties = toProperties(attributes);
  return { type: 'element', tagName: tag, properties, children: children.map(toHast) };
}

export function toHtml({ tag, attributes, children }: ImageElement): string {
  const inner = children.map(toHtml).join('');
  const end = tag === 'img' || tag === 'source' ? '' : `${inner}</${tag}>`;
  return `${toTag(tag, attributes)}${end}`;
}

/** The opening tag of an element. */
export function toTag(tag: string, attributes: Attributes): string {
  const written = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}="${escapeHtml(value)}"`],
  );
  return `<${tag}${written.join('')}>`;
}

/** Turns HTML attributes into hast properties. */
export function toProperties(attributes: Attributes): Properties {
  const properties: Properties = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) properties[toPropertyName(name)] = value;
  }
  return properties;
}

/** Turns hast properties into HTML attributes: `class`, `data-name`, `aria-label`. */
export function toAttributes(properties: Properties): Record<string, string> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, value]) => {
      if (value === null || value === undefined || value === false) return [];
      const attribute = /^(?:data|aria)[A-Z]/.test(name)
        ? name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
        : name === 'className'
          ? 'class'
          : name.toLowerCase();
      return [
        [attribute, value === true ? '' : Array.isArray(value) ? value.join(' ') : `${value}`],
      ];
    }),
  );
}

function sourceElement(source: MediaAssetSource): ImageElement {
  const { media, type, srcset, sizes, width, height } = source;
  return element('source', toTexts({ media, type, srcset, sizes, width, height }));
}

function toTexts(attributes: Readonly<Record<string, unknown>>): Attributes {
  const texts = Object.entries(attributes).map(([name, value]) => [
    name,
    value === undefined ? undefined : String(value),
  ]);
  return Object.fromEntries(texts);
}

const propertyNames: Readonly<Record<string, string>> = {
  class: 'className',
  srcset: 'srcSet',
  fetchpriority: 'fetchPriority',
};

/** An attribute's name in hast: `srcSet`, `ariaHidden`, `dataMediaAsset`. */
function toPropertyName(name: string): string {
  if (Object.hasOwn(propertyNames, name)) return propertyNames[name] ?? name;
  if (!/^(?:data|aria)-/.test(name)) return name;
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** For text and attribute values. */
function escapeHtml(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
