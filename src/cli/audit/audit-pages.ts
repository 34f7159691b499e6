import { join } from 'node:path';
import type { CommandSite } from '../../assets/command-site.ts';
import { readKnownRecord, requestOf } from '../../assets/records/records.ts';
import type { Verdict } from '../../assets/records/verdict.ts';
import { inLanguage } from '../../assets/request/asking.ts';
import { readFacts } from '../../assets/store/asset-facts.ts';
import type { InLanguages } from '../../config/languages.ts';
import { compare } from '../../errors/compare.ts';
import { assetUrlReader } from '../../scan/extract/asset-url.ts';
import {
  listItem,
  type PageImage,
  pageImages,
  visibleText,
} from '../../scan/extract/page-images.ts';
import type { AddressRules } from '../../scan/page-url.ts';
import type { BuiltPage } from '../../scan/read-output.ts';
import type { PageScan } from '../../scan/scan-page.ts';
import type { BuildRules } from '../../usage/build-rules.ts';

/** An asset on a page. What isn't known is missing. */
export interface AuditedImage extends Partial<Omit<PageImage, 'marked' | 'urls'>> {
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
}

interface AuditRequest extends Partial<Pick<CommandSite, 'languages' | 'record'>> {
  readonly rules: AddressRules & Pick<BuildRules, 'service' | 'names'>;
  /** The cache's folder of this service. */
  readonly cache: string;
  /** In ms since the epoch. */
  readonly now: number;
}

/** Lists the assets on the pages of a scan with what the pages and the cache say about them. */
export function createAudit({ rules, ...known }: AuditRequest) {
  const { languages } = known;
  const { idOf } = assetUrlReader(rules);
  const found: AuditedImage[] = [];
  /** The assets in lists of credits. Their page can be one that isn't reported. */
  const listed = new Set<number>();
  const described = new Map<string, ReturnType<typeof describeAsset>>();

  function describe(id: number, use: InLanguages | undefined) {
    const key = `${id} ${use?.shownIn}`;
    const asset = described.get(key) ?? describeAsset(id, use, known);
    described.set(key, asset);
    return asset;
  }

  function imagesOf(page: string, read: BuiltPage['read'], assets: readonly number[]): object[] {
    if (assets.length === 0 && !read.text.includes(listItem)) return [];
    const content = pageImages({ text: read.text, elements: read.elements() });
    for (const id of content.listed) listed.add(id);
    let text: string | undefined;
    const says = (name: string) => {
      text ??= plainText(visibleText(read.text));
      return text.includes(name);
    };
    const use = languages && inLanguage(languages.ofPage(page), undefined, languages);
    const images = content.images.flatMap(({ marked, urls, ...image }) => {
      const named = marked.length > 0 ? marked : urls.map((url) => idOf(url, page));
      const shown = assets.filter((id) => named.includes(id));
      return shown.map((id) => ({ id, as: 'image', ...image }));
    });
    const others = assets.filter((asset) => !images.some(({ id }) => id === asset));
    return [...images, ...others.map((id) => ({ id, language: undefined }))].map((image) => {
      const { id, language = use?.texts || undefined } = image;
      const { asset, credits } = describe(id, use);
      const credited = credits?.some((names) => names.every(says));
      const labelled = content.labelled.includes(id);
      return { ...asset, credited, labelled, ...image, name: rules.names?.[id], page, language };
    });
  }

  return {
    add({ url, read }: BuiltPage, scan: PageScan | undefined): void {
      const images = imagesOf(url, read, scan?.usage.assets ?? []);
      // A copy, because a part of a page's text would keep all of it in memory.
      found.push(...JSON.parse(JSON.stringify(images)));
    },
    images: (): AuditedImage[] =>
      found
        .map((image) =>
          image.credit && listed.has(image.id) ? { ...image, credited: true } : image,
        )
        .sort((one, other) => compare(one.page, other.page)),
  };
}

/** What the cache knows of an asset. A page credits it if it has all names of one of `credits`. */
function describeAsset(
  id: number,
  use: InLanguages | undefined,
  { cache, languages, record, now }: Omit<AuditRequest, 'rules'>,
) {
  const { sources, record: stored } = readFacts(join(cache, String(id))) ?? {};
  const { original, file } = sources ?? {};
  const image = original && 'width' in original ? original : undefined;
  const own = image && (image.digitalSourceType ?? '');
  const asset = { as: file && !original ? 'file' : 'other', origin: record ? undefined : own };
  // With other fields than the build's, the site may read something else.
  if (!record || !languages || !use || !stored || stored.asked !== requestOf(record).asked)
    return { asset };
  const request = { ...use, id, known: stored, languages, now };
  const { record: found, verdict } = readKnownRecord(record, request);
  const { credit, copyright, creators = [] } = found ?? {};
  const credits = [[credit ?? ''], [copyright ?? ''], creators].filter((names) => names.join(''));
  const text = credits[0]?.join(', ') ?? '';
  return {
    asset: {
      ...{ ...asset, credit: text, rights: verdict.state, until: verdict.until },
      origin: found?.digitalSourceType ?? own,
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
