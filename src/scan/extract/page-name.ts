import { type PageElement, textOf } from '../read/page-element.ts';

/**
 * A page's name: its title, its first `h1`, or its path, with white space collapsed. Pages without a
 * title go to the parser. A rule that comes before the title also needs its elements in
 * `read-tags.ts`, which keeps no others.
 */
export function pageName({
  elements,
  page,
}: {
  elements: readonly PageElement[];
  page: string;
}): string {
  return text(elements, 'title') || text(elements, 'h1') || pagePath(page);
}

/** The decoded path of a page's URL. */
export function pagePath(page: string): string {
  const { pathname } = new URL(page);
  try {
    return decodeURI(pathname);
  } catch {
    // Keep a `%` that isn't an escape.
    return pathname;
  }
}

function text(elements: readonly PageElement[], tagName: string): string {
  const first = elements.find(
    ({ element, live, inSvg }) => live && !inSvg && element.tagName === tagName,
  );
  return first ? textOf(first.element).replace(/\s+/g, ' ').trim() : '';
}
