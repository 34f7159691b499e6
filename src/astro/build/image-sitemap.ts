import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeXml } from '../../assets/formats/credit.ts';
import { formatRenditionPath, parseRenditionUrl } from '../../assets/formats/rendition-url.ts';
import { sitemapFile } from '../../config/options.ts';
import { compare } from '../../errors/compare.ts';
import { type Finding, finding } from '../../errors/errors.ts';
import { srcsetUrls } from '../../scan/extract/element-urls.ts';
import { attribute, type PageElement } from '../../scan/read/page-element.ts';
import { tagAttributes } from '../../scan/read/read-tags.ts';
import type { BuiltPage } from '../../scan/read-output.ts';
import { ignoreMissing } from '../../storage/file-problems.ts';
import { removeFile } from '../../storage/retry-locked-file.ts';
import type { SiteBuild } from './build-notes.ts';
import { writeBuiltFile } from './built-files.ts';

const mark = '<!-- The images of each page, by astro-media-asset -->';

/** By the protocol, and by the extension for images. */
const mostPages = 50_000;
const mostImages = 1000;

const errorPage = /(?:^|\/)(?:404|500)(?:\/index)?\.html$/;

/** Deletes the sitemap of an earlier build: its images may be forbidden by now. */
export async function removeImageSitemap(dir: string): Promise<void> {
  const path = join(dir, sitemapFile);
  const text = await readFile(path, 'utf8').catch(ignoreMissing);
  if (text?.includes(mark)) await removeFile(path);
}

/** Collects the images that visitors see on the pages that search engines may list. */
export function createImageSitemap({ images, languages, locations, config, published }: SiteBuild) {
  /** By page, then by what an image shows of its asset. */
  const pages = new Map<string, Map<string, { id: number; url: string; width: number }>>();
  return {
    add({ file, url: page, read }: BuiltPage): void {
      const elements = read.elements();
      if (errorPage.test(file) || elements.some((one) => isNoIndex(one, read.text))) return;
      const shown = pages.get(page) ?? new Map();
      for (const address of elements.flatMap(imageUrls).map(parseRenditionUrl)) {
        const rendition = address && images.publisher.issuedRendition(address);
        const path = address && formatRenditionPath(address);
        if (!rendition || !path || !published.has(path)) continue;
        const { id } = address;
        const { rectangle, width } = rendition;
        const key = JSON.stringify([id, rectangle]);
        const url = new URL(locations.toUrl(path), config.site).href;
        // Of two formats, the last one is the `<img>`'s own.
        if (width >= (shown.get(key)?.width ?? 0)) shown.set(key, { id, url, width });
      }
      pages.set(page, shown);
    },
    /** Writes the sitemap, unless the site has a file of that name. */
    async write(dir: string): Promise<Finding[]> {
      const records = images.publisher.digests();
      const isAllowed = (id: number, page: string) => {
        const { record } = records[id] ?? {};
        const shownIn = languages.each(languages.ofPage(page));
        return !record || shownIn.every((language) => record[language]?.mayShow);
      };
      const listed = Array.from(pages, ([page, shown]) => {
        const allowed = [...shown.values()].filter(({ id }) => isAllowed(id, page));
        return { page, urls: allowed.map(({ url }) => url).slice(0, mostImages) };
      }).filter(({ urls }) => urls.length > 0);
      if (listed.length === 0) return [];
      const path = join(dir, sitemapFile);
      if (existsSync(path)) return [finding('notice', 'sitemap-taken', { path: sitemapFile })];
      const first = listed.sort((a, b) => compare(a.page, b.page)).slice(0, mostPages);
      await writeBuiltFile(path, Buffer.from(sitemapXml(first)));
      return [];
    },
  };
}

/** The URLs of an element that search engines take for an image: no background, no link. */
function imageUrls({ element, live }: PageElement): string[] {
  if (!live || !/^(?:image|img|source|video)$/.test(element.tagName)) return [];
  const urls = ['src', 'poster', 'href', 'xLinkHref'].map((name) => attribute(element, name) ?? '');
  return [...srcsetUrls(attribute(element, 'srcSet') ?? ''), ...urls];
}

/** Whether it asks search engines not to list its page. */
function isNoIndex({ element, at }: PageElement, text: string): boolean {
  if (element.tagName !== 'meta' || !at) return false;
  const written = tagAttributes(text.slice(at[0] + '<meta'.length, at[1]));
  const isForRobots = /^(?:robots|googlebot|bingbot)$/i.test(written.get('name')?.trim() ?? '');
  return isForRobots && /\b(?:noindex|none)\b/i.test(written.get('content') ?? '');
}

function sitemapXml(pages: readonly { page: string; urls: readonly string[] }[]): string {
  const loc = (name: string, url: string) => `<${name}>${escapeXml(url)}</${name}>`;
  const entries = pages.map(({ page, urls }) => {
    const shown = urls.map((url) => `<image:image>${loc('image:loc', url)}</image:image>`);
    return `<url>${loc('loc', page)}${shown.join('')}</url>`;
  });
  const namespaces =
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"';
  const head = `<?xml version="1.0" encoding="UTF-8"?>\n${mark}\n<urlset ${namespaces}>`;
  return `${[head, ...entries].join('\n')}\n</urlset>\n`;
}
