import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Parser } from 'htmlparser2';
import type { CommandSite } from '../../assets/command-site.ts';
import type { Size } from '../../assets/formats/rendition.ts';
import { formatRenditionPath, parseRenditionUrl } from '../../assets/formats/rendition-url.ts';
import { readKnownRecord } from '../../assets/records/records.ts';
import { localeOfPage } from '../../assets/records/site-languages.ts';
import type { Verdict } from '../../assets/records/verdict.ts';
import { readFacts } from '../../assets/store/asset-facts.ts';
import { assetUrlReader, readIds } from '../../scan/extract/asset-url.ts';
import { srcsetUrls } from '../../scan/extract/element-urls.ts';
import { compare, type Manifest } from '../../scan/manifest.ts';
import { type AddressRules, pageUrls } from '../../scan/page-url.ts';
import { decodePage } from '../../scan/read/read-page.ts';
import { readSiteFile } from '../../scan/read/read-site-file.ts';
import { htmlFiles } from '../../scan/read/site-files.ts';
import type { BuildRules } from '../../usage/build-rules.ts';

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
  const { idOf } = assetUrlReader(rules);
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

/** An `<img>` as a page has it, with the sources of its `<picture>`. */
interface PageImage {
  /** The IDs in `data-media-asset`. */
  readonly marked: readonly number[];
  /** If there's none, the URLs of its files, as written. */
  readonly urls: readonly string[];
  /** `''` for decoration; `undefined` if it's missing. */
  readonly alt: string | undefined;
  /** Whether screen readers skip it, or take its text from elsewhere. */
  readonly needsNoAlt: boolean;
  /** `lang` of the nearest element that has one. */
  readonly language: string | undefined;
  /** On a wide screen, in layout pixels; `undefined` if the page doesn't say it. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** The URL of the file that a browser takes there, with a device pixel for each layout pixel. */
  readonly file: string;
}

type Attributes = Readonly<Record<string, string>>;

/** The ID of an item in a list of credits starts with this, and ends with the asset's. */
const listItem = 'media-credit-';

const silent = new Set(['noscript', 'script', 'style', 'template', 'title']);

/**
 * Reads the images of a page, its visible text, and the IDs of the assets in its labels and its lists of
 * credits. The scan decides which assets the page shows, so this needn't nest elements as exactly as a
 * browser: a parser would take five times as long.
 */
export function readImages(html: string) {
  const images: PageImage[] = [];
  const labelled: number[] = [];
  const listed: number[] = [];
  const texts: string[] = [];
  const open: { name: string; language: string | undefined; isSilent: boolean }[] = [];
  let sources: Attributes[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      const around = open.at(-1);
      const language = (attributes.lang ?? around?.language)?.trim() || undefined;
      open.push({ name, language, isSilent: around?.isSilent || silent.has(name) });
      texts.push(' ');
      const { id, 'data-media-asset-label': label } = attributes;
      if (label) labelled.push(...readIds(label).ids);
      if (id?.startsWith(listItem)) listed.push(...readIds(id.slice(listItem.length)).ids);
      if (name === 'picture') sources = [];
      if (name === 'source') sources.push(attributes);
      if (name !== 'img') return;
      images.push(toImage(attributes, around?.name === 'picture' ? sources : [], language));
    },
    ontext(text) {
      if (!open.at(-1)?.isSilent) texts.push(text);
    },
    onclosetag() {
      open.pop();
      texts.push(' ');
    },
  });
  parser.end(html);
  return { images, text: texts.join(''), labelled, listed };
}

function toImage(
  image: Attributes,
  sources: readonly Attributes[],
  language: string | undefined,
): PageImage {
  // Those with `media` are for other screens.
  const { srcset = '', sizes } = sources.find(({ media }) => !media) ?? image;
  const [own = 0, high = 0] = [image.width, image.height].map((side = '') =>
    /^\d{1,6}(?:\.\d+)?$/.test(side) ? Number(side) : 0,
  );
  const width = (wideWidth(sizes) ?? own) || undefined;
  const marked = readIds(image['data-media-asset'] ?? '').ids;
  const sets = marked.length > 0 ? [] : [image, ...sources].map((one) => one.srcset ?? '');
  return {
    marked,
    urls: [image.src ?? '', ...sets.flatMap(srcsetUrls)],
    alt: image.alt?.replace(/\s+/g, ' ').trim(),
    needsNoAlt:
      /^(?:none|presentation)$/.test(image.role ?? '') ||
      image['aria-hidden'] === 'true' ||
      Boolean(image['aria-label'] || image['aria-labelledby']),
    language,
    width,
    height: (width && own && Math.round((width * high) / own)) || undefined,
    file: fileFor(srcset, width) ?? image.src ?? '',
  };
}

/** The width on a wide screen: that of the first `min-width`, or else the last one. */
function wideWidth(sizes = ''): number | undefined {
  const entries = sizes.split(/,(?![^(]{0,1000}\))/);
  const entry = entries.find((one) => one.includes('min-width')) ?? entries.at(-1);
  const [, value, unit = ''] = /(?:^|\s)([\d.]{1,9})(px|r?em|vw)\s*$/.exec(entry ?? '') ?? [];
  // In pixels, on a screen of 1440.
  const pixels = { px: 1, em: 16, rem: 16, vw: 14.4 }[unit];
  return pixels && Number(value) * pixels;
}

/**
 * The smallest file that's as wide as the image, or the largest; `undefined` without descriptors. An
 * inlined image can have many thousand characters.
 */
function fileFor(srcset: string, width = 1): string | undefined {
  const listed = Array.from(
    srcset.matchAll(/(?<![^\s,])([^\s,]\S{0,2000})\s+([\d.]{1,12})([wx])/g),
    ([, url, value, unit]) => ({ url, density: Number(value) / (unit === 'w' ? width : 1) }),
  ).sort((one, other) => one.density - other.density);
  return (listed.find(({ density }) => density >= 1) ?? listed.at(-1))?.url;
}
