import { type PageElement, textOf } from '../read/page-element.ts';

/**
 * A page's name for people: its title, else its first heading, else its path; white space folded.
 * A page without a title goes to the parser. So only a rule that comes before the title needs a change
 * in `plain-elements.ts`, which keeps no other elements.
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

/** The path of a page's URL as people write it: decoded where it can be. */
export function pagePath(page: string): string {
  const { pathname } = new URL(page);
  try {
    return decodeURI(pathname);
  } catch {
    // A `%` that begins no escape stays as it is.
    return pathname;
  }
}

function text(elements: readonly PageElement[], tagName: string): string {
  const first = elements.find(
    ({ element, live, inSvg }) => live && !inSvg && element.tagName === tagName,
  );
  return first ? textOf(first.element).replace(/\s+/g, ' ').trim() : '';
}
