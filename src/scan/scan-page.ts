import { idOfPlainUrl } from '../assets/formats/rendition-url.ts';
import { type Finding, finding } from '../errors/errors.ts';
import { type assetUrlReader, readIds, toUrl } from './extract/asset-url.ts';
import { elementUrls } from './extract/element-urls.ts';
import { isRedirectPage } from './extract/redirect-page.ts';
import type { PageUsage } from './manifest.ts';
import { pagePath } from './page-url.ts';
import { attribute, type PageElement, textOf } from './read/page-element.ts';
import type { readPage } from './read/read-page.ts';

export interface PageScan {
  readonly usage: PageUsage;
  readonly findings: readonly Finding[];
  /** The URLs that aren't written like those of our files, absolute, each with its asset. */
  readonly links: readonly (readonly [url: string, id: number])[];
}

/** Finds the assets that a page shows. `undefined` for a redirect page. */
export function scanPage({
  elements,
  page,
  charset,
  assetUrls,
  readStylesheet = () => [],
}: {
  elements: readonly PageElement[];
  charset: ReturnType<typeof readPage>['charset'];
  /** The absolute public URL. */
  page: string;
  assetUrls: ReturnType<typeof assetUrlReader>;
  /**
   * The absolute URLs that a stylesheet fetches, by its absolute URL without a fragment.
   * @default stylesheets aren't read
   */
  readStylesheet?: (url: string) => readonly string[];
}): PageScan | undefined {
  const base = baseUrl(elements, page);
  if (isRedirectPage(elements, { page, base })) return undefined;
  const shown = new Set<number>();
  /** Assets that are named where they aren't counted, each with the first place in sort order. */
  const unread = new Map<number, string>();
  const unreadable = new Set<string>();
  const links = new Map<string, number>();

  function noteUnread(id: number, where: string): void {
    if (where <= (unread.get(id) ?? where)) unread.set(id, where);
  }

  function noteUrl(written: string): void {
    const id = assetUrls.idOf(written, base);
    if (id === undefined) {
      for (const { id, around } of assetUrls.named(written)) noteUnread(id, `"${around}"`);
      return;
    }
    shown.add(id);
    const link = idOfPlainUrl(written) === undefined && toUrl(written, base);
    if (link) links.set(link.href.replace(/#.*$/, ''), id);
  }

  for (const { element } of elements) {
    const marks = readIds(attribute(element, 'dataMediaAsset') ?? '');
    const found = elementUrls(element);
    for (const id of [...marks.ids, ...found.ids]) shown.add(id);
    for (const token of marks.unreadable) unreadable.add(token);
    for (const url of found.urls) noteUrl(url);
    for (const written of found.stylesheets) {
      const url = stylesheetUrl(written, base);
      if (url !== undefined) for (const fetched of readStylesheet(url)) noteUrl(fetched);
    }
    for (const { where, text } of found.unread) {
      for (const { id } of assetUrls.named(text)) noteUnread(id, where);
    }
  }

  const assets = [...unread]
    .filter(([id]) => !shown.has(id))
    .sort(([a], [b]) => a - b)
    .map(([id, where]) => ({ id, where }));
  return {
    usage: { page, pageName: pageName(elements, page), assets: [...shown].sort((a, b) => a - b) },
    findings: [
      ...Array.from(unreadable, (value) => finding('warning', 'asset-id-invalid', { page, value })),
      ...(assets.length > 0 ? [finding('warning', 'asset-url-unread', { page, assets })] : []),
      ...(charset === 'utf-8' ? [] : [finding('warning', 'page-not-utf8', { page })]),
    ],
    links: [...links],
  };
}

/** A path that needs no escaping in a URL. */
const plainPath = /^(?:\/[\w-]+)+(?:\.[\w-]+)*$/;

/** A stylesheet's absolute URL without its fragment. */
export function stylesheetUrl(value: string, base: string): string | undefined {
  if (plainPath.test(value)) return base.slice(0, base.indexOf('/', 'https://'.length)) + value;
  const url = toUrl(value, base);
  if (!url) return undefined;
  url.hash = '';
  return url.href;
}

/** The base of a page's relative URLs: its first `base` element, or its own URL. */
function baseUrl(elements: readonly PageElement[], page: string): string {
  const first = elements.find(
    ({ element, live }) =>
      live && element.tagName === 'base' && attribute(element, 'href') !== undefined,
  );
  return (first && toUrl(attribute(first.element, 'href') ?? '', page)?.href) ?? page;
}

/**
 * A page's name: its title, its first `h1`, or its path, with white space collapsed. Pages without a
 * title go to the parser. A rule that comes before the title also needs its elements in
 * `read-tags.ts`, which keeps no others.
 */
function pageName(elements: readonly PageElement[], page: string): string {
  return text(elements, 'title') || text(elements, 'h1') || pagePath(page);
}

function text(elements: readonly PageElement[], tagName: string): string {
  const first = elements.find(
    ({ element, live, inSvg }) => live && !inSvg && element.tagName === tagName,
  );
  return first ? textOf(first.element).replace(/\s+/g, ' ').trim() : '';
}
