import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { z } from 'zod';
import type { AssetsOptions } from '../assets-options.ts';
import type { CachedSource, Source } from '../formats/source.ts';
import { toPixels } from '../geometry/crop.ts';
import { fractionsToPixels, pixelsToFractions } from '../geometry/fit-image.ts';
import type { Rectangle } from '../geometry/rectangle.ts';
import { readWrittenCrop, writeCrop } from '../geometry/write-crop.ts';
import type { Reviewed } from '../store/asset-facts.ts';
import type { AssetStore } from '../store/asset-store.ts';
import { compareOriginals, takeFingerprint } from './compare-originals.ts';

/** Why someone should look at a crop. */
export const reasonSchema = z.object({
  /** `another` image, the same in another `size`, or `unknown`: too little is kept of the old one. */
  change: z.enum(['another', 'size', 'unknown']),
  /** What the crop has shown, in an image that has another size and the same shape. */
  mapped: z.string().optional(),
});
type ReviewReason = z.output<typeof reasonSchema>;

export type ChangedCrops = ReturnType<typeof createChangedCrops>;

/** Compares originals with those that crops were chosen on, or accepted for. */
export function createChangedCrops(
  store: AssetStore,
  { keeps, accepted }: Pick<AssetsOptions, 'keeps' | 'accepted'>,
) {
  const compared = new Map<string, ReturnType<typeof compareVersions>>();
  // Each takes an original into memory.
  const limit = pLimit(availableParallelism());

  async function compareVersions(original: Source) {
    const { hash, width, height, kind, reference } = original;
    const { [hash]: known, ...others } = store.facts(reference.id).reviewed ?? {};
    const bytes = known?.fingerprint || kind === 'svg' ? undefined : await store.read(original);
    const taken = bytes && (await takeFingerprint(bytes)).toString('base64');
    const now: Reviewed = { width, height, fingerprint: known?.fingerprint ?? taken, crops: {} };
    const changes = new Map<string, ReviewReason & { before: string; old: Reviewed }>();
    const isAccepted = hash.startsWith((await accepted())[reference.id] ?? 'none');
    for (const [before, version] of isAccepted ? [] : Object.entries(others)) {
      const { width, height } = version;
      const guessed = { source: { ...original, hash: before, width, height } };
      const old = { ...version, kept: keeps ? (version.kept ?? guessed) : undefined };
      const [was, is] = [old, now].map(({ fingerprint = '' }) =>
        Buffer.from(fingerprint, 'base64'),
      );
      const isSame = was?.length && is?.length ? await compareOriginals(was, is) : undefined;
      for (const crop of Object.keys(old.crops)) {
        const reason = reasonFor(crop, [old, now], isSame);
        if (reason) changes.set(crop, { ...reason, before, old });
      }
    }
    return { now, changes };
  }

  /** By the crop as it's written in JavaScript, what someone should look at. */
  function changesOf(original: Source): ReturnType<typeof compareVersions> {
    const key = `${original.reference.id} ${original.hash}`;
    const found = compared.get(key) ?? limit(compareVersions, original);
    compared.set(key, found);
    return found;
  }

  return {
    keeps,
    changesOf,
    /** The old version that a page shows instead of the present one. */
    async kept(present: CachedSource | undefined, crop = ''): Promise<Reviewed['kept']> {
      if (!keeps || !crop || !present || present.kind === 'file') return undefined;
      return (await changesOf(present)).changes.get(crop)?.old.kept;
    },
    /** The keys of kept renditions that are neither in the cache nor on the live site. */
    lost: new Set<string>(),
  };
}

/** What a crop shows of a version of its original. */
export function areaOf(crop: string, version: Reviewed): Rectangle {
  return toPixels(readWrittenCrop(crop), version);
}

/** How much of the same image a crop shows more or less at most because edges were cut. */
const cutAtMost = 0.12;

function reasonFor(
  crop: string,
  [old, now]: readonly [Reviewed, Reviewed],
  isSame: ((part: Rectangle) => boolean) | undefined,
): ReviewReason | undefined {
  if (!isSame) return { change: 'unknown' };
  const is = areaOf(crop, now);
  const part = pixelsToFractions(areaOf(crop, old), old);
  if (!isSame(part)) return { change: 'another' };
  const growths = [is.width / now.width / part.width, is.height / now.height / part.height];
  if (growths.every((growth) => Math.abs(growth - 1) <= cutAtMost)) return undefined;
  const isInShape = Math.abs(now.height - (old.height * now.width) / old.width) < 1;
  const mapped = isInShape ? writeCrop(fractionsToPixels(part, now), 'js') : undefined;
  return { change: 'size', mapped };
}
