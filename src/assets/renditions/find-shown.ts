import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import type { AssetSubject } from '../../errors/place.ts';
import type { AssetsOptions } from '../assets-options.ts';
import { formatFacts, type Point, type Rectangle } from '../formats/rendition.ts';
import { sharp } from '../formats/sharp.ts';
import type { CropReference, FileSource, Source } from '../formats/source.ts';
import { fileOf, originalOf } from '../formats/source.ts';
import { type CropRequest, pixelCrop, resolveCrop } from '../geometry/crop.ts';
import { parametersOfAnyImage } from '../geometry/custom-format-parameters.ts';
import { makeOnce, type SourceAccess } from '../sources/source-bytes.ts';
import type { Sources } from '../sources/sources.ts';
import type { AssetStore } from '../store/asset-store.ts';
import { cutImage } from './cut-image.ts';
import { type CropComparisons, findServiceCrop } from './service-crops.ts';

/** The part of an asset that a page shows, and the source that contains it. */
export interface Shown {
  readonly source: Source;
  readonly corner: Point;
  /** In pixels of the original. */
  readonly rectangle: Rectangle;
  /** The service's URL of the rectangle; `undefined` for the whole image. */
  readonly customFormatUrl: string | undefined;
  readonly originalUrl: string;
}

export type FindShown = (subject: AssetSubject, crop: CropRequest) => Promise<Shown>;

/**
 * Crops come from the service. They're cut from the original with `crops: 'local'`, if the service can't
 * deliver one, and if its crop of an animation has only one frame.
 */
export function createFindShown({
  sources,
  store,
  options: { service, crops, delivery, customFormat },
  comparisons,
}: {
  sources: Sources;
  store: AssetStore;
  options: Pick<AssetsOptions, 'service' | 'crops' | 'delivery' | 'customFormat'>;
  comparisons: CropComparisons;
}): FindShown {
  const { files } = service;

  async function findShown(subject: AssetSubject, crop: CropRequest): Promise<Shown> {
    const { id } = subject;
    const reference = originalOf(id);
    if (crop.crop === undefined && crop.aspect === undefined) {
      const source = await sources.get(reference);
      const rectangle = { x: 0, y: 0, width: source.width, height: source.height };
      return {
        ...{ source, rectangle, corner: { x: 0, y: 0 } },
        ...{ customFormatUrl: undefined, originalUrl: files.originalUrl(id) },
      };
    }
    const original =
      crops === 'service' && pixelCrop(crop)
        ? await findAnyOriginal(id)
        : await sources.get(reference);
    try {
      return await showCrop(subject, crop, original);
    } catch (thrown) {
      if (!isMediaAssetError(thrown, 'custom-format-mismatch')) throw thrown;
      // The asset may have been replaced after its original was fetched.
      const present = original.kind === 'file' ? original : await sources.renewed(reference);
      if (present.hash === original.hash) throw thrown;
      return showCrop(subject, crop, present);
    }
  }

  async function showCrop(
    subject: AssetSubject,
    crop: CropRequest,
    original: Source | FileSource,
  ): Promise<Shown> {
    const { id } = subject;
    const rectangle = await rectangleOf(subject, crop, original);
    const parameters =
      original.kind === 'file'
        ? parametersOfAnyImage(customFormat, rectangle)
        : customFormat(rectangle, { width: original.width, height: original.height });
    if (!parameters) throw await undecodable(id);
    const common = {
      rectangle,
      customFormatUrl: files.customFormatUrl(id, parameters),
      originalUrl: files.originalUrl(id),
    };
    const fromOriginal = (): Shown => {
      if (original.kind === 'file') throw new Error("This machine can't decode the original.");
      if (original.kind === 'svg') {
        throw mediaAssetError('svg-not-cropped', { ...subject, what: 'a crop on this machine' });
      }
      return { ...common, source: original, corner: { x: 0, y: 0 } };
    };
    if (crops === 'local') return fromOriginal();
    // The page contains the service's own URL, so the crop isn't downloaded.
    if (delivery === 'service' && original.kind !== 'file') {
      return { ...common, source: original, corner: { x: 0, y: 0 } };
    }
    const reference: CropReference = {
      ...{ kind: 'custom-format', id, original: original.hash, parameters: { ...parameters } },
    };
    const access = { sources, comparisons };
    const found = await findServiceCrop(access, { reference, original, rectangle });
    const losesFrames = original.kind !== 'file' && original.animated && !found?.animated;
    if (!found || losesFrames) return fromOriginal();
    return { ...common, source: found, corner: { x: rectangle.x, y: rectangle.y } };
  }

  async function rectangleOf(
    subject: AssetSubject,
    crop: CropRequest,
    original: Source | FileSource,
  ): Promise<Rectangle> {
    if (original.kind === 'file') {
      const pixels = pixelCrop(crop);
      if (!pixels) throw await undecodable(subject.id);
      return pixels;
    }
    return resolveCrop(subject, { crop, image: original }, (rectangle) => {
      if (original.kind !== 'svg') return findAttention({ store, sources }, original, rectangle);
      throw mediaAssetError('svg-not-cropped', { ...subject, what: "focus='attention'" });
    });
  }

  /** The original as an image, or as a file if this machine can't decode it. */
  async function findAnyOriginal(id: number): Promise<Source | FileSource> {
    const image = originalOf(id);
    const file = fileOf(id);
    // An earlier run has found that it can't be decoded, which saves this run the download.
    const known = (await sources.cached(image)) ? undefined : await sources.cached(file);
    if (known && !isDecodable(known as FileSource)) {
      const present = await sources.get(file);
      if (!isDecodable(present)) return present;
    }
    return sources.get(image).catch((thrown: unknown) => {
      if (!isMediaAssetError(thrown, 'download-not-a-picture', 'picture-too-large')) throw thrown;
      return sources.get(file);
    });
  }

  /** The reason why this machine can't decode an original. */
  async function undecodable(id: number): Promise<unknown> {
    return sources.get(originalOf(id)).then(
      () => new Error('The original has been replaced.'),
      (thrown: unknown) => thrown,
    );
  }

  return findShown;
}

