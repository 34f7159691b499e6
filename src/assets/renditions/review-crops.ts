import { z } from 'zod';
import { contentTypeOf } from '../formats/output-formats.ts';
import { renditionKey } from '../formats/rendition-url.ts';
import { assetVersion } from '../formats/source.ts';
import type { SourceAccess } from '../sources/source-bytes.ts';
import { placeSchema, type Reviewed } from '../store/asset-facts.ts';
import { areaOf, type ChangedCrops, reasonSchema } from './changed-crops.ts';
import type { RenditionOnPage } from './emit-renditions.ts';
import { previewImage } from './small-images.ts';

/** The crops on pages that someone should look at, because their originals have changed. */
export const cropReviews = z.array(
  reasonSchema.extend({
    id: z.int(),
    /** As it's written in JavaScript. */
    crop: z.string(),
    /** With `changed: 'keep'`: whether the old image is published, or couldn't be. */
    old: z.enum(['published', 'lost']).optional(),
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
 */
export async function reviewCrops(
  access: SourceAccess,
  { keeps, changesOf, lost }: ChangedCrops,
  addresses: readonly RenditionOnPage[],
): Promise<CropReview[]> {
  const { sources, store } = access;
  const reviews: CropReview[] = [];
  const shown = addresses.flatMap(({ address, page }) => {
    const { id } = address;
    const key = renditionKey(address);
    const entry = store.facts(id).issued[key];
    if (entry?.as !== 'rendition' || !entry.crop || sources.refusal(id)) return [];
    return { id, key, crop: entry.crop, entry, page, place: entry.place };
  });
  const byAsset = Map.groupBy(shown, (one) => one.id);
  for (const id of store.known())
    if (store.facts(id).reviewed && !byAsset.has(id)) store.note(id, { reviewed: {} });
  const review = async ([id, ofAsset]: readonly [number, typeof shown]) => {
    const { original } = store.facts(id).sources;
    if (!original || original.kind === 'file') return;
    const { hash } = original;
    const own = ofAsset.find(({ entry }) => assetVersion(entry.source) === hash)?.entry.recipe;
    const kept = keeps ? { source: original, credit: own?.credit } : undefined;
    const { now, changes } = await changesOf(original);
    const reviewed: Record<string, Reviewed> = { [hash]: { ...now, crops: {}, kept } };
    for (const [crop, same] of Map.groupBy(ofAsset, (one) => one.crop)) {
      const found = changes.get(crop);
      const { before, old } = found ?? { before: hash, old: now };
      reviewed[before] ??= { ...old, crops: {} };
      reviewed[before].crops[crop] = areaOf(crop, old);
      if (!found) continue;
      const asked = same.map(({ page, place }) => {
        return [`${page} ${place?.line}`, { page, place }] as const;
      });
      const imageIn = (hash: string, version: Reviewed) =>
        imageOf(access, { id, crop }, { hash, ...version });
      const images = [await imageIn(before, old), await imageIn(hash, now)];
      const state = same.some(({ key }) => lost.has(key)) ? 'lost' : 'published';
      reviews.push({
        ...{ ...found, id, crop, before, now: hash, images, old: keeps ? state : undefined },
        asked: [...new Map(asked).values()],
      });
    }
    store.note(id, { reviewed });
  };
  await Promise.all(Array.from(byAsset, review));
  return reviews.sort((one, other) => one.id - other.id);
}

/** What a crop shows of a version of its original, or all that's known of it. */
async function imageOf(
  access: SourceAccess,
  { id, crop }: { id: number; crop: string },
  { hash, ...version }: Reviewed & { hash: string },
): Promise<CropReview['images'][number]> {
  const { store } = access;
  const made = Object.entries(store.facts(id).issued).flatMap(([key, one]) => {
    const isShown = one.as === 'rendition' && one.crop === crop;
    return isShown && assetVersion(one.source) === hash ? { key, ...one } : [];
  });
  for (const one of made.sort((a, b) => b.width - a.width)) {
    const bytes = (await store.readRendition(id, one.key))?.toString('base64');
    const url = `data:${contentTypeOf(one.recipe.format)};base64,${bytes}`;
    if (bytes) return { url, width: one.width, height: one.height, isWhole: false };
  }
  const { fingerprint = '', width, height } = version;
  const rectangle = areaOf(crop, version);
  // Pages that keep the old image have no rendition of this one.
  const isPresent = store.facts(id).sources.original?.hash === hash;
  const preview =
    isPresent && (await previewImage(access, { id, width: 640, rectangle }).catch(() => undefined));
  if (preview) {
    const url = `data:image/webp;base64,${preview.toString('base64')}`;
    return { url, width: rectangle.width, height: rectangle.height, isWhole: false };
  }
  const url = fingerprint && `data:image/png;base64,${fingerprint}`;
  return { url, width: 320, height: Math.round((320 * height) / width), isWhole: true };
}
