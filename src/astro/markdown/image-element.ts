import type { Element, Properties } from 'hast';
import { autoSizes } from '../../assets/geometry/auto-sizes.ts';
import type { MediaAsset, MediaAssetSource } from '../../assets/request/media-asset.ts';
import { unavailableMarker } from '../build/unavailable-assets.ts';

/** Attributes by HTML name. */
export type Attributes = Readonly<Record<string, string | undefined>>;

/** An element of an image's HTML. Attributes are in the order of the HTML. */
export interface ImageElement {
  readonly tag: 'img' | 'picture' | 'source' | 'span';
  readonly attributes: Attributes;
  readonly children: readonly ImageElement[];
}

interface ImageText {
  readonly priority: boolean;
  /** The author's own attributes, such as `title` and `class`. */
  readonly attributes: Attributes;
}

/** Builds the HTML that `<MediaAsset>` renders for an asset. */
export function imageElement(
  asset: MediaAsset & { readonly toolbar?: string | undefined },
  { priority, attributes }: ImageText,
): ImageElement {
  const hasLayout = asset.layout !== 'none';
  const { placeholder, placeholderStyle } = asset;
  const style = [placeholderStyle, attributes.style].filter(Boolean).join(';') || undefined;
  const { loading = priority ? 'eager' : 'lazy' } = attributes;
  const { sizes, sources } = autoSizes(asset, loading);
  const image = element('img', {
    'data-media-asset': String(asset.id),
    'data-media-asset-toolbar': asset.toolbar,
    'data-media-asset-layout': hasLayout ? asset.layout : undefined,
    'data-media-asset-fit': hasLayout ? asset.fit : undefined,
    'data-media-asset-position': hasLayout ? asset.position : undefined,
    src: asset.src,
    srcset: asset.srcset,
    sizes,
    alt: asset.alt,
    width: String(asset.width),
    height: String(asset.height),
    loading,
    decoding: priority ? 'sync' : 'async',
    fetchpriority: priority ? 'high' : undefined,
    ...attributes,
    style,
  });
  const picture =
    sources.length > 0 ? element('picture', {}, [...sources.map(sourceElement), image]) : image;
  if (!placeholder || placeholderStyle) return picture;
  const looks = { class: attributes.class };
  const below = element('img', { ...looks, src: placeholder, alt: '', 'aria-hidden': 'true' });
  return element('span', { 'data-media-asset-frame': '' }, [below, picture]);
}

/** A marked `<img>` without an image, for an asset that the service refuses. */
export function refusedElement(
  id: number,
  { alt = '', attributes }: Pick<ImageText, 'attributes'> & { alt: string | undefined },
): ImageElement {
  return element('img', { [unavailableMarker]: String(id), alt, ...attributes });
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
  const size = { width: String(width), height: String(height) };
  return element('source', { media, type, srcset, sizes, ...size });
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
