import { type Finding, finding, isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import type { CropReference, Source } from '../formats/source.ts';
import type { Rectangle, Size } from '../geometry/rectangle.ts';
import { isOutage } from '../sources/asset-errors.ts';
import type { CropCheck } from '../sources/fetch-source.ts';
import { type SourceAccess, withSourceBytes } from '../sources/source-bytes.ts';
import type { Sources } from '../sources/sources.ts';
import * as crops from './compare-crops.ts';

/** The memory for small originals, in bytes. */
const mostKept = 64 * 1024 ** 2;

export type CropComparisons = ReturnType<typeof createCropComparisons>;

/** What the crops of a run share, and what people should know of them. */
export function createCropComparisons(access: SourceAccess) {
  /** By the hash of the original, the one that was used last at the end. */
  const kept = new Map<
    string,
    { readonly size: Size; readonly small: Promise<crops.SmallOriginal> }
  >();
  /** Assets with crops that the service failed to deliver. */
  const cutHere = new Set<number>();

  function keep(hash: string, one: { size: Size; small: Promise<crops.SmallOriginal> }): void {
    kept.delete(hash);
    kept.set(hash, one);
    let left = mostKept;
    for (const [key, { size }] of [...kept].reverse()) {
      left -= 3 * size.width * size.height;
      if (left < 0) kept.delete(key);
    }
  }

  return {
    cutHere,
    /** An original in a size for crops of a rectangle. All crops of an asset share it. */
    smallOriginal(original: Source, rectangle: Rectangle): Promise<crops.SmallOriginal> {
      const { hash, width, height } = original;
      const whole = { width, height };
      const size = crops.smallSize(whole, rectangle);
      const known = kept.get(hash);
      if (known && known.size.width >= size.width) {
        keep(hash, known);
        return known.small;
      }
      const small = withSourceBytes(access, original, (bytes) =>
        crops.shrinkOriginal(bytes, { whole, rectangle }),
      );
      keep(hash, { size, small });
      small.catch(() => kept.delete(hash));
      return small;
    },
    takeFindings(): Finding[] {
      const ids = [...cutHere].sort((one, other) => one - other);
      cutHere.clear();
      return ids.length > 0 ? [finding('warning', 'crops-cut-here', { ids })] : [];
    },
  };
}

/**
 * Finds a crop that the service cuts. When it arrives, it's compared with the same region of the
 * original.
 *
 * @returns `undefined` if the service can't deliver the crop
 */
export async function findServiceCrop(
  { sources, comparisons }: { sources: Sources; comparisons: CropComparisons },
  crop: { reference: CropReference; original: Source; rectangle: Rectangle },
): Promise<Source | undefined> {
  const { reference, original, rectangle } = crop;
  const { id } = reference;
  const expected = `this part of the original (${crops.sizeText(rectangle)})`;
  const mismatch = (received: string) =>
    mediaAssetError('custom-format-mismatch', { id, expected, received });
  const newCheck = (): CropCheck => {
    let look: Uint8Array = new Uint8Array();
    return {
      async decode(image) {
        look = await crops.lookAt(image);
      },
      async validate({ kind, ...size }) {
        if (kind === 'svg') throw mismatch('an SVG');
        const small = await comparisons.smallOriginal(original, rectangle);
        const found = await crops.compareLook({ size, look }, { small, rectangle });
        if (!found.agrees) throw mismatch(found.received);
      },
    };
  };
  try {
    return await sources.crop(reference, newCheck);
  } catch (thrown) {
    if (!isOutage(thrown)) throw thrown;
    if (!isMediaAssetError(thrown, 'service-not-configured')) comparisons.cutHere.add(id);
    return undefined;
  }
}
