import { readFile } from 'node:fs/promises';
import {
  type Finding,
  finding,
  isMediaAssetError,
  type MediaAssetError,
  mediaAssetError,
} from '../../errors/errors.ts';
import type { AssetSubject } from '../../errors/place.ts';
import type { Rectangle } from '../formats/rendition.ts';
import type { CropReference, FileSource, Source } from '../formats/source.ts';
import { isOutage } from '../sources/asset-errors.ts';
import type { ValidateImage } from '../sources/fetch-source.ts';
import { withSourceBytes } from '../sources/source-bytes.ts';
import type { Sources } from '../sources/sources.ts';
import type { AssetStore } from '../store/asset-store.ts';
import { compareCrops, lossyFrom } from './compare-crops.ts';

export type CropNotes = ReturnType<typeof createCropNotes>;

export function createCropNotes() {
  return {
    /** Assets with crops that couldn't be compared with their originals. */
    uncompared: new Set<number>(),
    /** Assets with crops that the service failed to deliver. */
    cutHere: new Set<number>(),
    /** Assets with crops of a low quality, and the loss of the worst one as a factor. */
    lossy: new Map<number, number>(),
  };
}

/** The service's crop isn't the requested one. */
export class CropMismatch extends Error {
  readonly #sizes: { expected: string; received: string };

  constructor(expected: string, received: string) {
    super("The crop isn't the requested one.");
    this.#sizes = { expected, received };
  }

  /** Pages share one request, so each names itself. */
  on(subject: AssetSubject): MediaAssetError {
    return mediaAssetError('custom-format-mismatch', { ...subject, ...this.#sizes });
  }
}

/**
 * Finds a crop that the service cuts. When it arrives, it's compared with the same region of the
 * original.
 *
 * @returns `undefined` if the service can't deliver the crop and it can be cut from the original
 */
export async function findServiceCrop(
  { store, sources, cropNotes }: { store: AssetStore; sources: Sources; cropNotes: CropNotes },
  {
    reference,
    original,
    rectangle,
  }: { reference: CropReference; original: Source | FileSource; rectangle: Rectangle },
): Promise<Source | undefined> {
  const { id } = reference;
  const expected = `${rectangle.width} × ${rectangle.height} pixels`;
  const isComparable = original.kind !== 'file' && original.kind !== 'svg';
  const validate: ValidateImage = async (file, { kind, width, height }) => {
    if (kind === 'svg') throw new CropMismatch(expected, 'an SVG');
    if (width !== rectangle.width || height !== rectangle.height) {
      throw new CropMismatch(expected, `${width} × ${height} pixels`);
    }
    if (!isComparable) return;
    const found = await withSourceBytes({ store, sources }, original, async (bytes) =>
      compareCrops({ original: bytes, crop: await readFile(file), rectangle }),
    );
    const { loss = 0 } = found;
    if (loss > lossyFrom) cropNotes.lossy.set(id, Math.max(loss, cropNotes.lossy.get(id) ?? 0));
    if (found.agrees) return;
    const turned = original.turned ? ', with the EXIF orientation applied' : '';
    throw new CropMismatch(`${found.expected}${turned}`, found.received);
  };
  try {
    const crop = await sources.crop(reference, validate);
    if (!isComparable) cropNotes.uncompared.add(id);
    return crop;
  } catch (thrown) {
    if (!isComparable || !isOutage(thrown)) throw thrown;
    if (!isMediaAssetError(thrown, 'service-not-configured')) cropNotes.cutHere.add(id);
    return undefined;
  }
}

export function takeCropFindings({ uncompared, cutHere, lossy }: CropNotes): Finding[] {
  const take = (ids: Set<number>) => {
    const taken = [...ids].sort((one, other) => one - other);
    ids.clear();
    return taken;
  };
  const worstFirst = [...lossy].sort(([, one], [, other]) => other - one).map(([id]) => id);
  lossy.clear();
  const found = [
    ['crops-uncompared', take(uncompared)],
    ['crops-cut-here', take(cutHere)],
    ['crops-lossy', worstFirst],
  ] as const;
  return found.flatMap(([code, ids]) => (ids.length > 0 ? finding('warning', code, { ids }) : []));
}
