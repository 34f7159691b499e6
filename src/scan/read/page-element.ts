import type { Element } from 'hast';

export interface PageElement {
  readonly element: Element;
  /** The outermost `picture`, `video` or `audio` that it stands in, else the element itself. */
  readonly shownBy: Element;
  /** Whether it is part of the page from the start: not in a `template`, `noscript` or `srcdoc`. */
  readonly live: boolean;
  readonly inSvg: boolean;
}

export function attribute(element: Element, name: string): string | undefined {
  const value = element.properties[name];
  return typeof value === 'string' ? value : undefined;
}

/** The words of an attribute that holds a list of them, in lower case. */
export function words(element: Element, name: string): string[] {
  const value = element.properties[name];
  return Array.isArray(value) ? value.map((word) => String(word).toLowerCase()) : [];
}

/** The text in an element, without what scripts and styles hold. */
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
