import { mediaAssetError } from '../../errors/errors.ts';
import type { ImagesContext } from '../assets-context.ts';
import { formatFacts, type Point, type Rectangle } from '../formats/rendition.ts';
import type { CropReference, FileSource, Source } from '../formats/source.ts';
import { type CropRequest, pixelsOf } from '../geometry/crop-request.ts';
import { parametersOfAnyPicture } from '../geometry/custom-format-parameters.ts';
import { resolveCrop } from '../geometry/resolve-crop.ts';
import type { ParsedRequest } from '../request/parse-request.ts';
import { fileOf, originalOf } from '../sources/sources.ts';
import { findAttention } from './find-attention.ts';
import { findServiceCrop, isUndecodable, retryMismatch } from './service-crops.ts';

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
 * Finds what a crop shows, beginning with the original. Crops come from the service, but are cut from
 * the original with `crops: 'local'`, if the service can't deliver one, and if the service's crop of
 * an animation stands still.
 *
 * @throws `crop-outside`, `crop-refused`, `custom-format-mismatch`, `svg-not-cropped`, and what the
 * sources throw
 */
export async function findShown(
  context: ImagesContext,
  { id, page }: Place,
  { crop }: { crop: CropRequest },
): Promise<Shown> {
  const { sources, service, options } = context;
  const reference = originalOf(service.baseUrl, id);
  const originalUrl = service.files.originalUrl(id);
  if (crop.crop === undefined && crop.aspect === undefined) {
    const source = await sources.get(reference);
    const rectangle = { x: 0, y: 0, width: source.width, height: source.height };
    return {
      ...{ source, rectangle, corner: { x: 0, y: 0 } },
      ...{ customFormatUrl: undefined, originalUrl },
    };
  }
  const isByService = options.crops === 'service';
  const original =
    isByService && pixelsOf(crop)
      ? await findAnyOriginal(context, id)
      : await sources.get(reference);
  return retryMismatch((present) => showCrop(context, { id, page }, { crop, original: present }), {
    ...{ original, id, page },
    renew: async () => (original.kind === 'file' ? undefined : sources.renewed(reference)),
  });
}

async function showCrop(
  context: ImagesContext,
  { id, page }: Place,
  { crop, original }: { crop: CropRequest; original: Source | FileSource },
): Promise<Shown> {
  const { service, options } = context;
  const rectangle = await rectangleOf(context, { id, page }, { crop, original });
  const parameters =
    original.kind === 'file'
      ? parametersOfAnyPicture(context.customFormat, rectangle)
      : context.customFormat(rectangle, { width: original.width, height: original.height });
  if (!parameters) throw await undecodable(context, id);
  const common = {
    rectangle,
    customFormatUrl: service.files.customFormatUrl(id, parameters),
    originalUrl: service.files.originalUrl(id),
  };
  const fromOriginal = (): Shown => {
    if (original.kind === 'file') throw new Error('This machine cannot decode the original.');
    if (original.kind === 'svg') {
      throw mediaAssetError('svg-not-cropped', { id, page, what: 'a crop by this machine' });
    }
    return { ...common, source: original, corner: { x: 0, y: 0 } };
  };
  const isByService = options.crops === 'service';
  if (!isByService) return fromOriginal();
  // The page carries the service's own address, so the crop itself isn't needed.
  if (options.delivery === 'service' && original.kind !== 'file') {
    return { ...common, source: original, corner: { x: 0, y: 0 } };
  }
  const reference: CropReference = {
    ...{ kind: 'custom-format', service: service.baseUrl, id },
    ...{ original: original.hash, parameters },
  };
  const found = await findServiceCrop(context, { reference, original, rectangle });
  const losesFrames = original.kind !== 'file' && original.animated && !found?.animated;
  if (!found || losesFrames) return fromOriginal();
  return { ...common, source: found, corner: { x: rectangle.x, y: rectangle.y } };
}

/** @throws `crop-outside`, `svg-not-cropped` */
async function rectangleOf(
  context: ImagesContext,
  { id, page }: Place,
  { crop, original }: { crop: CropRequest; original: Source | FileSource },
): Promise<Rectangle> {
  if (original.kind === 'file') {
    const pixels = pixelsOf(crop);
    if (!pixels) throw await undecodable(context, id);
    return pixels;
  }
  return resolveCrop({ id, page, crop }, original, (rectangle) => {
    if (original.kind !== 'svg') return findAttention(context, original, rectangle);
    throw mediaAssetError('svg-not-cropped', { id, page, what: "focus='attention'" });
  });
}

/** The original as a picture; as a file if this machine can't decode it. */
async function findAnyOriginal(
  { sources, service }: ImagesContext,
  id: number,
): Promise<Source | FileSource> {
  const picture = originalOf(service.baseUrl, id);
  const file = fileOf(service.baseUrl, id);
  // Found out by an earlier run, which spares this one the download.
  const known = (await sources.cached(picture)) ? undefined : await sources.cached(file);
  if (known && !isDecodable(known as FileSource)) {
    const present = await sources.get(file);
    if (!isDecodable(present)) return present;
  }
  return sources.get(picture).catch((thrown: unknown) => {
    if (!isUndecodable(thrown)) throw thrown;
    return sources.get(file);
  });
}

function isDecodable({ contentType }: FileSource): boolean {
  const kinds = Object.values(formatFacts).map((facts) => facts.contentType);
  return contentType === 'image/tiff' || kinds.includes(contentType);
}

/** Why an original is nothing that this machine can decode. */
async function undecodable({ sources, service }: ImagesContext, id: number): Promise<unknown> {
  return sources.get(originalOf(service.baseUrl, id)).then(
    () => new Error('The original has been replaced.'),
    (thrown: unknown) => thrown,
  );
}
