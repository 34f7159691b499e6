import { isAssetId } from '../errors/asset-id.ts';
import { isMediaAssetError } from '../errors/errors.ts';
import { type SvgRule, svgRecipe } from './files/svg-rule.ts';
import {
  formatFacts,
  type OutputFormat,
  type Recipe,
  type RenditionSource,
} from './formats/rendition.ts';
import { originalOf } from './formats/source.ts';
import { fitImage } from './geometry/fit-image.ts';
import { type AssetRecord, creditOf } from './records/asset-record.ts';
import type { KnownRecord } from './records/records.ts';
import type { RightsGuard } from './records/rights-guard.ts';
import type { FindShown, Shown } from './renditions/find-shown.ts';
import {
  issueRenditions,
  issueSvg,
  layoutOf,
  publishedFormats,
  type RenditionIssuer,
} from './renditions/issue-renditions.ts';
import { findPlaceholder, placeholderStyle } from './renditions/small-images.ts';
import type {
  MediaAsset,
  MediaAssetRendition,
  MediaAssetRequest,
  MediaAssetSource,
  MediaCredit,
} from './request/media-asset.ts';
import {
  type ImageDefaults,
  type ParsedImage,
  type ParsedRequest,
  parseRequest,
  placingOf,
} from './request/parse-request.ts';
import type { Place } from './request/prop-readers.ts';
import { atPage } from './sources/asset-errors.ts';
import { refusedAssetError } from './sources/refusals.ts';
import type { SourceAccess } from './sources/source-bytes.ts';
import type { Sources } from './sources/sources.ts';

/**
 * Returns the URLs and sizes of an asset for a page, and enters its renditions in the catalogue.
 *
 * @throws an error that names the page: of the request (`parseRequest`), `crop-outside`,
 * `custom-format-mismatch`, `svg-refused`, `svg-not-cropped`,
 * `asset-unknown`, `asset-withdrawn`, `asset-forbidden`, `record-invalid`, `stale-too-long`, of the
 * download, or of the service
 */
export async function getMediaAsset(
  site: PageSite,
  request: MediaAssetRequest,
): Promise<MediaAsset> {
  const { record, parsed } = await readRequest(site, request);
  const { id, page } = parsed;
  try {
    const [main, ...directed] = await findAll(parsed, site.findShown);
    site.allowStale(id, page);
    site.shown.add(id);
    const { source, corner, rectangle } = main.shown;
    const placeholder = await findPlaceholder(site.access, {
      ...{ kind: parsed.placeholder, source, corner },
      rectangle: fitImage({ ...main.image, rectangle }).rectangle,
      background: site.delivery === 'static' ? parsed.background : undefined,
    });
    const hasSvg = [main, ...directed].some((one) => one.shown.source.kind === 'svg');
    const svg = hasSvg ? svgRecipe(site, { id, page }) : undefined;
    return {
      ...creditOf(record),
      ...(site.delivery === 'service'
        ? linkAsset(site.issueLink, parsed, { main, directed })
        : publishAsset(site, parsed, { main, directed, svg })),
      placeholder,
      placeholderStyle:
        placeholder !== undefined && site.styleAttributes
          ? placeholderStyle(placeholder, placingOf(main.image))
          : undefined,
    };
  } catch (thrown) {
    throw failureAt(site, { id, page }, thrown);
  }
}

function failureAt({ refusal }: PageSite, place: Place, thrown: unknown): unknown {
  const refused = refusal(place.id);
  return refused ? refusedAssetError(refused, [place.page]) : atPage(thrown, place);
}

interface PageSite {
  defaults: ImageDefaults | undefined;
  delivery: 'static' | 'service';
  svg: SvgRule | undefined;
  styleAttributes: boolean;
  findShown: FindShown;
  issuer: RenditionIssuer;
  access: SourceAccess;
  refusal: Sources['refusal'];
  record: RightsGuard['show'];
  /** @throws `stale-too-long` */
  allowStale: (id: number, page: string) => void;
  shown: Set<number>;
  toAbsolute: (url: string) => string;
  /** Enters the service's own URL of a source in the catalogue. */
  issueLink: (url: string, source: RenditionSource) => void;
}

