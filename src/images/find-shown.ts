import { isMediaAssetError, mediaAssetError } from '../errors.ts';
import type { CustomFormatParameters } from '../service/media-service.ts';
import { type CropRequest, pixelsOf } from './crop-request.ts';
import { parametersOfAnyPicture } from './custom-format-parameters.ts';
import { findAttention } from './find-attention.ts';
import type { ImagesContext } from './images-context.ts';
import type { ParsedRequest } from './parse-request.ts';
import type { Point, Rectangle } from './rendition.ts';
import { assertInside, resolveCrop } from './resolve-crop.ts';
import type { PictureReference, Source } from './source.ts';

/** The part of an asset that a page shows, and the bytes that hold it. */
export interface Shown {
  readonly source: Source;
  /** Where the first pixel of the source lies in the original. */
  readonly corner: Point;
  /** In pixels of the original. */
  readonly rectangle: Rectangle;
  /** The service's address of the rectangle; `undefined` for the whole picture. */
  readonly customFormatUrl: string | undefined;
  readonly originalUrl: string;
}

type Place = Pick<ParsedRequest, 'id' | 'page'>;

/**
 * Finds what a crop shows. The original is fetched where the crop is not in pixels of it, where it
 * is cut on this machine (also where the service's crop of an animation stands still), where the
 * query of the custom format has the picture's size, and where something is wrong with the custom
 * format.
 *
 * @throws `crop-outside`, `custom-format-mismatch`, `svg-not-cropped`, and what the sources throw
 */
export async function findShown(
  context: ImagesContext,
  { id, page }: Place,
  { crop }: { crop: CropRequest },
): Promise<Shown> {
  const { service, options } = context;
  const byService = options.crops === 'service';
  const originalUrl = service.files.originalUrl(id);
  const pixels = pixelsOf(crop);
  let found: Promise<Source> | undefined;
  const original = () => {
    found ??= context.sources.get(originalOf(context, id));
    return found;
  };
  const pixelsFor = async (what: string) => {
    const source = await original();
    if (source.kind === 'svg') throw mediaAssetError('svg-not-cropped', { id, page, what });
    return source;
  };
  const attention = async (rectangle: Rectangle) =>
    findAttention(context, await pixelsFor("focus='attention'"), rectangle);
  const rectangle =
    byService && pixels
      ? pixels
      : await resolveCrop({ id, page, crop }, await original(), attention);
  const isWhole = crop.crop === undefined && crop.aspect === undefined;
  const parametersOfPicture = async () => {
    const picture = await original();
    // A service that scales what it cuts would give a crop from outside the right size.
    assertInside(rectangle, { id, page, picture });
    return context.customFormat(rectangle, { width: picture.width, height: picture.height });
  };
  const parameters = isWhole
    ? undefined
    : (parametersOfAnyPicture(context.customFormat, rectangle) ?? (await parametersOfPicture()));
  const customFormatUrl = parameters && service.files.customFormatUrl(id, parameters);
  const common = { rectangle, customFormatUrl, originalUrl };
  if (!parameters || !byService) {
    const source = await (parameters ? pixelsFor('a crop by this machine') : original());
    return { ...common, source, corner: { x: 0, y: 0 } };
  }
  const source = await findCustomFormat(context, { id, page }, { rectangle, parameters });
  // Where a page carries the service's own address, nothing can be cut for it.
  if (options.delivery === 'static' && (await context.cropTrust.losesFrames(source))) {
    const picture = await original();
    assertInside(rectangle, { id, page, picture });
    return { ...common, source: picture, corner: { x: 0, y: 0 } };
  }
  await context.cropTrust.check(source, page);
  return { ...common, source, corner: { x: rectangle.x, y: rectangle.y } };
}

async function findCustomFormat(
  context: ImagesContext,
  { id, page }: Place,
  { rectangle, parameters }: { rectangle: Rectangle; parameters: CustomFormatParameters },
): Promise<Source> {
  const { sources, service } = context;
  const throwIfOutside = async () => {
    const picture = await sources.get(originalOf(context, id));
    assertInside(rectangle, { id, page, picture });
  };
  let source: Source;
  try {
    source = await sources.get({ kind: 'custom-format', service: service.baseUrl, id, parameters });
  } catch (thrown) {
    if (isMediaAssetError(thrown, 'request-refused', 'crop-refused')) await throwIfOutside();
    throw thrown;
  }
  const isDrawing = source.kind === 'svg';
  if (!isDrawing && source.width === rectangle.width && source.height === rectangle.height) {
    return source;
  }
  await throwIfOutside();
  throw mediaAssetError('custom-format-mismatch', {
    id,
    page,
    expected: `${rectangle.width} × ${rectangle.height} pixels`,
    received: isDrawing ? 'an SVG drawing' : `${source.width} × ${source.height} pixels`,
  });
}

function originalOf({ service }: ImagesContext, id: number): PictureReference {
  return { kind: 'original', service: service.baseUrl, id };
}
