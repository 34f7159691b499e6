import pLimit from 'p-limit';
import { mediaAssetError } from '../errors.ts';
import { ServiceError } from '../service/service-error.ts';
import { digest } from './catalogue-data.ts';
import { compareCustomFormat } from './check-crops.ts';
import type { CropComparison } from './compare-crops.ts';
import type { ImagesContext } from './images-context.ts';
import { createLookAtOriginal, isNotToBeHad } from './look-at-original.ts';
import type { Orientation } from './read-orientation.ts';
import type { PictureReference, Source } from './source.ts';

/** Whether a service's crops are what is asked for. Settled once for a service and a setting. */
export interface CropTrust {
  /**
   * Lets a page show a crop by the service. The first one is proven: an off-centre crop of its
   * asset is compared with one of the original. So is the first one of a picture that EXIF turns;
   * until then each asset's original is looked at, once for each version of a crop.
   *
   * @throws `custom-format-mismatch`, and what downloads throw
   */
  check(crop: Source, page: string): Promise<void>;
  /** Begins what a page would wait for; it throws the same but for the mismatch. */
  prepare(crop: Source): Promise<void>;
}

/** A crop by which the settings of two sites differ whenever their queries do. */
const sample = { x: 101, y: 211, width: 307, height: 401 };

export function createCropTrust({
  options: { mode },
  service,
  catalogue,
  cache,
  sources,
  customFormat,
}: Pick<
  ImagesContext,
  'options' | 'service' | 'catalogue' | 'cache' | 'sources' | 'customFormat'
>): CropTrust {
  const setting = digest([service.baseUrl, customFormat(sample)]);
  const lookAtOriginal = createLookAtOriginal({ service, sources });
  /** By asset. A build keeps its looks, a dev session looks again. */
  const looks = new Map<number, Promise<Orientation | undefined>>();
  /** One after the other: what one asset proves, others need not. */
  const oneAtATime = pLimit(1);
  let turnedProof: Promise<unknown> = Promise.resolve();
  const tried = new Set<number>();
  const mismatches = new Map<Orientation, CropComparison>();

  function isSettled(orientation: Orientation): boolean {
    return mismatches.has(orientation) || catalogue.isProven(keyOf(orientation));
  }

  function keyOf(orientation: Orientation): string {
    return `${setting} ${orientation}`;
  }

  /** What was found out of the original holds as long as the crop stays as it is. */
  function lookedAtKey({ reference, hash, etag }: Source, found: 'upright' | 'unknown'): string {
    // Of an asset that was withdrawn, nothing may be left that names it.
    return `${setting} ${digest([reference.id, hash, etag])} ${found}`;
  }

  function isLookedAt(crop: Source): boolean {
    const founds = isSettled('upright') ? (['upright', 'unknown'] as const) : ['unknown' as const];
    const key = founds.map((found) => lookedAtKey(crop, found)).find(catalogue.isProven);
    // It is kept for as long as it is of use.
    if (key !== undefined) catalogue.setProven(key);
    return key !== undefined;
  }

  function isStale({ reference: { id } }: Source): boolean {
    return sources.staleSince(id) !== undefined;
  }

  function originalOf({ reference: { service, id } }: Source): PictureReference {
    return { kind: 'original', service, id };
  }

  function look(crop: Source): Promise<Orientation | undefined> {
    const { id } = crop.reference;
    let found = looks.get(id);
    if (!found) {
      found = lookAtOriginal(originalOf(crop));
      looks.set(id, found);
      if (mode === 'dev') {
        const forget = () => void looks.delete(id);
        found.then(forget, forget);
      }
    }
    return found;
  }

  /** @returns what is known to be wrong with crops of such an asset */
  async function settle(crop: Source): Promise<CropComparison | undefined> {
    // What may turn a picture in the proof spares others their looks.
    await turnedProof;
    if (catalogue.isProven(keyOf('turned'))) return undefined;
    // Whatever it is compared with could be of another version, or cannot be had.
    if (isStale(crop)) return undefined;
    if (isLookedAt(crop)) return mismatches.get('upright');
    const orientation = await look(crop);
    if (orientation === 'turned') {
      const proof = oneAtATime(() => prove(crop, 'turned'));
      turnedProof = proof.catch(() => undefined);
      await proof;
      return mismatches.get('turned');
    }
    if (!isStale(crop)) catalogue.setProven(lookedAtKey(crop, orientation ?? 'unknown'));
    if (orientation === 'upright') await oneAtATime(() => prove(crop, 'upright'));
    return mismatches.get('upright');
  }

  /** A drawing or a picture of one colour settles nothing, nor does a service that is out of reach. */
  async function prove(crop: Source, orientation: Orientation): Promise<void> {
    const { id } = crop.reference;
    if (isSettled(orientation) || tried.has(id)) return;
    tried.add(id);
    const original = await bytesOfOriginal(crop);
    if (!original) return;
    const found = await compareCustomFormat({ service, id, customFormat, original });
    if (!found.agrees) mismatches.set(orientation, describe(found, orientation));
    else if (found.conclusive) {
      catalogue.setProven(keyOf(orientation));
      // One that nothing turns has the same pixels both ways.
      catalogue.setProven(keyOf('upright'));
    }
  }

  async function bytesOfOriginal(crop: Source): Promise<Uint8Array | undefined> {
    try {
      const { hash, kind } = await sources.get(originalOf(crop));
      return kind === 'svg' ? undefined : await cache.read(hash);
    } catch (thrown) {
      if (!isNotToBeHad(thrown)) throw thrown;
      catalogue.setProven(lookedAtKey(crop, 'unknown'));
      return undefined;
    }
  }

  async function settleIfPossible(crop: Source): Promise<CropComparison | undefined> {
    try {
      return await settle(crop);
    } catch (thrown) {
      if (isNoProof(thrown)) return undefined;
      throw thrown;
    }
  }

  return {
    async check(crop, page) {
      const mismatch = await settleIfPossible(crop);
      const { id } = crop.reference;
      if (mismatch) throw mediaAssetError('custom-format-mismatch', { id, page, ...mismatch });
    },
    async prepare(crop) {
      await settleIfPossible(crop);
    },
  };
}

function describe(found: CropComparison, orientation: Orientation): CropComparison {
  if (orientation === 'upright') return found;
  return { ...found, expected: `${found.expected}, as EXIF turns the picture` };
}

/** The page's own crop has come. That another cannot be had now says nothing about it. */
function isNoProof(thrown: unknown): boolean {
  return (
    thrown instanceof ServiceError &&
    (thrown.temporary || thrown.code === 'request-refused' || thrown.code === 'request-forbidden')
  );
}
