import { idOfPlainUrl } from '../assets/formats/rendition-url.ts';
import { type Finding, finding } from '../errors/errors.ts';
import { type AssetUrlReader, readIds, toUrl } from './extract/asset-url.ts';
import { elementUrls } from './extract/element-urls.ts';
import { pageName } from './extract/page-name.ts';
import { isRedirectPage } from './extract/redirect-page.ts';
import type { PageUsage } from './manifest.ts';
import { otherCharset, type PageText } from './read/page-charset.ts';
import { attribute, type PageElement } from './read/page-element.ts';

export interface PageScan {
  readonly usage: PageUsage;
  readonly findings: readonly Finding[];
  /** The URLs that aren't written like those of our files, absolute, each with its asset. */
  readonly links: readonly (readonly [url: string, id: number])[];
}

export interface PageToScan {
  readonly elements: readonly PageElement[];
  /** The absolute public URL. */
  readonly page: string;
  readonly charset: PageText['charset'];
  readonly assetUrls: AssetUrlReader;
  /** The absolute URLs that each stylesheet fetches, by its absolute URL without a fragment. */
  readonly stylesheets: ReadonlyMap<string, readonly string[]>;
}

/**
 * Finds the assets that a page shows. `undefined` for a redirect page.
 */
export function scanPage(given: PageToScan): PageScan | undefined {
  const { elements, page } = given;
  const base = baseUrl(elements, page);
  if (isRedirectPage({ elements, page, base })) return undefined;
  const noted: Noted = {
    shown: new Set(),
    unread: new Map(),
    unreadable: new Set(),
    broken: new Set(),
    links: new Map(),
  };
  const rules = { ...given, base };
  for (const element of elements) note(noted, element, rules);
  return {
    usage: {
      page,
      pageName: pageName({ elements, page }),
      assets: [...noted.shown].sort((a, b) => a - b),
    },
    findings: [
      ...Array.from(noted.unreadable, (value) =>
        finding('warning', 'asset-id-invalid', { page, value }),
      ),
      ...Array.from(noted.broken, (what) => finding('warning', 'page-json-broken', { page, what })),
      ...unreadFindings(noted, page),
      ...charsetFindings(given),
    ],
    links: [...noted.links],
  };
}

interface Noted {
  readonly shown: Set<number>;
  /** Assets that are named where they aren't counted, each with the first place in sort order. */
  readonly unread: Map<number, string>;
  readonly unreadable: Set<string>;
  readonly broken: Set<string>;
  readonly links: Map<string, number>;
}

function note(
  { shown, unread, unreadable, broken, links }: Noted,
  { element }: PageElement,
  { assetUrls, base, stylesheets }: PageToScan & { base: string },
): void {
  const marks = attribute(element, 'dataMediaAsset');
  if (marks !== undefined) {
    const { ids, unreadable: tokens } = readIds(marks);
    for (const id of ids) shown.add(id);
    for (const token of tokens) unreadable.add(token);
  }
  const found = elementUrls(element);
  for (const id of found.ids) shown.add(id);
  const linked = found.stylesheets.flatMap(
    (url) => stylesheets.get(stylesheetUrl(url, base) ?? '') ?? [],
  );
  for (const url of [...found.urls, ...linked]) {
    const id = assetUrls.idOf(url, base);
    if (id !== undefined) {
      shown.add(id);
      const link = idOfPlainUrl(url) === undefined && toUrl(url, base);
      if (link) links.set(link.href.replace(/#.*$/, ''), id);
    } else for (const { id, around } of assetUrls.named(url)) noteUnread(unread, id, `"${around}"`);
  }
  for (const { where, text } of found.unread) {
    for (const { id } of assetUrls.named(text)) noteUnread(unread, id, where);
  }
  if (found.broken) broken.add(found.broken);
}

function noteUnread(unread: Map<number, string>, id: number, where: string): void {
  if (where <= (unread.get(id) ?? where)) unread.set(id, where);
}

/** Leaves out assets that the page also shows. */
function unreadFindings({ shown, unread }: Noted, page: string): Finding[] {
  const assets = [...unread]
    .filter(([id]) => !shown.has(id))
    .sort(([a], [b]) => a - b)
    .map(([id, where]) => ({ id, where }));
  return assets.length > 0 ? [finding('warning', 'asset-url-unread', { page, assets })] : [];
}

function charsetFindings({ elements, page, charset }: PageToScan): Finding[] {
  const declared = charset.startsWith('utf-16') ? charset : otherCharset(elements);
  const foreign = declared ?? (charset === 'unknown' ? 'an unknown charset' : undefined);
  if (foreign === undefined) return [];
  return [finding('warning', 'page-not-utf8', { page, charset: foreign })];
}

/** The absolute URLs of the stylesheets that a page links or imports, without duplicates. */
export function pageStylesheets({
  elements,
  page,
}: Pick<PageToScan, 'elements' | 'page'>): string[] {
  const base = baseUrl(elements, page);
  const urls = new Set<string>();
  for (const { element } of elements) {
    if (element.tagName !== 'link' && element.tagName !== 'style') continue;
    for (const written of elementUrls(element).stylesheets) {
      const url = stylesheetUrl(written, base);
      if (url !== undefined) urls.add(url);
    }
  }
  return [...urls];
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