function isDecodable({ contentType }: FileSource): boolean {
  const kinds = Object.values(formatFacts).map((facts) => facts.contentType);
  return contentType === 'image/tiff' || kinds.includes(contentType);
}

/** The longest side of the image that attention is computed from, in pixels. */
const attentionSide = 512;

/**
 * The point of a rectangle that draws the eye (by sharp's `attention`: skin tones, saturated colors
 * and edges), in pixels of the original. It's cached.
 */
async function findAttention(
  access: SourceAccess,
  source: Source,
  rectangle: Rectangle,
): Promise<Point> {
  const { x, y, width, height } = rectangle;
  const point = await makeOnce(access, source, {
    name: `attention-${x}-${y}-${width}-${height}`,
    make: async (bytes) => Buffer.from(JSON.stringify(await pointIn(bytes, rectangle))),
  });
  return JSON.parse(point.toString()) as Point;
}

async function pointIn(bytes: Uint8Array, rectangle: Rectangle): Promise<Point> {
  const { image } = await cutImage(bytes, { corner: { x: 0, y: 0 }, rectangle });
  const small = await image
    .resize(attentionSide, attentionSide, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const side = Math.max(1, Math.min(small.info.width, small.info.height) - 1);
  const { info } = await sharp(small.data, { raw: small.info })
    .resize(side, side, { fit: 'cover', position: 'attention' })
    .toBuffer({ resolveWithObject: true });
  const { x, y, width, height } = rectangle;
  return {
    x: x + ((info.attentionX ?? small.info.width / 2) / small.info.width) * width,
    y: y + ((info.attentionY ?? small.info.height / 2) / small.info.height) * height,
  };
}
