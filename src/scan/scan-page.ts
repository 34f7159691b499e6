import { idOfPlainUrl } from '../assets/formats/rendition-url.ts';
import { type Finding, finding } from '../errors/errors.ts';
import { type AssetUrlReader, readIds, toUrl } from './extract/asset-url.ts';
import { elementUrls } from './extract/element-urls.ts';
import { isRedirectPage } from './extract/redirect-page.ts';
import type { PageUsage } from './manifest.ts';
import { pagePath } from './page-url.ts';
import { attribute, type PageElement, textOf, words } from './read/page-element.ts';
import type { PageText } from './read/read-page.ts';

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
  /**
   * The absolute URLs that a stylesheet fetches, by its absolute URL without a fragment.
   * @default stylesheets aren't read
   */
  readonly readStylesheet?: (url: string) => readonly string[];
}

/** Finds the assets that a page shows. `undefined` for a redirect page. */
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
      pageName: pageName(elements, page),
      assets: [...noted.shown].sort((a, b) => a - b),
    },
    findings: [
      ...Array.from(noted.unreadable, (value) =>
        finding('warning', 'asset-id-invalid', page, { page, value }),
      ),
      ...Array.from(noted.broken, (what) =>
        finding('warning', 'page-json-broken', page, { page, what }),
      ),
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
  { assetUrls, base, readStylesheet = () => [] }: PageToScan & { base: string },
): void {
  const marks = attribute(element, 'dataMediaAsset');
  if (marks !== undefined) {
    const { ids, unreadable: tokens } = readIds(marks);
    for (const id of ids) shown.add(id);
    for (const token of tokens) unreadable.add(token);
  }
  const found = elementUrls(element);
  for (const id of found.ids) shown.add(id);
  const linked = found.stylesheets.flatMap((written) => {
    const url = stylesheetUrl(written, base);
    return url === undefined ? [] : readStylesheet(url);
  });
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
  return assets.length > 0 ? [finding('warning', 'asset-url-unread', page, { page, assets })] : [];
}

function charsetFindings({ elements, page, charset }: PageToScan): Finding[] {
  const declared = charset.startsWith('utf-16') ? charset : otherCharset(elements);
  const foreign = declared ?? (charset === 'unknown' ? 'an unknown charset' : undefined);
  if (foreign === undefined) return [];
  return [finding('warning', 'page-not-utf8', page, { page, charset: foreign })];
}

/** The charset that a page declares, unless it's UTF-8. */
function otherCharset(elements: readonly PageElement[]): string | undefined {
  for (const { element, live } of elements) {
    if (!live || element.tagName !== 'meta') continue;
    const label = attribute(element, 'charSet') ?? contentTypeCharset(element);
    if (label !== undefined) return isUtf8(label) ? undefined : label.trim();
  }
  return undefined;
}

function contentTypeCharset(element: PageElement['element']): string | undefined {
  if (words(element, 'httpEquiv').join(' ') !== 'content-type') return undefined;
  const match = /charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;]+))/i.exec(
    attribute(element, 'content') ?? '',
  );
  return match?.[1] ?? match?.[2] ?? match?.[3];
}

function isUtf8(label: string): boolean {
  if (label === 'utf-8') return true;
  try {
    return new TextDecoder(label).encoding === 'utf-8';
  } catch {
    // An unknown label.
    return false;
  }
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
