import { attribute, type PageElement, words } from '../read/page-element.ts';

/** An immediate refresh as redirects have it. A page with a refresh in any other form counts. */
const immediate = /^ *0 *; *url *= *(["']?)([^"' ][^"']*)\1$/i;

/** Whether a page only refreshes to another page without delay, and shows no asset. */
export function isRedirectPage(
  elements: readonly PageElement[],
  { page, base, isShown }: { page: string; base: string; isShown?: (url: string) => boolean },
): boolean {
  const refresh = elements.find(({ element, live }) => {
    const isMeta = live && element.tagName === 'meta';
    return isMeta && words(element, 'httpEquiv').join(' ') === 'refresh';
  });
  const content = refresh && attribute(refresh.element, 'content');
  const [, , url = ''] = immediate.exec(content ?? '') ?? [];
  const target = url === '' || isShown?.(url) ? null : URL.parse(url, base);
  if (!target || !/^https?:$/.test(target.protocol)) return false;
  const self = new URL(page);
  // On a static site, another query is the same page.
  return target.origin !== self.origin || target.pathname !== self.pathname;
}
