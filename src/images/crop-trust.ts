import pLimit from 'p-limit';
import { type Finding, finding, mediaAssetError } from '../errors.ts';
import { ServiceError } from '../service/service-error.ts';
import { digest } from './catalogue-data.ts';
import { compareCustomFormat } from './check-crops.ts';
import type { CropComparison } from './compare-crops.ts';
import type { ImagesContext } from './images-context.ts';
import { createLookAtOriginal, isNotToBeHad, type Look } from './look-at-original.ts';
import type { Orientation } from './read-orientation.ts';
import type { CachedSource, PictureReference, Source } from './source.ts';

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
  /**
   * Whether a crop by the service stands still although its original moves. Each original is looked
   * at for it, once for each version of a crop.
   *
   * @throws what downloads throw
   */
  losesFrames(crop: Source): Promise<boolean>;
  /** Begins what a page would wait for; it throws the same but for the mismatch. */
  prepare(crop: Source): Promise<void>;
  /** Says, once, which assets have crops that pages show although nothing has proven them. */
  takeFindings(): Finding[];
}

/** How EXIF turns an original, as far as it is known. `stale`: it can be compared with nothing. */
type Known = Orientation | 'unknown' | 'stale';

/** What is remembered of looks: of the orientation, and of the frames. */
type Remembered = 'upright' | 'unknown' | Frames;
type Frames = (typeof allFrames)[number];
const allFrames = ['still', 'moving', 'unseen'] as const;

