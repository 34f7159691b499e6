import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CommandSite } from '../../assets/command-site.ts';
import type { Size } from '../../assets/formats/rendition.ts';
import { formatRenditionPath, parseRenditionUrl } from '../../assets/formats/rendition-url.ts';
import { readKnownRecord } from '../../assets/records/records.ts';
import { localeOfPage } from '../../assets/records/site-languages.ts';
import type { Verdict } from '../../assets/records/verdict.ts';
import { readFacts } from '../../assets/store/asset-facts.ts';
import { assetUrlReader } from '../../scan/extract/asset-url.ts';
import type { Manifest } from '../../scan/manifest.ts';
import { type AddressRules, pageUrls } from '../../scan/page-url.ts';
import { decodePage } from '../../scan/read/read-page.ts';
import { readSiteFile } from '../../scan/read/read-site-file.ts';
import { htmlFiles } from '../../scan/read/site-files.ts';
import type { BuildRules } from '../../usage/build-rules.ts';
import { listItem, type PageImage, readImages } from './read-images.ts';

/** An asset on a page. What isn't known is missing. */
export interface AuditedImage extends Partial<Omit<PageImage, 'marked' | 'urls' | 'file'>> {
  readonly id: number;
  readonly name?: string;
  readonly page: string;
  /** `image`: an `<img>`. `file`: published unchanged. `other`: in a stylesheet, a poster, … */
  readonly as: 'image' | 'file' | 'other';
  /** The credit, the copyright or the creators of its record; `''` without any. */
  readonly credit?: string;
  /** Whether the page's text contains one of them, or a list of the site's credits has the asset. */
  readonly credited?: boolean;
  readonly rights?: Verdict['state'];
  /** The last day on which it may be shown, in UTC. */
  readonly until?: string;
  /** The term of its digital source type, such as `trainedAlgorithmicMedia`; `''` without one. */
  readonly origin?: string;
  /** Whether the page has a label for it. */
  readonly labelled: boolean;
  /** Of the file for the shown size. */
  readonly bytes?: number;
  readonly original?: Size;
}

interface AuditRequest extends Partial<Pick<CommandSite, 'record' | 'rights'>> {
  /** The folder of built pages (absolute). */
  readonly dir: string;
  readonly rules: AddressRules & Pick<BuildRules, 'service' | 'names' | 'stamp'>;
  readonly pages: Manifest['pages'];
  /** The cache's folder of this service. */
  readonly cache: string;
  /** In ms since the epoch. */
  readonly now: number;
}

/** Lists the assets on built pages with what the pages and the cache say about them. */
export function auditPages({ dir, rules, pages, ...known }: AuditRequest): AuditedImage[] {
  const { idOf } = assetUrlReader(rules.service ? [rules.service] : [], rules.site);
  const urlOf = pageUrls(rules);
  const files = Map.groupBy(htmlFiles(dir, Boolean), urlOf);
  /** The assets in the site's lists of credits. */
  const listed = new Set<number>();
  const assetsOf = new Map<string, ReturnType<typeof describeAsset>>();

  function bytesOf(url: string, asset: number): number | undefined {
    const address = parseRenditionUrl(url);
    if (address?.id !== asset) return undefined;
    // The stamp is next to the images.
    const folder = join(dir, dirname(rules.stamp || '_astro/media-asset'));
    return statSync(join(folder, formatRenditionPath(address)), { throwIfNoEntry: false })?.size;
  }

  function describe(id: number, locale: string | undefined) {
    const key = `${id} ${locale}`;
    const asset = assetsOf.get(key) ?? describeAsset(id, locale, known);
    assetsOf.set(key, asset);
    return asset;
  }

  function audit({ page, assets }: Manifest['pages'][number]): object[] {
    const read = (files.get(page) ?? []).flatMap((file) => {
      const bytes = readSiteFile(join(dir, file));
      const isNeeded = bytes && (assets.length > 0 || bytes.includes(listItem));
      return isNeeded ? readImages(decodePage(bytes).text) : [];
    });
    for (const id of read.flatMap((one) => one.listed)) listed.add(id);
    const text = plainText(read.map((one) => one.text).join(' '));
    const locale = localeOfPage(page, known.record ?? {});
    const images = read.flatMap((one) =>
      one.images.flatMap(({ marked, urls, file, ...image }) => {
        const named = marked.length > 0 ? marked : urls.map((url) => idOf(url, page));
        return assets
          .filter((id) => named.includes(id))
          .map((id) => ({ id, as: 'image', ...image, bytes: bytesOf(file, id) }));
      }),
    );
    const others = assets.filter((asset) => !images.some(({ id }) => id === asset));
    return [...images, ...others.map((id) => ({ id, language: undefined }))].map((image) => {
      const { asset, credits } = describe(image.id, locale);
      const credited = credits?.some((names) => names.every((name) => text.includes(name)));
      const { id, language = locale } = image;
      const labelled = read.some((one) => one.labelled.includes(id));
      const name = rules.names?.[id];
      return { ...asset, credited, labelled, ...image, name, page, language };
    });
  }

  // A copy, because a part of a page's text would keep all of it in memory.
  const images: AuditedImage[] = pages.flatMap((page) => JSON.parse(JSON.stringify(audit(page))));
  return images.map((image) =>
    image.credit && listed.has(image.id) ? { ...image, credited: true } : image,
  );
}

/** What the cache knows of an asset. A page credits it if it has all names of one of `credits`. */
function describeAsset(
  id: number,
  locale: string | undefined,
  { cache, record, rights, now }: Omit<AuditRequest, 'dir' | 'rules' | 'pages'>,
) {
  const { sources, record: stored } = readFacts(join(cache, String(id))) ?? {};
  const { original, file } = sources ?? {};
  const isImage = original && 'width' in original;
  const own = isImage ? (original.digitalSourceType ?? '') : undefined;
  const asset = {
    as: file && !original ? 'file' : 'other',
    original,
    origin: record ? undefined : own,
  };
  // With other fields than the build's, the site may read something else.
  if (!record || !rights || stored?.asked !== record.fields.join(',')) return { asset };
  const request = { id, fields: stored.fields, locale, now, rights };
  const { record: found, verdict } = readKnownRecord(record, request);
  const { credit, copyright, creators } = found;
  const credits = [[credit ?? ''], [copyright ?? ''], creators].filter((names) => names.join(''));
  const text = credits[0]?.join(', ') ?? '';
  return {
    asset: {
      ...{ ...asset, credit: text, rights: verdict.state, until: verdict.until },
      origin: found.digitalSourceType ?? own,
    },
    credits: credits.map((names) => names.map(plainText)),
  };
}

/** Words in lower case between spaces, so that a text contains others only as whole words. */
function plainText(text: string): string {
  // Faster than Unicode's classes: what isn't in ASCII is a letter, except for its punctuation.
  const other = /[^a-z\d\u00c0-\u1fff\u2070-\u2fff\u3040-\uffff]+/g;
  return ` ${text.normalize().toLowerCase().replace(other, ' ').trim()} `;
}
