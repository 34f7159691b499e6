import { z } from 'zod';
import { isAssetId } from '../../errors/asset-id.ts';

/**
 * The requests of the toolbar app. What comes from the network is parsed once, by these schemas. None of
 * them has free keys, and nothing but their values is used.
 */

const crop = z.strictObject({
  unit: z.enum(['pixel', 'fraction']).optional(),
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
});

const place = z.strictObject({
  /** From the project's folder, with `/`. */
  file: z.string().max(1000),
  /** Counted from 1. */
  line: z.int().positive(),
  column: z.int().positive().optional(),
});

/** A place of an asset in the source, as `places.json` has answered it. */
const sourcePlace = place.extend({
  kind: z.enum(['component', 'markdown', 'yaml', 'json']),
  /** The source text of the whole place: a tag, an address, a value. */
  text: z.string(),
  /** Its position in the file's text, in UTF-16 code units. */
  start: z.int().min(0),
  /** A digest of the file's bytes. */
  hash: z.string().max(100),
});

const assetChange = z.strictObject({
  id: z.int().refine(isAssetId).optional(),
  alt: z.string().max(10_000).optional(),
  crop: crop.nullable().optional(),
  aspect: z
    .union([z.number(), z.string().max(100)])
    .nullable()
    .optional(),
  focus: z
    .union([z.literal('attention'), z.strictObject({ x: z.number(), y: z.number() })])
    .nullable()
    .optional(),
  /** The crops of entries of `sources`, by their position. */
  sources: z
    .array(z.strictObject({ index: z.int().min(0), crop: crop.nullable() }))
    .max(100)
    .optional(),
});

/** An image whose places in the source are asked for. */
export const placesRequest = z.strictObject({
  id: z.int().refine(isAssetId),
  crop: crop.optional(),
  /** Where the source calls the component, or has the `media:` address. */
  place: place.optional(),
});

export const saveRequest = z.strictObject({ place: sourcePlace, change: assetChange });

export type Place = z.output<typeof place>;
export type SourcePlace = z.output<typeof sourcePlace>;
/** The props to write. `null` removes one, and a missing one stays. */
export type AssetChange = z.output<typeof assetChange>;
export type PlacesRequest = z.output<typeof placesRequest>;
export type SaveRequest = z.output<typeof saveRequest>;
