import { isAssetId } from '../errors/asset-id.ts';
import { isMediaAssetError } from '../errors/errors.ts';
import type { AssetParts, OnPages } from './asset-parts.ts';
import { assertSvgTrusted } from './files/file-rules.ts';
import { contentTypeOf, formatFacts, type OutputFormat } from './formats/output-formats.ts';
import { originalOf } from './formats/source.ts';
import { fitImage } from './geometry/fit-image.ts';
import { creditOf } from './records/asset-record.ts';
import type { KnownRecord } from './records/records.ts';
import type { Shown } from './renditions/find-shown.ts';
import {
  type CreditedRequest,
  issueImage,
  layoutOf,
  publishedFormats,
} from './renditions/issue-renditions.ts';
import { findPlaceholder, placeholderStyle } from './renditions/small-images.ts';
import type { Asking } from './request/asking.ts';
import type {
  MediaAsset,
  MediaAssetRendition,
  MediaAssetRequest,
  MediaAssetSource,
} from './request/media-asset.ts';
import { type ParsedImage, type ParsedRequest, parseRequest } from './request/parse-request.ts';
import { placingOf } from './request/props.ts';
import { atPage } from './sources/asset-errors.ts';
import { refusedAssetError } from './sources/refusals.ts';
import { SourceLost } from './sources/source-bytes.ts';

/** Mistakes in a request, whether its asset can be shown or not. */
const mistakes = ['asset-id-invalid', 'crop-invalid', 'prop-invalid'] as const;

/**
 * Creates the function that returns the URLs and sizes of an asset for a page, and enters its renditions
 * in the catalogue. Its errors name the page and the place.
 *
 * @param site.orPlaceholder returns a placeholder instead of an error, or throws it
 */
export function createGetMediaAsset(
  site: Pick<AssetParts, 'options' | 'access' | 'bytes' | 'onPages' | 'findShown'> & {
    orPlaceholder: (
      request: MediaAssetRequest,
      asking: Asking,
      thrown: unknown,
    ) => Promise<MediaAsset>;
  },
): (request: MediaAssetRequest, asking: Asking) => Promise<MediaAsset> {
  const { access, onPages, findShown, orPlaceholder } = site;
  const { mode, defaults, delivery, svg, sourceLabel } = site.options;
  const { sources } = access;

  async function show(
    request: ParsedRequest,
    { record, embedded }: Partial<KnownRecord>,
    asking: Asking,
  ): Promise<MediaAsset> {
    const { id, alt, subject } = request;
    const find = async (image: ParsedImage) => ({
      image,
      shown: await findShown(subject, image.crop),
    });
    const main = await find(request.image);
    const images: Images = [main];
    for (const image of request.sources) images.push(await find(image));
    const own = main.shown.digitalSourceType;
    const credit = own ? { digitalSourceType: own, ...embedded } : embedded;
    const digitalSourceType = record?.digitalSourceType ?? own;
    onPages.allowStale(subject);
    onPages.shown.add(id);
    const { source, corner, rectangle, customFormatUrl, originalUrl } = main.shown;
    const placing = placingOf(main.image);
    const { placeholder: kind } = request;
    const mayBeInline =
      kind === 'none' ||
      (await onPages.record(asking, true).then(
        () => true,
        () => false,
      ));
    const placeholder = await findPlaceholder(access, {
      ...{ kind: mayBeInline ? kind : 'none', source, corner },
      rectangle: fitImage({ ...main.image, rectangle }).rectangle,
      background: delivery === 'static' ? request.background : undefined,
    }).catch((thrown: unknown) => {
      if (!main.shown.kept || !(thrown instanceof SourceLost)) throw thrown;
      return undefined;
    });
    // No SVG is cropped, so all images are this one.
    if (source.kind === 'svg') assertSvgTrusted(svg, subject);
    const published =
      delivery === 'service'
        ? linkAsset(onPages.issueLink, images)
        : publishAsset(site, { ...request, credit }, images);
    return {
      ...{ ...creditOf(record), digitalSourceType },
      sourceLabel: sourceLabel?.(digitalSourceType, asking.texts),
      ...{ id, alt, ...placing, customFormatUrl, originalUrl },
      ...published,
      placeholder,
      placeholderStyle:
        placeholder === undefined ? undefined : placeholderStyle(placeholder, placing),
    };
  }

  return async (request, asking) => {
    const { id } = asking;
    onPages.ask(id, 'original');
    let known: KnownRecord | undefined;
    try {
      known = isAssetId(id) ? await onPages.record(asking) : undefined;
      const parsed = parseRequest(
        { ...request, inMarkdown: undefined, ...asking },
        { ...defaults, record: known?.record },
      );
      // In dev, an author waits for each image, and AVIF takes seven times as long as WebP.
      const isQuick = mode === 'dev' && parsed.formats.length > 1;
      const formats = parsed.formats.filter((one) => !isQuick || one !== 'avif');
      return await show({ ...parsed, formats }, known ?? {}, asking);
    } catch (thrown) {
      if (known && isMediaAssetError(thrown, 'alt-missing')) {
        // If the service doesn't deliver the asset, that's a better reason than a missing text.
        await sources.get(originalOf(id)).catch(() => {});
      }
      const refused = isMediaAssetError(thrown, ...mistakes) ? undefined : sources.refusal(id);
      const error = refused ? refusedAssetError(refused, [asking]) : atPage(thrown, asking);
      return orPlaceholder(request, asking, error);
    }
  };
}

