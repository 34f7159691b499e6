import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CommandSite } from '../../assets/command-site.ts';
import type { Size } from '../../assets/formats/rendition.ts';
import { formatRenditionPath, parseRenditionUrl } from '../../assets/formats/rendition-url.ts';
import { readKnownRecord } from '../../assets/records/records.ts';
import { localeOfPage } from '../../assets/records/site-languages.ts';
import type { Verdict } from '../../assets/records/verdict.ts';
import { readFacts } from '../../assets/store/asset-facts.ts';
import { compare } from '../../scan/compare.ts';
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
  const assetsOf = new Map(pages.map(({ page, assets }) => [page, assets]));
  const files = Map.groupBy(htmlFiles(dir, Boolean), pageUrls(rules));
  /** The assets in lists of credits. Their page can be one that isn't reported. */
  const listed = new Set<number>();
  const described = new Map<string, ReturnType<typeof describeAsset>>();

  function bytesOf(url: string, asset: number): number | undefined {
    const address = parseRenditionUrl(url);
    if (address?.id !== asset) return undefined;
    // The stamp is next to the images.
    const folder = join(dir, dirname(rules.stamp || '_astro/media-asset'));
    return statSync(join(folder, formatRenditionPath(address)), { throwIfNoEntry: false })?.size;
  }

  function describe(id: number, locale: string | undefined) {
    const key = `${id} ${locale}`;
    const asset = described.get(key) ?? describeAsset(id, locale, known);
    described.set(key, asset);
    return asset;
  }

  function audit([page, names]: [page: string, names: readonly string[]]): object[] {
    const assets = assetsOf.get(page) ?? [];
    const contents = names.flatMap((name) => readSiteFile(join(dir, name)) ?? []);
    if (assets.length === 0 && !contents.some((one) => one.includes(listItem))) return [];
    const read = readImages(contents.map((one) => decodePage(one).text).join(''));
    for (const id of read.listed) listed.add(id);
    const text = plainText(read.text);
    const locale = localeOfPage(page, known.record ?? {});
    const images = read.images.flatMap(({ marked, urls, file, ...image }) => {
      const named = marked.length > 0 ? marked : urls.map((url) => idOf(url, page));
      return assets
        .filter((id) => named.includes(id))
        .map((id) => ({ id, as: 'image', ...image, bytes: bytesOf(file, id) }));
    });
    const others = assets.filter((asset) => !images.some(({ id }) => id === asset));
    return [...images, ...others.map((id) => ({ id, language: undefined }))].map((image) => {
      const { id, language = locale } = image;
      const { asset, credits } = describe(id, locale);
      const credited = credits?.some((names) => names.every((name) => text.includes(name)));
      const labelled = read.labelled.includes(id);
      return { ...asset, credited, labelled, ...image, name: rules.names?.[id], page, language };
    });
  }

  // A copy, because a part of a page's text would keep all of it in memory.
  const images: AuditedImage[] = [...files]
    .sort(([one], [other]) => compare(one, other))
    .flatMap((page) => JSON.parse(JSON.stringify(audit(page))));
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
  const image = original && 'width' in original ? original : undefined;
  const own = image && (image.digitalSourceType ?? '');
  const asset = {
    as: file && !original ? 'file' : 'other',
    original: image && { width: image.width, height: image.height },
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
    // No page can be searched for one without letters, such as “©”.
    credits: credits.map((names) => names.map(plainText)).filter((names) => names.join('').trim()),
  };
}

/** Words in lower case between spaces, so that a text contains others only as whole words. */
function plainText(text: string): string {
  // Faster than Unicode's classes: what isn't in ASCII is a letter, except for its punctuation.
  const other = /[^a-z\d\u00c0-\u1fff\u2070-\u2fff\u3040-\uffff]+/g;
  return ` ${text.normalize().toLowerCase().replace(other, ' ').trim()} `;
}
