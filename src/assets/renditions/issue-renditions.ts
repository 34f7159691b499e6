import type { ImagesContext } from '../assets-context.ts';
import {
  formatFacts,
  type Recipe,
  type Rectangle,
  type RenditionFormat,
  type Size,
} from '../formats/rendition.ts';
import { renditionAddress } from '../formats/rendition-address.ts';
import { renditionName } from '../formats/rendition-name.ts';
import { formatRenditionPath, renditionKey } from '../formats/rendition-url.ts';
import { fitPicture } from '../geometry/fit-picture.ts';
import { type OutputSize, outputSizes } from '../geometry/output-sizes.ts';
import type { MediaAssetRendition } from '../request/media-asset.ts';
import type { ParsedPicture, ParsedRequest } from '../request/parse-request.ts';
import type { Shown } from './find-shown.ts';

/** One format of a picture, in all its sizes. */
export interface IssuedPicture {
  /** For the attributes `width` and `height`. */
  readonly layout: Size;
  readonly sizes: string | undefined;
  /** That of `src`. */
  readonly main: MediaAssetRendition;
  /** From small to large. */
  readonly renditions: readonly MediaAssetRendition[];
}

/** Notes the renditions of a picture in the catalogue; in a build, begins to make them. */
export function issueRenditions(
  context: ImagesContext,
  request: ParsedRequest,
  { picture, shown, format }: { picture: ParsedPicture; shown: Shown; format: RenditionFormat },
): IssuedPicture {
  const fitted = fitPicture({ ...picture, rectangle: shown.rectangle });
  const { layout, sizes, outputs, main } = outputSizes({
    picture: fitted.rectangle,
    layout: fitted.layout,
    aspect: fitted.aspect,
    request: picture.sizes,
    longestSide: formatFacts[format].longestSide,
  });
  const { rectangle } = fitted;
  const recipe = recipeOf(request, { format, source: shown.source });
  const toRendition = (size: OutputSize) =>
    issueRendition(context, request, { shown, rectangle, size, recipe });
  const renditions = outputs.map(toRendition);
  return {
    layout,
    sizes,
    main: renditions[outputs.indexOf(main)] ?? toRendition(main),
    renditions,
  };
}

/** The same for a drawing, which is one file for every size. */
export function issueSvg(
  context: ImagesContext,
  request: ParsedRequest,
  { picture, shown, recipe }: { picture: ParsedPicture; shown: Shown; recipe: Recipe },
): IssuedPicture {
  const { rectangle } = shown;
  const { width, height } = rectangle;
  const size = { width, height, descriptor: '1x' };
  const main = issueRendition(context, request, { shown, rectangle, size, recipe });
  return { layout: layoutOf(picture, shown), sizes: undefined, main, renditions: [main] };
}

function issueRendition(
  { catalogue, options, bytes }: ImagesContext,
  request: ParsedRequest,
  {
    shown: { source, corner, customFormatUrl, originalUrl },
    rectangle,
    size: { width, height, descriptor },
    recipe,
  }: { shown: Shown; rectangle: Rectangle; size: OutputSize; recipe: Recipe },
): MediaAssetRendition {
  const { reference, hash } = source;
  const rendition = { source: { reference, hash }, corner, rectangle, width, height, recipe };
  const address = renditionAddress(rendition, renditionName(request.alt, request.id));
  const path = formatRenditionPath(address);
  const key = renditionKey(address);
  const url = options.toUrl(path);
  const entry = { ...rendition, customFormatUrl: customFormatUrl ?? null, originalUrl, path };
  catalogue.issueRendition(key, entry);
  if (options.mode === 'build') bytes.begin({ key, rendition: entry, url });
  return { url, width, height, descriptor };
}

/**
 * The layout size of a picture that is published as it is. A drawing keeps its shape, and has as
 * many pixels as it is asked for.
 */
export function layoutOf(
  picture: ParsedPicture,
  { source, rectangle }: Pick<Shown, 'source' | 'rectangle'>,
): Size {
  if (source.kind === 'svg') return fitPicture({ ...picture, fit: 'contain', rectangle }).layout;
  const fitted = fitPicture({ ...picture, rectangle });
  return outputSizes({
    picture: fitted.rectangle,
    layout: fitted.layout,
    aspect: fitted.aspect,
    request: picture.sizes,
    longestSide: Number.POSITIVE_INFINITY,
  }).layout;
}

function recipeOf(
  { format: asked, formats, quality, effort, gamut, background }: ParsedRequest,
  { format, source }: { format: RenditionFormat; source: Shown['source'] },
): Recipe {
  const { animates, defaultQuality, effort: efforts } = formatFacts[format];
  // A PNG with a quality has a palette: only a page that asks for a PNG wants that.
  const applies = defaultQuality !== undefined || (format === 'png' && asked === 'png');
  // Its range was checked for the formats that the page names.
  const isNamed = format === asked || formats.includes(format);
  return {
    format,
    quality: (applies ? quality : undefined) ?? defaultQuality,
    ...(efforts && { effort: (isNamed ? effort : undefined) ?? efforts.default }),
    animated: source.animated && animates,
    gamut,
    ...(source.transparent && background !== undefined && { background }),
  };
}