interface Pictured {
  readonly image: ParsedImage;
  readonly shown: Shown;
}

/** The image of the request, then those of its `sources`. */
type Images = [main: Pictured, ...directed: Pictured[]];

type PublishedImage = Pick<
  MediaAsset,
  'src' | 'url' | 'srcset' | 'sizes' | 'width' | 'height' | 'sources' | 'renditions'
>;

function publishAsset(
  site: Pick<AssetParts, 'options' | 'access' | 'bytes' | 'onPages'>,
  request: CreditedRequest,
  [main, ...directed]: Images,
): PublishedImage {
  const { noteStill, toAbsolute } = site.onPages;
  const { fallback, choices } = publishedFormats(request, main.shown.source);
  const { kind, animated, isStill } = main.shown.source;
  if (isStill) noteStill(request.subject, kind, isStill);
  else if (animated && !formatFacts[fallback].animates)
    noteStill(request.subject, fallback, isStill);
  const issueAs = (found: Pictured, format: OutputFormat) =>
    issueImage(site, request, { ...found, format });
  const img = issueAs(main, fallback);
  const toSource = (found: Pictured, format: OutputFormat): MediaAssetSource => {
    const { main: first, renditions, sizes, layout } = issueAs(found, format);
    return {
      media: found.image.media,
      type: contentTypeOf(format),
      srcset: renditions.length > 1 || sizes !== undefined ? toSrcset(renditions) : first.url,
      sizes,
      ...layout,
      renditions,
    };
  };
  return {
    src: img.main.url,
    url: toAbsolute(img.main.url),
    srcset: img.renditions.length > 1 ? toSrcset(img.renditions) : undefined,
    sizes: img.renditions.length > 1 ? img.sizes : undefined,
    ...img.layout,
    sources: [
      ...directed.flatMap((found) => {
        const own = publishedFormats(request, found.shown.source);
        return [...own.choices, own.fallback].map((format) => toSource(found, format));
      }),
      ...choices.map((format) => toSource(main, format)),
    ],
    renditions: img.renditions,
  };
}

/** The service's own URLs: one size per image, in the service's format. */
function linkAsset(issueLink: OnPages['issueLink'], [main, ...directed]: Images): PublishedImage {
  const link = ({ shown }: Pictured) => {
    const url = shown.customFormatUrl ?? shown.originalUrl;
    issueLink(url, { reference: shown.source.reference, hash: shown.source.hash });
    return url;
  };
  const src = link(main);
  return {
    src,
    url: src,
    srcset: undefined,
    sizes: undefined,
    ...layoutOf(main.image, main.shown),
    sources: directed.map((found) => ({
      media: found.image.media,
      type: contentTypeOf(found.shown.source.kind),
      srcset: link(found),
      sizes: undefined,
      ...layoutOf(found.image, found.shown),
      renditions: [],
    })),
    renditions: [],
  };
}

function toSrcset(renditions: readonly MediaAssetRendition[]): string {
  return renditions.map(({ url, descriptor }) => `${url} ${descriptor}`).join(', ');
}