async function readRequest(
  site: PageSite,
  request: MediaAssetRequest,
): Promise<{
  record: AssetRecord | undefined;
  parsed: ParsedRequest & { credit: KnownRecord['embedded'] };
}> {
  const { access, defaults } = site;
  const known = isAssetId(request.id)
    ? await site.record(request).catch((thrown: unknown) => {
        throw failureAt(site, request, thrown);
      })
    : undefined;
  try {
    const asked = parseRequest(request, { ...defaults, record: known?.record });
    return { record: known?.record, parsed: { ...asked, credit: known?.embedded } };
  } catch (thrown) {
    if (!known || !isMediaAssetError(thrown, 'alt-missing')) throw thrown;
    // If the service doesn't deliver the asset, that's a better reason than a missing text.
    await access.sources.get(originalOf(request.id)).catch(() => {});
    throw failureAt(site, request, thrown);
  }
}

/** The image of the request, then those of its `sources`. */
async function findAll(request: ParsedRequest, findShown: FindShown): Promise<[Found, ...Found[]]> {
  const find = async (image: ParsedImage) => ({
    image,
    shown: await findShown(request, image.crop),
  });
  const found: [Found, ...Found[]] = [await find(request.image)];
  for (const image of request.sources) found.push(await find(image));
  return found;
}

interface Found {
  readonly image: ParsedImage;
  readonly shown: Shown;
}

interface Images {
  readonly main: Found;
  readonly directed: readonly Found[];
}

type WithoutPlaceholder = Omit<MediaAsset, 'placeholder' | 'placeholderStyle' | keyof MediaCredit>;

/** @param images.svg the recipe, if one of the images is an SVG */
function publishAsset(
  { issuer, toAbsolute }: { issuer: RenditionIssuer; toAbsolute: (url: string) => string },
  request: ParsedRequest,
  { main, directed, svg }: Images & { svg: Recipe | undefined },
): WithoutPlaceholder {
  const { fallback, choices } = publishedFormats(request, main.shown.source);
  const issueAs = (found: Found, format: OutputFormat) => {
    if (format !== 'svg') return issueRenditions(issuer, request, { ...found, format });
    if (!svg) throw new Error('An SVG has a recipe.');
    return issueSvg(issuer, request, { ...found, recipe: svg });
  };
  const img = issueAs(main, fallback);
  const formatsFor = ({ shown: { source } }: Found) => {
    // All parts of an asset have the same formats, except when only one of them is an SVG.
    const alike = (source.kind === 'svg') === (fallback === 'svg');
    const own = alike ? { fallback, choices } : publishedFormats(request, source);
    return [...own.choices, own.fallback];
  };
  const toSource = (found: Found, format: OutputFormat): MediaAssetSource => {
    const { main: first, renditions, sizes, layout } = issueAs(found, format);
    return {
      media: found.image.media,
      type: formatFacts[format].contentType,
      srcset: renditions.length > 1 || sizes !== undefined ? toSrcset(renditions) : first.url,
      sizes,
      ...layout,
      renditions,
    };
  };
  return {
    ...commonOf(request, main),
    src: img.main.url,
    url: toAbsolute(img.main.url),
    srcset: img.renditions.length > 1 ? toSrcset(img.renditions) : undefined,
    sizes: img.renditions.length > 1 ? img.sizes : undefined,
    width: img.layout.width,
    height: img.layout.height,
    sources: [
      ...directed.flatMap((found) => formatsFor(found).map((format) => toSource(found, format))),
      ...choices.map((format) => toSource(main, format)),
    ],
    renditions: img.renditions,
  };
}

/** Links the service's own URLs: one size per image, in the service's format. */
function linkAsset(
  issueLink: PageSite['issueLink'],
  request: ParsedRequest,
  { main, directed }: Images,
): WithoutPlaceholder {
  const link = ({ shown }: Found) => {
    const url = shown.customFormatUrl ?? shown.originalUrl;
    issueLink(url, { reference: shown.source.reference, hash: shown.source.hash });
    return url;
  };
  const src = link(main);
  return {
    ...commonOf(request, main),
    src,
    url: src,
    srcset: undefined,
    sizes: undefined,
    ...layoutOf(main.image, main.shown),
    sources: directed.map((found) => ({
      media: found.image.media,
      type: contentTypeOf(found.shown.source),
      srcset: link(found),
      sizes: undefined,
      ...layoutOf(found.image, found.shown),
      renditions: [],
    })),
    renditions: [],
  };
}

function commonOf({ id, alt, image }: ParsedRequest, { shown }: Found) {
  const { customFormatUrl, originalUrl } = shown;
  return { id, alt, ...placingOf(image), customFormatUrl, originalUrl };
}

function contentTypeOf({ kind }: Shown['source']): string {
  return kind === 'tiff' ? 'image/tiff' : formatFacts[kind].contentType;
}

function toSrcset(renditions: readonly MediaAssetRendition[]): string {
  return renditions.map(({ url, descriptor }) => `${url} ${descriptor}`).join(', ');
}
