import type { Element } from 'hast';

export interface PageElement {
  readonly element: Element;
  /** Its start tag in the page's text; `undefined` if the text has none, or in `srcdoc`. */
  readonly at: readonly [start: number, end: number] | undefined;
  /** Whether it's outside of `template`, `noscript` and `srcdoc`. */
  readonly live: boolean;
  readonly inSvg: boolean;
}

export function attribute(element: Element, name: string): string | undefined {
  const value = element.properties[name];
  return typeof value === 'string' ? value : undefined;
}

/** The lowercase words of a list attribute. */
export function words(element: Element, name: string): string[] {
  const value = element.properties[name];
  return Array.isArray(value) ? value.map((word) => String(word).toLowerCase()) : [];
}

/** An element's text, without nested scripts and styles. */
export function textOf(element: Element): string {
  const [first] = element.children;
  if (element.children.length < 2 && first?.type === 'text') return first.value;
  return element.children
    .map((child) => {
      if (child.type === 'text') return child.value;
      const silent =
        child.type !== 'element' || child.tagName === 'script' || child.tagName === 'style';
      return silent ? '' : textOf(child);
    })
    .join('');
}
