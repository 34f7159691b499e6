import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import type { AssetSubject } from '../../errors/place.ts';
import type { AssetsOptions } from '../assets-options.ts';
import { sharp } from '../formats/sharp.ts';
import { type CropReference, originalOf, type Source } from '../formats/source.ts';
import { type CropRequest, resolveCrop } from '../geometry/crop.ts';
import type { Point, Rectangle } from '../geometry/rectangle.ts';
import { writeCrop } from '../geometry/write-crop.ts';
import { makeOnce, type SourceAccess, SourceLost } from '../sources/source-bytes.ts';
import type { Reviewed } from '../store/asset-facts.ts';
import type { ChangedCrops } from './changed-crops.ts';
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
  /** Of the original: the service's crops may lack it. */
  readonly digitalSourceType: string | undefined;
  /** The version before the present one, until someone has looked at the crop (`changed: 'keep'`). */
  readonly kept?: Reviewed['kept'];
}

/**
 * Crops come from the service. They're cut from the original with `crops: 'local'`, if the service can't
 * deliver one, and if its crop of an animation has only one frame.
 */
export function createFindShown(site: {
  access: SourceAccess;
  options: Pick<AssetsOptions, 'service' | 'crops' | 'delivery' | 'customFormat'>;
  comparisons: CropComparisons;
  changedCrops: ChangedCrops;
}) {
  const { access, comparisons, changedCrops } = site;
  const { sources, store } = access;
  const { service, crops, delivery, customFormat } = site.options;
  const { files } = service;

  async function findShown(subject: AssetSubject, crop: CropRequest): Promise<Shown> {
    const { id } = subject;
    const reference = originalOf(id);
    const original = await sources.get(reference);
    if (crop.crop === undefined && crop.aspect === undefined) {
      const { width, height } = original;
      return partOf(original, { x: 0, y: 0, width, height });
    }
    try {
      return await showCrop(subject, crop, original);
    } catch (thrown) {
      if (!isMediaAssetError(thrown, 'custom-format-mismatch')) throw thrown;
      // The asset may have been replaced after its original was fetched.
      const present = await sources.renewed(reference);
      if (present.hash === original.hash) throw thrown;
      return showCrop(subject, crop, present);
    }
  }

  async function showCrop(
    subject: AssetSubject,
    crop: CropRequest,
    present: Source,
  ): Promise<Shown> {
    const { id } = subject;
    const kept = await changedCrops.kept(present, crop.crop && writeCrop(crop.crop, 'js'));
    const original = kept?.source ?? present;
    if (original.kind === 'svg')
      throw mediaAssetError('svg-not-cropped', { ...subject, what: 'a crop' });
    const rectangle = await resolveCrop(subject, { crop, image: original }, (within) =>
      findAttention(access, original, within).catch((thrown: unknown) => {
        if (!kept || !(thrown instanceof SourceLost)) throw thrown;
        // Without its bytes, no other rectangle is cut, so the crop is lost.
        return within;
      }),
    );
    const { width, height } = original;
    const parameters = customFormat(rectangle, { width, height });
    const customFormatUrl = files.customFormatUrl(id, parameters);
    const fromOriginal = { ...partOf(original, rectangle), customFormatUrl, kept };
    // With `delivery: 'service'`, the page contains the service's own URL, so the crop isn't downloaded.
    const isOwn = crops === 'local' || original.isStill;
    if (isOwn || delivery === 'service') return fromOriginal;
    const reference: CropReference = {
      ...{ kind: 'custom-format', id, original: original.hash, parameters: { ...parameters } },
    };
    // The service cuts from the present version.
    const found = kept
      ? ((await store.find(reference)) as Source | undefined)
      : await findServiceCrop({ sources, comparisons }, { reference, original, rectangle });
    if (!found || (original.animated && !found.animated)) return fromOriginal;
    return { ...fromOriginal, source: found, corner: { x: rectangle.x, y: rectangle.y } };
  }

  /** A part that is cut from the original. */
  function partOf(original: Source, rectangle: Rectangle): Shown {
    return {
      ...{ source: original, rectangle, corner: { x: 0, y: 0 }, customFormatUrl: undefined },
      originalUrl: files.originalUrl(original.reference.id),
      digitalSourceType: original.digitalSourceType,
    };
  }

  return findShown;
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
  const { image } = await cutImage(bytes, { rectangle });
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
