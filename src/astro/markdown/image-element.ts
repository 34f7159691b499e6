import { escapeUTF8 } from 'entities/escape';
import type { Element, Properties } from 'hast';
import { find, html } from 'property-information';
import { imageAttributes } from '../../assets/request/image-attributes.ts';

/** Attributes by HTML name. */
export type Attributes = Readonly<Record<string, string | undefined>>;

/** Builds the HTML that `<MediaAsset>` renders for an asset, with attributes in its order. */
export function imageElement(
  asset: Parameters<typeof imageAttributes>[0],
  given: Parameters<typeof imageAttributes>[1] & { readonly attributes: Attributes },
): Element {
  const { attributes, sources } = imageAttributes(asset, given);
  const image = element('img', attributes);
  const others = sources.map(({ media, type, srcset, sizes, width, height }) =>
    element('source', { media, type, srcset, sizes, width, height }),
  );
  return others.length > 0 ? element('picture', {}, [...others, image]) : image;
}

export function element(
  tagName: 'img' | 'picture' | 'source',
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
    value === undefined ? [] : [` ${name}="${escapeUTF8(value)}"`],
  );
  return `<${tag}${written.join('')}>`;
}

export function toProperties(attributes: Readonly<Record<string, unknown>>): Properties {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [find(html, name).property, `${value}`]));
}

/** Turns hast properties into HTML attributes: `class`, `data-name`, `aria-label`. */
export function toAttributes(properties: Properties): Record<string, string> {
  const given = Object.entries(properties).filter(([, value]) => (value ?? false) !== false);
  return Object.fromEntries(
    given.map(([name, value]) => [
      find(html, name).attribute,
      value === true ? '' : Array.isArray(value) ? value.join(' ') : `${value}`,
    ]),
  );
}
