import type { AssetParts } from '../asset-parts.ts';
import { formatFacts, type OutputFormat, type RenditionFormat } from '../formats/output-formats.ts';
import type { Recipe } from '../formats/rendition.ts';
import { formatRenditionPath, renditionKey } from '../formats/rendition-url.ts';
import type { Source } from '../formats/source.ts';
import { fitImage } from '../geometry/fit-image.ts';
import { type OutputSize, outputSizes } from '../geometry/output-sizes.ts';
import type { Rectangle, Size } from '../geometry/rectangle.ts';
import { writeCrop } from '../geometry/write-crop.ts';
import type { MediaAssetRendition } from '../request/media-asset.ts';
import type { ParsedImage, ParsedRequest } from '../request/parse-request.ts';
import type { Shown } from './find-shown.ts';
import { renditionAddress, renditionName } from './rendition-address.ts';

/** What publishes renditions. */
type RenditionIssuer = Pick<AssetParts, 'options' | 'access' | 'bytes'>;

/** With what its published files say about the asset's makers. */
export type CreditedRequest = ParsedRequest & Pick<Recipe, 'credit'>;

const svgRecipe: Recipe = { format: 'svg', quality: undefined, animated: false };

/**
 * Enters the renditions of an image in the catalogue. In a build, starts to make them. An SVG is one
 * file for all sizes.
 *
 * @returns `main` is the rendition for `src`, `layout` is for `width` and `height`
 */
export function issueImage(
  issuer: RenditionIssuer,
  request: CreditedRequest,
  { image, shown, format }: { image: ParsedImage; shown: Shown; format: OutputFormat },
) {
  if (format === 'svg') {
    const { rectangle } = shown;
    const size = { ...rectangle, descriptor: '1x' };
    const main = issueRendition(issuer, request, { shown, rectangle, size, recipe: svgRecipe });
    return { layout: layoutOf(image, shown), sizes: undefined, main, renditions: [main] };
  }
  const { longestSide } = formatFacts[format];
  const { rectangle, layout, sizes, outputs, main } = sizesOf(image, shown, longestSide);
  const { credit } = shown.kept ?? request;
  const recipe = recipeOf({ ...request, credit }, { format, source: shown.source });
  const crop = image.crop.crop && writeCrop(image.crop.crop, 'js');
  const toRendition = (size: OutputSize) =>
    issueRendition(issuer, request, { shown, rectangle, size, recipe, crop });
  const renditions = outputs.map(toRendition);
  return {
    layout,
    sizes,
    main: renditions[outputs.indexOf(main)] ?? toRendition(main),
    renditions,
  };
}

function issueRendition(
  { options, access, bytes }: RenditionIssuer,
  request: CreditedRequest,
  issued: {
    shown: Shown;
    rectangle: Rectangle;
    size: OutputSize;
    recipe: Recipe;
    crop?: string | undefined;
  },
): MediaAssetRendition {
  const { rectangle, recipe, crop } = issued;
  const { source, corner } = issued.shown;
  const { width, height, descriptor } = issued.size;
  const { reference, hash } = source;
  const rendition = { source: { reference, hash }, corner, rectangle, width, height, recipe };
  const address = renditionAddress(rendition, renditionName(request.alt, request.id));
  const path = formatRenditionPath(address);
  const key = renditionKey(address);
  const url = options.toUrl(path);
  access.store.issue(key, { ...rendition, as: 'rendition', crop, place: request.subject.place });
  if (options.mode === 'build') bytes.begin({ key, rendition, url });
  return { url, width, height, descriptor };
}

/** The layout of an image that is published unchanged. What no styles fit into a shape keeps its own. */
export function layoutOf(
  image: ParsedImage,
  { source, rectangle }: Pick<Shown, 'source' | 'rectangle'>,
): Size {
  const keepsShape = source.kind === 'svg' || (image.layout === 'none' && image.fit !== 'fill');
  if (keepsShape) return fitImage({ ...image, fit: 'contain', rectangle }).layout;
  return sizesOf(image, { rectangle }, Number.POSITIVE_INFINITY).layout;
}

function sizesOf(image: ParsedImage, shown: Pick<Shown, 'rectangle'>, longestSide: number) {
  const { rectangle, layout, aspect } = fitImage({ ...image, rectangle: shown.rectangle });
  const request = image.sizes;
  return { rectangle, ...outputSizes({ image: rectangle, layout, aspect, request, longestSide }) };
}

function recipeOf(
  { format: asked, quality, effort, background, credit }: CreditedRequest,
  { format, source }: { format: RenditionFormat; source: Shown['source'] },
): Recipe {
  const { animates, defaultQuality, effort: efforts } = formatFacts[format];
  // A quality gives a PNG a palette, so it only applies if the page requests a PNG.
  const applies = defaultQuality !== undefined || (format === 'png' && asked === 'png');
  return {
    format,
    quality: (applies ? quality : undefined) ?? defaultQuality,
    ...(efforts && {
      effort: Math.min(efforts.most, Math.max(efforts.least, effort ?? efforts.default)),
    }),
    animated: source.animated && animates === true,
    ...(source.transparent && background !== undefined && { background }),
    ...(credit && { credit }),
  };
}

/**
 * Chooses formats. With `formats`, the fallback has the original's own format. If some browsers don't
 * support it, the fallback is a JPEG, or a PNG for transparent images. Animations get only formats
 * that keep their frames, and WebP as the fallback, which is smaller than a GIF and keeps marks. An SVG is only published as SVG.
 *
 * @returns the format of the `<img>`, and those of the `<source>` elements before it, best first
 */
export function publishedFormats(
  { format, formats }: Pick<ParsedRequest, 'format' | 'formats'>,
  source: Pick<Source, 'kind' | 'animated' | 'transparent'>,
): { fallback: OutputFormat; choices: readonly RenditionFormat[] } {
  if (source.kind === 'svg') return { fallback: 'svg', choices: [] };
  const own = shownEverywhere.find((one) => one === source.kind);
  const still = source.transparent ? 'png' : 'jpeg';
  const fallback = format ?? own ?? (source.animated ? 'webp' : still);
  const choices = [...new Set(formats)].filter(
    (choice) => choice !== fallback && (!source.animated || formatFacts[choice].animates),
  );
  return { fallback, choices };
}

const shownEverywhere = ['jpeg', 'png', 'webp'] as const;
