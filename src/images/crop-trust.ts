import pLimit from 'p-limit';
import { mediaAssetError } from '../errors.ts';
import { ServiceError } from '../service/service-error.ts';
import { digest } from './catalogue-data.ts';
import { compareCustomFormat } from './check-crops.ts';
import type { CropComparison } from './compare-crops.ts';
import type { ImagesContext } from './images-context.ts';
import type { SourceReference } from './source.ts';

/** Whether a service's crops are what is asked for. Settled once for a service and a setting. */
export interface CropTrust {
  /**
   * Lets a page show a crop by the service. The first one is proven: an off-centre crop of its
   * asset is compared with one of the original. Pictures that EXIF turns are proven by themselves,
   * as soon as an original in the cache shows that there are any.
   *
   * @throws `custom-format-mismatch`, and what downloads throw
   */
  check(place: { id: number; page: string }): Promise<void>;
}

/** A crop by which the settings of two sites differ whenever their queries do. */
const sample = { x: 101, y: 211, width: 307, height: 401 };

type Orientation = 'upright' | 'turned';

export function createCropTrust({
  service,
  catalogue,
  cache,
  sources,
  customFormat,
}: Pick<ImagesContext, 'service' | 'catalogue' | 'cache' | 'sources' | 'customFormat'>): CropTrust {
  const setting = digest([service.baseUrl, customFormat(sample)]);
  /** One after the other: what one asset proves, others need not. */
  const oneAtATime = pLimit(1);
  const tried = new Set<number>();
  const mismatches = new Map<Orientation, CropComparison>();

  function isSettled(orientation: Orientation): boolean {
    return mismatches.has(orientation) || catalogue.isProven(keyOf(orientation));
  }

  function keyOf(orientation: Orientation): string {
    return `${setting} ${orientation}`;
  }

  async function orientationOf(reference: SourceReference): Promise<Orientation> {
    // Where crops of turned pictures are known to be wrong, each picture must be looked at.
    const isKnown = isSettled('upright') && !mismatches.has('turned');
    const original = isKnown ? await sources.cached(reference) : await sources.get(reference);
    return original?.kind !== 'file' && original?.turned ? 'turned' : 'upright';
  }

  /** A drawing or a picture of one colour settles nothing, nor does a service that is out of reach. */
  async function prove(id: number, reference: SourceReference): Promise<void> {
    const orientation = await orientationOf(reference);
    if (isSettled(orientation) || tried.has(id)) return;
    tried.add(id);
    const { hash, kind } = await sources.get(reference);
    const original = kind === 'svg' ? undefined : await cache.read(hash);
    if (!original) return;
    const found = await compareCustomFormat({ service, id, customFormat, original });
    if (!found.agrees) mismatches.set(orientation, found);
    else if (found.conclusive) catalogue.setProven(keyOf(orientation));
  }

  return {
    async check({ id, page }) {
      const reference: SourceReference = { kind: 'original', service: service.baseUrl, id };
      try {
        await oneAtATime(() => prove(id, reference));
        if (mismatches.size === 0) return;
        const mismatch = mismatches.get(await orientationOf(reference));
        if (mismatch) throw mediaAssetError('custom-format-mismatch', { id, page, ...mismatch });
      } catch (thrown) {
        if (!isNoProof(thrown)) throw thrown;
      }
    },
  };
}

/** The page's own crop has come. That another cannot be had now says nothing about it. */
function isNoProof(thrown: unknown): boolean {
  return (
    thrown instanceof ServiceError &&
    (thrown.temporary || thrown.code === 'request-refused' || thrown.code === 'request-forbidden')
  );
}
