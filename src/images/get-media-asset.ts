import { atPage } from './at-page.ts';
import { findPlaceholder } from './find-placeholder.ts';
import { findShown, type Shown } from './find-shown.ts';
import { fitPicture } from './fit-picture.ts';
import type { ImagesContext } from './images-context.ts';
import { issueRenditions, layoutOf } from './issue-renditions.ts';
import type {
  MediaAsset,
  MediaAssetRendition,
  MediaAssetRequest,
  MediaAssetSource,
} from './media-asset.ts';
import { type ParsedPicture, type ParsedRequest, parseRequest } from './parse-request.ts';
import { publishedFormats } from './published-formats.ts';
import { refusedAssetError } from './refused-asset.ts';
import { formatFacts, type RenditionFormat } from './rendition.ts';

/**
 * Gives a page the addresses and sizes of an asset, and notes them in the catalogue.
 *
 * @throws an error that names the page: of the request (`parseRequest`), `crop-outside`,
 * `custom-format-mismatch`, `asset-unknown`, `asset-withdrawn`, `asset-stale-too-long`, of the
 * download, or of the service
 */
export async function getMediaAsset(
  context: ImagesContext,
  request: MediaAssetRequest,
): Promise<MediaAsset> {
  const parsed = parseRequest(request, context.options.defaults);
  const { id, page } = parsed;
  try {
    const shown = await findShown(context, parsed, parsed.picture);
    const directed = [];
    for (const picture of parsed.sources) {
      directed.push({ picture, shown: await findShown(context, parsed, picture) });
    }
    if (context.options.mode === 'build') context.allowStale(id, page);
    context.shown.add(id);
    const main = { picture: parsed.picture, shown };
    const placeholder = await placeholderOf(context, parsed, main);
    const pictures = { main, directed };
    return context.options.delivery === 'service'
      ? { ...linkAsset(context, parsed, pictures), placeholder }
      : { ...publishAsset(context, parsed, pictures), placeholder };
  } catch (thrown) {
    const refused = context.sources.refusal(id);
    throw refused ? refusedAssetError(refused, [page]) : atPage(thrown, { page, id });
  }
}

/** A picture of the request, and what it shows. */
interface Found {
  readonly picture: ParsedPicture;
  readonly shown: Shown;
}

interface Pictures {
  readonly main: Found;
  readonly directed: readonly Found[];
}

function publishAsset(
  context: ImagesContext,
  request: ParsedRequest,
  { main, directed }: Pictures,
): Omit<MediaAsset, 'placeholder'> {
  const { fallback, choices } = publishedFormats(request, main.shown.source);
  const issue = ({ picture, shown }: Found, format: RenditionFormat) =>
    issueRenditions(context, request, { picture, shown, format });
  const img = issue(main, fallback);
  const toSource = (found: Found, format: RenditionFormat): MediaAssetSource => {
    const { main: first, renditions, sizes, layout } = issue(found, format);
    return {
      media: found.picture.media,
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
    url: context.toAbsolute(img.main.url),
    srcset: img.renditions.length > 1 ? toSrcset(img.renditions) : undefined,
    sizes: img.renditions.length > 1 ? img.sizes : undefined,
    width: img.layout.width,
    height: img.layout.height,
    sources: [
      ...directed.flatMap((found) =>
        [...choices, fallback].map((format) => toSource(found, format)),
      ),
      ...choices.map((format) => toSource(main, format)),
    ],
    renditions: img.renditions,
  };
}

/** The page carries the service's own addresses: one size of each, in the service's format. */
function linkAsset(
  context: ImagesContext,
  request: ParsedRequest,
  { main, directed }: Pictures,
): Omit<MediaAsset, 'placeholder'> {
  const link = ({ shown }: Found) => {
    const url = shown.customFormatUrl ?? shown.originalUrl;
    context.catalogue.issueLink(url, {
      source: { reference: shown.source.reference, hash: shown.source.hash },
      rectangle: shown.rectangle,
      customFormatUrl: shown.customFormatUrl ?? null,
      originalUrl: shown.originalUrl,
    });
    context.onLink(url);
    return url;
  };
  const src = link(main);
  return {
    ...commonOf(request, main),
    src,
    url: src,
    srcset: undefined,
    sizes: undefined,
    ...layoutOf(main.picture, main.shown),
    sources: directed.map((found) => ({
      media: found.picture.media,
      type: `image/${found.shown.source.kind}`,
      srcset: link(found),
      sizes: undefined,
      ...layoutOf(found.picture, found.shown),
      renditions: [],
    })),
    renditions: [],
  };
}

function placeholderOf(
  context: ImagesContext,
  { placeholder: kind }: ParsedRequest,
  { picture, shown: { source, corner, rectangle: whole } }: Found,
): Promise<string | undefined> {
  const { rectangle } = fitPicture({ ...picture, rectangle: whole });
  return findPlaceholder(context, { kind, source, corner, rectangle });
}

function commonOf({ id, alt, picture }: ParsedRequest, { shown }: Found) {
  const { customFormatUrl, originalUrl } = shown;
  return { id, alt, layout: picture.layout, fit: picture.fit, customFormatUrl, originalUrl };
}

function toSrcset(renditions: readonly MediaAssetRendition[]): string {
  return renditions.map(({ url, descriptor }) => `${url} ${descriptor}`).join(', ');
}
