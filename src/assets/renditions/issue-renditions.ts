import {
  formatFacts,
  type OutputFormat,
  type Recipe,
  type Rectangle,
  type RenditionFormat,
  type Size,
} from '../formats/rendition.ts';
import { renditionAddress, renditionName } from '../formats/rendition-address.ts';
import { formatRenditionPath, renditionKey } from '../formats/rendition-url.ts';
import type { ImageKind } from '../formats/sniff-bytes.ts';
import type { Source } from '../formats/source.ts';
import { fitImage } from '../geometry/fit-image.ts';
import { type OutputSize, outputSizes } from '../geometry/output-sizes.ts';
import type { MediaAssetRendition } from '../request/media-asset.ts';
import type { ParsedImage, ParsedRequest } from '../request/parse-request.ts';
import type { AssetStore } from '../store/asset-store.ts';
import type { Shown } from './find-shown.ts';
import type { RenditionBytes } from './rendition-bytes.ts';

/** One format of an image, in all its sizes. */
export interface IssuedImage {
  /** For the attributes `width` and `height`. */
  readonly layout: Size;
  readonly sizes: string | undefined;
  /** The rendition for `src`. */
  readonly main: MediaAssetRendition;
  /** Smallest first. */
  readonly renditions: readonly MediaAssetRendition[];
}

export interface RenditionIssuer {
  readonly store: Pick<AssetStore, 'issue'>;
  /** Starts to make a rendition. Only in builds. */
  readonly begin: RenditionBytes['begin'] | undefined;
  readonly toUrl: (path: string) => string;
}

/** Enters the renditions of an image in the catalogue. In a build, starts to make them. */
export function issueRenditions(
  issuer: RenditionIssuer,
  request: ParsedRequest,
  { image, shown, format }: { image: ParsedImage; shown: Shown; format: RenditionFormat },
): IssuedImage {
  const fitted = fitImage({ ...image, rectangle: shown.rectangle });
  const { layout, sizes, outputs, main } = outputSizes({
    image: fitted.rectangle,
    layout: fitted.layout,
    aspect: fitted.aspect,
    request: image.sizes,
    longestSide: formatFacts[format].longestSide,
  });
  const { rectangle } = fitted;
  const recipe = recipeOf(request, { format, source: shown.source });
  const toRendition = (size: OutputSize) =>
    issueRendition(issuer, request, { shown, rectangle, size, recipe });
  const renditions = outputs.map(toRendition);
  return {
    layout,
    sizes,
    main: renditions[outputs.indexOf(main)] ?? toRendition(main),
    renditions,
  };
}

/** The same for an SVG, which is one file for all sizes. */
export function issueSvg(
  issuer: RenditionIssuer,
  request: ParsedRequest,
  { image, shown, recipe }: { image: ParsedImage; shown: Shown; recipe: Recipe },
): IssuedImage {
  const { rectangle } = shown;
  const { width, height } = rectangle;
  const size = { width, height, descriptor: '1x' };
  const main = issueRendition(issuer, request, { shown, rectangle, size, recipe });
  return { layout: layoutOf(image, shown), sizes: undefined, main, renditions: [main] };
}

function issueRendition(
  { store, begin, toUrl }: RenditionIssuer,
  request: ParsedRequest,
  {
    shown: { source, corner },
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
  const url = toUrl(path);
  store.issue(key, { ...rendition, as: 'rendition' });
  begin?.({ key, rendition, url });
  return { url, width, height, descriptor };
}

/**
 * The layout size of an image that is published unchanged. An SVG keeps its shape and can have any
 * size.
 */
export function layoutOf(
  image: ParsedImage,
  { source, rectangle }: Pick<Shown, 'source' | 'rectangle'>,
): Size {
  if (source.kind === 'svg') return fitImage({ ...image, fit: 'contain', rectangle }).layout;
  const fitted = fitImage({ ...image, rectangle });
  return outputSizes({
    image: fitted.rectangle,
    layout: fitted.layout,
    aspect: fitted.aspect,
    request: image.sizes,
    longestSide: Number.POSITIVE_INFINITY,
  }).layout;
}

function recipeOf(
  { format: asked, formats, quality, effort, gamut, background, credit }: ParsedRequest,
  { format, source }: { format: RenditionFormat; source: Shown['source'] },
): Recipe {
  const { animates, defaultQuality, effort: efforts } = formatFacts[format];
  // A quality gives a PNG a palette, so it only applies if the page requests a PNG.
  const applies = defaultQuality !== undefined || (format === 'png' && asked === 'png');
  // The effort was checked only for formats that the page names.
  const isNamed = format === asked || formats.includes(format);
  return {
    format,
    quality: (applies ? quality : undefined) ?? defaultQuality,
    ...(efforts && { effort: (isNamed ? effort : undefined) ?? efforts.default }),
    animated: source.animated && animates,
    gamut,
    ...(source.transparent && background !== undefined && { background }),
    ...(credit && { credit }),
  };
}

/**
 * Chooses formats. With `formats`, the fallback has the original's own format. If some browsers don't
 * support it, the fallback is a JPEG, or a PNG for transparent images. Animations get only formats
 * that keep their frames. An SVG is only published as SVG.
 *
 * @returns the format of the `<img>`, and those of the `<source>` elements before it, best first
 */
export function publishedFormats(
  { format, formats }: Pick<ParsedRequest, 'format' | 'formats'>,
  source: Pick<Source, 'kind' | 'animated' | 'transparent'>,
): { fallback: OutputFormat; choices: readonly RenditionFormat[] } {
  if (source.kind === 'svg') return { fallback: 'svg', choices: [] };
  const fallback = format ?? ownFormat(source);
  const choices = [...new Set(formats)].filter(
    (choice) => choice !== fallback && (!source.animated || formatFacts[choice].animates),
  );
  return { fallback, choices };
}

function ownFormat({
  kind,
  animated,
  transparent,
}: Pick<Source, 'kind' | 'animated' | 'transparent'>): RenditionFormat {
  const shownEverywhere: readonly ImageKind[] = ['jpeg', 'png', 'gif', 'webp'];
  const own = shownEverywhere.find((one) => one === kind) as RenditionFormat | undefined;
  if (own) return own;
  if (animated) return 'webp';
  return transparent ? 'png' : 'jpeg';
}
