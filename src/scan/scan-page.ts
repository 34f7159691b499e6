import { idOfPlainUrl } from '../assets/formats/rendition-url.ts';
import { finding } from '../errors/errors.ts';
import { type assetUrlReader, readIds, toUrl, withoutProse } from './extract/asset-url.ts';
import { elementUrls } from './extract/element-urls.ts';
import { isRedirectPage } from './extract/redirect-page.ts';
import type { PageUsage } from './manifest.ts';
import { pagePath } from './page-url.ts';
import { attribute, type PageElement, textOf } from './read/page-element.ts';
import { type stylesheetReader, stylesheetUrl } from './read/stylesheets.ts';

export type PageScan = Readonly<NonNullable<ReturnType<typeof scanPage>>>;

/** Characters of a text that a finding quotes. */
const mostQuoted = 160;
/** A `data:` URL of a stylesheet or a document. */
const encodedText = /^\s*data:(?:text|app|image\/svg)[^,]*;base64,(.*)/is;

/** Finds the assets that a page shows. `undefined` for a redirect page. */
export function scanPage(read: {
  elements: readonly PageElement[];
  isUtf8: boolean;
  /** The absolute public URL. */
  page: string;
  assetUrls: ReturnType<typeof assetUrlReader>;
  /** Gets an absolute URL without a fragment. @default stylesheets aren't read */
  readStylesheet?: ReturnType<typeof stylesheetReader>;
  /** Where our files are too. */
  assetsPrefix?: string | undefined;
}) {
  const { elements, page, isUtf8, assetUrls } = read;
  const { readStylesheet = () => ({ urls: [], files: [] }), assetsPrefix = '' } = read;
  const bases = baseUrls(elements, page);
  const [base] = bases;
  const isShown = (url: string) => assetUrls.idOf(url, base) !== undefined;
  if (isRedirectPage(elements, { page, base, isShown })) return undefined;
  const prefix = `${(assetsPrefix || new URL(page).origin).replace(/\/+$/, '')}/`;
  /** Whether a rendition's URL is one of our files. With another host, it can be of another site. */
  const isOwn = (written: string) => /^\/(?!\/)/.test(written) || written.startsWith(prefix);
  const shown = new Set<number>();
  /** Assets that are named where they aren't counted, each with the first place in sort order. */
  const unread = new Map<number, string>();
  const named = new Set<number>();
  const unreadable = new Set<string>();
  const objects = new Set<string>();
  const links = new Map<string, number>();
  const stylesheets = new Set<string>();

  function noteUnread(written: string, place?: string): void {
    const [, base64 = ''] = encodedText.exec(written) ?? [];
    const text = base64 ? Buffer.from(base64, 'base64').toString() : written;
    if (!bases.some((one) => assetUrls.mayName(text, one))) return;
    const where = place ?? `"${written.slice(0, mostQuoted).replace(/\s+/g, ' ').trim()}"`;
    const parts = text.split(';').map((part) => part.trim());
    const ids = parts.flatMap((part) => bases.flatMap((one) => assetUrls.idOf(part, one) ?? []));
    for (const id of [...ids, ...assetUrls.named(withoutProse(text))]) named.add(id);
    for (const id of [...ids, ...assetUrls.named(text)])
      if (where <= (unread.get(id) ?? where)) unread.set(id, where);
  }

  function noteUrl(written: string): void {
    const id = assetUrls.idOf(written, base);
    if (id === undefined) {
      noteUnread(written);
      return;
    }
    shown.add(id);
    named.add(id);
    const isFile = isOwn(written) && idOfPlainUrl(written) !== undefined;
    const link = !isFile && toUrl(written, base);
    if (link) links.set(link.href.replace(/#.*$/, ''), id);
  }

  for (const { element } of elements) {
    const marks = readIds(attribute(element, 'dataMediaAsset') ?? '');
    const found = elementUrls(element, isOwn);
    for (const id of [...marks.ids, ...found.ids]) shown.add(id);
    for (const id of found.ids) named.add(id);
    for (const token of marks.unreadable) unreadable.add(token);
    for (const name of found.objects) objects.add(name);
    for (const url of found.urls) noteUrl(url);
    for (const written of found.imports) {
      const url = stylesheetUrl(written, base);
      if (url === undefined) noteUnread(written);
      const { urls = [], files = [] } = url === undefined ? {} : readStylesheet(url);
      for (const fetched of urls) noteUrl(fetched);
      for (const file of files) stylesheets.add(file);
    }
    for (const { where, text } of found.unread) noteUnread(text, where);
  }

  const assets = [...unread]
    .filter(([id]) => !shown.has(id))
    .sort(([a], [b]) => a - b)
    .map(([id, where]) => ({ id, where }));
  const usage: PageUsage = {
    page,
    pageName: pageName(elements, page),
    assets: [...shown].sort((a, b) => a - b),
  };
  return {
    usage,
    /** The assets whose URLs it shows, or has in scripts and other attributes. */
    named: [...named].sort((one, other) => one - other),
    findings: [
      ...Array.from(unreadable, (value) => finding('warning', 'asset-id-invalid', { page, value })),
      ...(assets.length > 0 ? [finding('warning', 'asset-url-unread', { page, assets })] : []),
      ...Array.from(objects, (where) => finding('warning', 'object-as-url', { page, where })),
      ...(isUtf8 ? [] : [finding('warning', 'page-not-utf8', { page })]),
    ],
    /** The URLs that aren't written like those of our files, absolute, each with its asset. */
    links: [...links],
    /** The files of the stylesheets that it loads, below the site's folder. */
    stylesheets: [...stylesheets],
  };
}

/** The base of a page's relative URLs: its first `base` element, or its own URL. Then those of `srcdoc`. */
function baseUrls(elements: readonly PageElement[], page: string): [string, ...string[]] {
  const found = elements.flatMap(({ element, live }) => {
    const href = element.tagName === 'base' ? attribute(element, 'href') : undefined;
    return href === undefined ? [] : { live, url: toUrl(href, page)?.href ?? page };
  });
  const { url = page } = found.find(({ live }) => live) ?? {};
  return [url, ...found.flatMap((one) => (one.live ? [] : one.url))];
}

/**
 * A page's name: its title, its first `h1`, or its path, with white space collapsed. Any other rule
 * also needs its elements in `read-tags.ts`, which keeps no others.
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