/** A crop by which the settings of two sites differ whenever their queries do. */
const sample = { x: 101, y: 211, width: 307, height: 401 };
const samplePicture = { width: 1009, height: 1013 };

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
  const setting = digest([service.baseUrl, customFormat(sample, samplePicture)]);
  const lookAtOriginal = createLookAtOriginal({ service, sources });
  /** By asset. A build keeps its looks, a dev session looks again. */
  const looks = new Map<number, Promise<Look | undefined>>();
  /** One after the other: what one asset proves, others need not. */
  const oneAtATime = pLimit(1);
  let turnedProof: Promise<unknown> = Promise.resolve();
  const tried = new Set<number>();
  const mismatches = new Map<Orientation, CropComparison>();
  /** By asset, what a page shows crops of. What proves them may come later. */
  const shown = new Map<number, Known>();
  /** Assets of which it could not be found out whether they move. */
  const unseen = new Set<number>();

  function isSettled(orientation: Orientation): boolean {
    return mismatches.has(orientation) || catalogue.isProven(keyOf(orientation));
  }

  function keyOf(orientation: Orientation): string {
    return `${setting} ${orientation}`;
  }

  /** What was found out of the original holds as long as the crop stays as it is. */
  function lookedAtKey({ reference, hash, etag }: Source, found: Remembered): string {
    // Of an asset that was withdrawn, nothing may be left that names it.
    return `${setting} ${digest([reference.id, hash, etag])} ${found}`;
  }

  function remembered<Found extends Remembered>(
    crop: Source,
    founds: readonly Found[],
  ): Found | undefined {
    const found = founds.find((one) => catalogue.isProven(lookedAtKey(crop, one)));
    // It is kept for as long as it is of use.
    if (found) catalogue.setProven(lookedAtKey(crop, found));
    return found;
  }

  function isStale({ reference: { id } }: Source): boolean {
    return sources.staleSince(id) !== undefined;
  }

  function originalOf({ reference: { service, id } }: Source): PictureReference {
    return { kind: 'original', service, id };
  }

  function look(crop: Source): Promise<Look | undefined> {
    const { id } = crop.reference;
    let found = looks.get(id);
    if (!found) {
      const orientation = !catalogue.isProven(keyOf('turned'));
      found = lookAtOriginal(originalOf(crop), { orientation });
      looks.set(id, found);
      if (mode === 'dev') {
        const forget = () => void looks.delete(id);
        found.then(forget, forget);
      }
    }
    return found;
  }

  async function framesOf(crop: Source): Promise<Frames> {
    const known = remembered(crop, allFrames);
    if (known || isStale(crop)) return known ?? 'unseen';
    const found = await look(crop);
    const frames = !found ? 'unseen' : found.moves ? 'moving' : 'still';
    if (!isStale(crop)) catalogue.setProven(lookedAtKey(crop, frames));
    return frames;
  }

  async function losesFrames(crop: Source): Promise<boolean> {
    if (crop.animated) return false;
    const frames = await unlessNoProof(framesOf(crop), 'unseen');
    if (frames === 'unseen' && !isStale(crop)) unseen.add(crop.reference.id);
    return frames === 'moving';
  }

  /** Proves crops of such an asset where that is not done yet and can be. */
  async function settle(crop: Source): Promise<Known> {
    // What may turn a picture in the proof spares others their looks.
    await turnedProof;
    if (catalogue.isProven(keyOf('turned'))) return 'turned';
    // Whatever it is compared with could be of another version, or cannot be had.
    if (isStale(crop)) return 'stale';
    const founds = isSettled('upright')
      ? (['upright', 'unknown'] as const)
      : (['unknown'] as const);
    const known = remembered(crop, founds);
    if (known) return known;
    const orientation = (await look(crop))?.orientation;
    if (orientation === 'turned') {
      const proof = oneAtATime(() => prove(crop, 'turned'));
      turnedProof = proof.catch(() => undefined);
      await proof;
      return 'turned';
    }
    if (!isStale(crop)) catalogue.setProven(lookedAtKey(crop, orientation ?? 'unknown'));
    if (orientation === 'upright') await oneAtATime(() => prove(crop, 'upright'));
    return orientation ?? 'unknown';
  }

  /** A drawing or a picture of one colour settles nothing, nor does a service that is out of reach. */
  async function prove(crop: Source, orientation: Orientation): Promise<void> {
    const { id } = crop.reference;
    if (isSettled(orientation) || tried.has(id)) return;
    tried.add(id);
    const original = await originalFor(crop, (reference) => sources.get(reference));
    if (!original) return;
    let found = await compareWith(original);
    if (found && !found.agrees) {
      // The asset may have been replaced since its original came.
      const present = await originalFor(crop, (reference) => sources.renewed(reference));
      if (present && present.hash !== original.hash) found = await compareWith(present);
    }
    if (!found) return;
    if (!found.agrees) mismatches.set(orientation, describe(found, orientation));
    else if (found.conclusive) {
      catalogue.setProven(keyOf(orientation));
      // One that nothing turns has the same pixels both ways.
      catalogue.setProven(keyOf('upright'));
    }
  }

  /** `undefined` where the bytes have gone from the cache. */
  async function compareWith({
    hash,
    reference: { id },
  }: CachedSource): Promise<CropComparison | undefined> {
    const original = await cache.read(hash);
    return original && compareCustomFormat({ service, id, customFormat, original });
  }

  async function originalFor(
    crop: Source,
    get: (reference: PictureReference) => Promise<CachedSource>,
  ): Promise<CachedSource | undefined> {
    try {
      const original = await get(originalOf(crop));
      return original.kind === 'svg' ? undefined : original;
    } catch (thrown) {
      if (!isNotToBeHad(thrown)) throw thrown;
      catalogue.setProven(lookedAtKey(crop, 'unknown'));
      return undefined;
    }
  }

  function settleIfPossible(crop: Source): Promise<Known> {
    return unlessNoProof(settle(crop), 'unknown');
  }

  function mismatchOf(known: Known): CropComparison | undefined {
    if (known === 'stale') return undefined;
    return mismatches.get(known === 'turned' ? 'turned' : 'upright');
  }

  /** That it is stale is said of the asset itself. */
  function isProven(known: Known): boolean {
    if (known === 'stale' || catalogue.isProven(keyOf('turned'))) return true;
    return known !== 'unknown' && catalogue.isProven(keyOf(known));
  }

  return {
    async check(crop, page) {
      const known = await settleIfPossible(crop);
      const { id } = crop.reference;
      const mismatch = mismatchOf(known);
      if (mismatch) throw mediaAssetError('custom-format-mismatch', { id, page, ...mismatch });
      shown.set(id, known);
    },
    losesFrames,
    async prepare(crop) {
      if (!(await losesFrames(crop))) await settleIfPossible(crop);
    },
    takeFindings() {
      const unproven = [...shown]
        .filter(([id, known]) => !isProven(known) || unseen.has(id))
        .map(([id]) => id);
      shown.clear();
      if (unproven.length === 0) return [];
      const ids = unproven.sort((a, b) => a - b);
      return [finding('warning', 'crops-unproven', service.baseUrl, { ids })];
    },
  };
}

function describe(found: CropComparison, orientation: Orientation): CropComparison {
  if (orientation === 'upright') return found;
  return { ...found, expected: `${found.expected}, as EXIF turns the picture` };
}

async function unlessNoProof<Found>(work: Promise<Found>, otherwise: Found): Promise<Found> {
  try {
    return await work;
  } catch (thrown) {
    if (isNoProof(thrown)) return otherwise;
    throw thrown;
  }
}

/** The page's own crop has come. That another cannot be had now says nothing about it. */
function isNoProof(thrown: unknown): boolean {
  return (
    thrown instanceof ServiceError &&
    (thrown.temporary || thrown.code === 'request-refused' || thrown.code === 'request-forbidden')
  );
}
