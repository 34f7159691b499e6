import type { ImagesContext } from './assets-context.ts';
import { formatFacts, type OutputFormat, type Recipe } from './formats/rendition.ts';
import { fitPicture } from './geometry/fit-picture.ts';
import { findShown, type Shown } from './renditions/find-shown.ts';
import { issueRenditions, issueSvg, layoutOf } from './renditions/issue-renditions.ts';
import { findPlaceholder, placeholderStyle } from './renditions/placeholder.ts';
import { atPage } from './request/at-page.ts';
import type {
  MediaAsset,
  MediaAssetRendition,
  MediaAssetRequest,
  MediaAssetSource,
} from './request/media-asset.ts';
import {
  type ParsedPicture,
  type ParsedRequest,
  parseRequest,
  placingOf,
} from './request/parse-request.ts';
import { publishedFormats } from './request/published-formats.ts';
import { refusedAssetError } from './sources/refused-asset.ts';
import { svgRecipe } from './svg/svg-rule.ts';

/**
 * Gives a page the addresses and sizes of an asset, and notes them in the catalogue.
 *
 * @throws an error that names the page: of the request (`parseRequest`), `crop-outside`,
 * `custom-format-mismatch`, `svg-refused`, `package-missing`, `svg-not-cropped`,
 * `asset-unknown`, `asset-withdrawn`, `stale-too-long`, of the download, or of the service
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
    const placeholder = await showPlaceholder(context, parsed, main);
    const isDrawn = [main, ...directed].some(({ shown }) => shown.source.kind === 'svg');
    const svg = isDrawn ? await svgRecipe(context.options, { id, page }) : undefined;
    const pictures = { main, directed, svg };
    return context.options.delivery === 'service'
      ? { ...linkAsset(context, parsed, pictures), ...placeholder }
      : { ...publishAsset(context, parsed, pictures), ...placeholder };
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
  /** Where one of them is a drawing. */
  readonly svg: Recipe | undefined;
}

function publishAsset(
  context: ImagesContext,
  request: ParsedRequest,
  { main, directed, svg }: Pictures,
): Omit<MediaAsset, keyof ShownPlaceholder> {
  const { fallback, choices } = publishedFormats(request, main.shown.source);
  const issue = (found: Found, format: OutputFormat) => {
    if (format !== 'svg') return issueRenditions(context, request, { ...found, format });
    if (!svg) throw new Error('A drawing has a recipe.');
    return issueSvg(context, request, { ...found, recipe: svg });
  };
  const img = issue(main, fallback);
  const formatsFor = ({ shown: { source } }: Found) => {
    // All parts of one asset are published alike, but pixels are no drawing.
    const alike = (source.kind === 'svg') === (fallback === 'svg');
    const own = alike ? { fallback, choices } : publishedFormats(request, source);
    return [...own.choices, own.fallback];
  };
  const toSource = (found: Found, format: OutputFormat): MediaAssetSource => {
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
      ...directed.flatMap((found) => formatsFor(found).map((format) => toSource(found, format))),
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
): Omit<MediaAsset, keyof ShownPlaceholder> {
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
      type: contentTypeOf(found.shown.source),
      srcset: link(found),
      sizes: undefined,
      ...layoutOf(found.picture, found.shown),
      renditions: [],
    })),
    renditions: [],
  };
}

type ShownPlaceholder = Pick<MediaAsset, 'placeholder' | 'placeholderStyle'>;

async function showPlaceholder(
  context: ImagesContext,
  { placeholder: kind, background }: ParsedRequest,
  { picture, shown: { source, corner, rectangle: whole } }: Found,
): Promise<ShownPlaceholder> {
  const { rectangle } = fitPicture({ ...picture, rectangle: whole });
  const placeholder = await findPlaceholder(context, {
    ...{ kind, source, corner, rectangle },
    background: context.options.delivery === 'static' ? background : undefined,
  });
  const { styleAttributes = true } = context.options;
  if (!placeholder || !styleAttributes) return { placeholder, placeholderStyle: undefined };
  return { placeholder, placeholderStyle: placeholderStyle(placeholder, placingOf(picture)) };
}

function commonOf({ id, alt, picture }: ParsedRequest, { shown }: Found) {
  const { customFormatUrl, originalUrl } = shown;
  return { id, alt, ...placingOf(picture), customFormatUrl, originalUrl };
}

function contentTypeOf({ kind }: Shown['source']): string {
  return kind === 'tiff' ? 'image/tiff' : formatFacts[kind].contentType;
}

function toSrcset(renditions: readonly MediaAssetRendition[]): string {
  return renditions.map(({ url, descriptor }) => `${url} ${descriptor}`).join(', ');
}
