import type { Element, Properties } from 'hast';
import { imageAttributes } from '../../assets/request/image-attributes.ts';

/** Attributes by HTML name. */
export type Attributes = Readonly<Record<string, string | undefined>>;

/** Builds the HTML that `<MediaAsset>` renders for an asset, with attributes in its order. */
export function imageElement(
  asset: Parameters<typeof imageAttributes>[0],
  given: Parameters<typeof imageAttributes>[1] & { readonly attributes: Attributes },
): Element {
  const { attributes, sources, below } = imageAttributes(asset, given);
  const image = element('img', attributes);
  const others = sources.map(({ media, type, srcset, sizes, width, height }) =>
    element('source', { media, type, srcset, sizes, width, height }),
  );
  const picture = others.length > 0 ? element('picture', {}, [...others, image]) : image;
  if (!below) return picture;
  const looks = { class: given.attributes.class, src: below, alt: '', 'aria-hidden': 'true' };
  return element('span', { 'data-media-asset-frame': '' }, [element('img', looks), picture]);
}

export function element(
  tagName: 'img' | 'picture' | 'source' | 'span',
  attributes: Readonly<Record<string, unknown>>,
  children: Element[] = [],
): Element {
  return { type: 'element', tagName, properties: toProperties(attributes), children };
}

/** The HTML of an image's element, which has no text. */
export function toHtml({ tagName, properties, children }: Element): string {
  const inner = children.map((child) => toHtml(child as Element)).join('');
  const end = tagName === 'img' || tagName === 'source' ? '' : `${inner}</${tagName}>`;
  return `${toTag(tagName, toAttributes(properties))}${end}`;
}

export function toTag(tag: string, attributes: Attributes): string {
  const written = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}="${escapeHtml(value)}"`],
  );
  return `<${tag}${written.join('')}>`;
}

export function toProperties(attributes: Readonly<Record<string, unknown>>): Properties {
  const properties: Properties = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) properties[toPropertyName(name)] = String(value);
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

function escapeHtml(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
