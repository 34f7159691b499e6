import { attribute, type PageElement, textOf, words } from '../read/page-element.ts';

/**
 * Whether a page only redirects: it refreshes to another page without delay, or it's Astro's redirect
 * page, which waits two seconds for a 302. A refresh that opens an app, or that browsers ignore,
 * doesn't count.
 */
export function isRedirectPage(
  elements: readonly PageElement[],
  { page, base }: { page: string; base: string },
): boolean {
  const refresh = firstRefresh(elements);
  if (!refresh?.url) return false;
  const target = URL.parse(refresh.url, base);
  if (!target || !/^https?:$/.test(target.protocol)) return false;
  const self = new URL(page);
  // On a static site, another query is the same page.
  if (target.origin === self.origin && target.pathname === self.pathname) return false;
  if (refresh.seconds === 0) return true;
  const title = elements.find(({ live, element }) => live && element.tagName === 'title');
  return title !== undefined && textOf(title.element) === `Redirecting to: ${refresh.url}`;
}

function firstRefresh(elements: readonly PageElement[]): ReturnType<typeof parseRefresh> {
  for (const { element, live } of elements) {
    if (!live || element.tagName !== 'meta') continue;
    if (words(element, 'httpEquiv').join(' ') !== 'refresh') continue;
    const refresh = parseRefresh(attribute(element, 'content') ?? '');
    if (refresh) return refresh;
  }
  return undefined;
}

/**
 * Reads the `content` of a refresh as the HTML standard says ("shared declarative refresh steps").
 * `url` is `undefined` if the page refreshes itself. Returns `undefined` if browsers ignore it.
 */
export function parseRefresh(
  content: string,
): { seconds: number; url: string | undefined } | undefined {
  const time = /^[\t\n\f\r ]*(?:(\d+)|(?=\.))[\d.]*/.exec(content);
  if (!time) return undefined;
  const seconds = Number(time[1] ?? 0);
  const rest = content.slice(time[0].length);
  if (rest !== '' && !/^[;,\t\n\f\r ]/.test(rest)) return undefined;
  const written = rest.replace(/^[\t\n\f\r ]*[;,]?[\t\n\f\r ]*/, '');
  if (written === '') return { seconds, url: undefined };
  const value = written.replace(/^url[\t\n\f\r ]*=[\t\n\f\r ]*/i, '');
  // Browsers keep the quotes of a URL that begins with `u` and has no `url=`.
  if (value === written && /^u/i.test(written)) return { seconds, url: written };
  const quote = /^["']/.exec(value)?.[0];
  return { seconds, url: quote ? value.slice(1).split(quote)[0] : value };
}
