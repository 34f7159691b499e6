import { type Finding, finding } from '../errors.ts';
import { type AssetUrlReader, toUrl } from './asset-url.ts';
import { elementUrls } from './element-urls.ts';
import type { PageUsage } from './manifest.ts';
import { otherCharset, type PageText } from './page-charset.ts';
import { attribute, type PageElement } from './page-element.ts';
import { pageName } from './page-name.ts';
import { readIds } from './read-ids.ts';
import { isRedirectPage } from './redirect-page.ts';

/** What one page shows, and what a person should know about it. */
export interface PageScan {
  readonly usage: PageUsage;
  readonly findings: readonly Finding[];
}

export interface PageToScan {
  /** The page as `pageElements` reads it. */
  readonly elements: readonly PageElement[];
  /** The absolute public URL. */
  readonly page: string;
  /** Of the page's bytes. */
  readonly charset: PageText['charset'];
  readonly idOf: AssetUrlReader;
  /** The assets that each stylesheet of the site names, by its absolute URL without a fragment. */
  readonly stylesheets: ReadonlyMap<string, readonly number[]>;
}

/**
 * Finds the assets that a page shows: each with the number of elements that name it, however many
 * of an element's attributes do. `undefined` for a redirect page: nobody sees what it shows.
 */
export function scanPage({
  elements,
  page,
  charset,
  idOf,
  stylesheets,
}: PageToScan): PageScan | undefined {
  const base = baseUrl(elements, page);
  if (isRedirectPage({ elements, page, base })) return undefined;

  const shown = new Map<number, Set<PageElement['shownBy']>>();
  const unreadable = new Set<string>();
  const broken = new Set<string>();
  for (const { element, shownBy } of elements) {
    const show = (id: number) => {
      const by = shown.get(id);
      if (by) by.add(shownBy);
      else shown.set(id, new Set([shownBy]));
    };
    const { ids, unreadable: tokens } = readIds(attribute(element, 'dataMediaAsset') ?? '');
    for (const id of ids) show(id);
    for (const token of tokens) unreadable.add(token);
    const found = elementUrls(element);
    for (const url of found.urls) {
      const id = idOf(url, base);
      if (id !== undefined) show(id);
    }
    for (const url of found.stylesheets) {
      for (const id of stylesheets.get(stylesheetUrl(url, base) ?? '') ?? []) show(id);
    }
    if (found.broken) broken.add(found.broken);
  }

  const declared = charset.startsWith('utf-16') ? charset : otherCharset(elements);
  const foreign = declared ?? (charset === 'unknown' ? 'an unknown charset' : undefined);
  return {
    usage: { page, pageName: pageName({ elements, page }), assets: count(shown) },
    findings: [
      ...[...unreadable].map((value) =>
        finding('warning', 'asset-id-unreadable', page, { page, value }),
      ),
      ...[...broken].map((what) => finding('warning', 'page-json-broken', page, { page, what })),
      ...(foreign ? [finding('warning', 'page-not-utf8', page, { page, charset: foreign })] : []),
    ],
  };
}

/** The absolute URLs of the stylesheets that a page links or imports, each once. */
export function pageStylesheets({
  elements,
  page,
}: Pick<PageToScan, 'elements' | 'page'>): string[] {
  const base = baseUrl(elements, page);
  const urls = elements
    .filter(({ element }) => element.tagName === 'link' || element.tagName === 'style')
    .flatMap(({ element }) => elementUrls(element).stylesheets)
    .flatMap((url) => stylesheetUrl(url, base) ?? []);
  return [...new Set(urls)];
}

/** A stylesheet's absolute URL without its fragment. */
export function stylesheetUrl(value: string, base: string): string | undefined {
  const url = toUrl(value, base);
  if (!url) return undefined;
  url.hash = '';
  return url.href;
}

/** What relative URLs of a page are relative to: its first `base`, else its own URL. */
function baseUrl(elements: readonly PageElement[], page: string): string {
  const first = elements.find(
    ({ element, live }) =>
      live && element.tagName === 'base' && attribute(element, 'href') !== undefined,
  );
  return (first && toUrl(attribute(first.element, 'href') ?? '', page)?.href) ?? page;
}

function count(shown: ReadonlyMap<number, ReadonlySet<unknown>>): PageUsage['assets'] {
  return [...shown]
    .map(([id, elements]) => ({ id, occurrences: elements.size }))
    .sort((a, b) => a.id - b.id);
}
