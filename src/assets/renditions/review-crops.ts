import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { z } from 'zod';
import { contentTypeOf } from '../formats/output-formats.ts';
import type { Rectangle } from '../formats/rendition.ts';
import { renditionKey } from '../formats/rendition-url.ts';
import { assetVersion } from '../formats/source.ts';
import { fractionsToPixels, pixelsToFractions } from '../geometry/fit-image.ts';
import { writeCrop } from '../geometry/write-crop.ts';
import type { SourceAccess } from '../sources/source-bytes.ts';
import { placeSchema, type Reviewed } from '../store/asset-facts.ts';
import type { AssetStore } from '../store/asset-store.ts';
import { compareOriginals, takeFingerprint } from './compare-originals.ts';
import type { RenditionOnPage } from './emit-renditions.ts';

/** The crops on pages that someone should look at, because their originals have changed. */
export const cropReviews = z.array(
  z.object({
    id: z.int(),
    /** As it's written in JavaScript. */
    crop: z.string(),
    /** `another` image, the same in another `size`, or `unknown`: too little is kept of the old one. */
    change: z.enum(['another', 'size', 'unknown']),
    /** What the crop has shown, in an image that has another size and the same shape. */
    mapped: z.string().optional(),
    /** The hashes of the original. */
    ...{ before: z.string(), now: z.string() },
    asked: z.array(z.object({ page: z.string(), place: placeSchema.optional() })),
    /** Of both: a rendition, or what is known of the whole original. `url` is `''` if that's nothing. */
    images: z.array(
      z.object({ url: z.string(), width: z.int(), height: z.int(), isWhole: z.boolean() }),
    ),
  }),
);
export type CropReview = z.output<typeof cropReviews>[number];

/** In the cache folder: what the last build left for `media-asset crops`. */
export const reviewsFile = 'crops.json';

/**
 * Compares the originals of crops on pages with those that the crops were chosen on, or accepted for.
 * Remembers what it compares them with next time, and forgets the other fingerprints.
 *
 * @param accepted the start of the hashes that someone has accepted, by asset
 */
export async function reviewCrops(
  access: SourceAccess,
  addresses: readonly RenditionOnPage[],
  accepted: Readonly<Record<string, string>>,
): Promise<CropReview[]> {
  const { sources, store } = access;
  const reviews: CropReview[] = [];
  const shown = addresses.flatMap(({ address, page }) => {
    const { id } = address;
    const entry = store.facts(id).issued[renditionKey(address)];
    if (entry?.as !== 'rendition' || !entry.crop || sources.refusal(id)) return [];
    return { id, crop: entry.crop, rectangle: entry.rectangle, page, place: entry.place };
  });
  const byAsset = Map.groupBy(shown, (one) => one.id);
  for (const id of store.known())
    if (store.facts(id).reviewed && !byAsset.has(id)) store.note(id, { reviewed: {} });
  const review = async ([id, ofAsset]: readonly [number, typeof shown]) => {
    const { sources: own, reviewed: known = {} } = store.facts(id);
    const { original } = own;
    if (!original || original.kind === 'file') return;
    const { hash, width, height } = original;
    const isAccepted = hash.startsWith(accepted[id] ?? 'none');
    const bytes = known[hash]?.fingerprint ? undefined : await store.read(original);
    const taken = bytes && (await takeFingerprint(bytes)).toString('base64');
    const fingerprint = known[hash]?.fingerprint ?? taken;
    const now: Reviewed = { width, height, fingerprint, crops: {} };
    const reviewed: Record<string, Reviewed> = { [hash]: now };
    for (const [crop, same] of Map.groupBy(ofAsset, (one) => one.crop)) {
      const [{ rectangle }] = same as [(typeof same)[number]];
      const chosenOn = Object.entries(known).find(([, { crops }]) => crops[crop]);
      const [before, old] = isAccepted ? [hash, now] : (chosenOn ?? [hash, now]);
      const was = old.crops[crop] ?? rectangle;
      const change = before === hash ? undefined : await compare([old, was], [now, rectangle]);
      if (change) {
        const asked = same.map(
          ({ page, place }) => [`${page} ${place?.line}`, { page, place }] as const,
        );
        const versions = [
          { hash: before, ...old },
          { hash, ...now },
        ];
        const images = await Promise.all(versions.map((one) => imageOf(store, { id, crop }, one)));
        const found = { ...change, before, now: hash, images };
        reviews.push({ id, crop, ...found, asked: [...new Map(asked).values()] });
      }
      const kept = change ? before : hash;
      reviewed[kept] ??= { ...old, crops: {} };
      reviewed[kept].crops[crop] = change ? was : rectangle;
    }
    store.note(id, { reviewed });
  };
  // Each takes an original into memory.
  const limit = pLimit(availableParallelism());
  await Promise.all(Array.from(byAsset, (one) => limit(review, one)));
  return reviews.sort((one, other) => one.id - other.id);
}

/** How much of the same image a crop shows more or less at most because edges were cut. */
const cutAtMost = 0.12;

async function compare(
  [old, was]: readonly [Reviewed, Rectangle],
  [now, is]: readonly [Reviewed, Rectangle],
): Promise<Pick<CropReview, 'change' | 'mapped'> | undefined> {
  if (!old.fingerprint || !now.fingerprint) return { change: 'unknown' };
  const [before, present] = [old.fingerprint, now.fingerprint].map((text) =>
    Buffer.from(text, 'base64'),
  ) as [Buffer, Buffer];
  const isSame = await compareOriginals(before, present);
  const part = pixelsToFractions(was, old);
  if (!isSame(part)) return { change: 'another' };
  const growths = [is.width / now.width / part.width, is.height / now.height / part.height];
  if (growths.every((growth) => Math.abs(growth - 1) <= cutAtMost)) return undefined;
  const isInShape = Math.abs(now.height - (old.height * now.width) / old.width) < 1;
  return {
    change: 'size',
    mapped: isInShape ? writeCrop(fractionsToPixels(part, now), 'js') : undefined,
  };
}

/** What a crop shows of a version of its original. Without a rendition, it's all that's known of it. */
async function imageOf(
  store: AssetStore,
  { id, crop }: { id: number; crop: string },
  { hash, fingerprint = '', width, height }: Reviewed & { hash: string },
): Promise<CropReview['images'][number]> {
  const made = Object.entries(store.facts(id).issued).flatMap(([key, one]) => {
    const isShown = one.as === 'rendition' && one.crop === crop;
    return isShown && assetVersion(one.source) === hash ? { key, ...one } : [];
  });
  for (const one of made.sort((a, b) => b.width - a.width)) {
    const bytes = (await store.readRendition(id, one.key))?.toString('base64');
    const url = `data:${contentTypeOf(one.recipe.format)};base64,${bytes}`;
    if (bytes) return { url, width: one.width, height: one.height, isWhole: false };
  }
  const url = fingerprint && `data:image/png;base64,${fingerprint}`;
  return { url, width: 320, height: Math.round((320 * height) / width), isWhole: true };
}
