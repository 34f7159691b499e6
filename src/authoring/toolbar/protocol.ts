/**
 * The messages that the toolbar app in the browser and its server part in the dev server exchange. All
 * of them are JSON. What comes from the network is parsed once, by these schemas: none of them has free
 * keys, and nothing but their values is used. The app imports types only.
 */

import { z } from 'zod';
import type { Size } from '../../assets/geometry/rectangle.ts';
import { isAssetId } from '../../errors/asset-id.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import type { Place } from '../../errors/place.ts';
import { uploadMetadata } from '../../service/requests.ts';
import type { GivenCuts } from '../crop-editor/crop-state.ts';

export type { Size };

const assetId = z.int().refine(isAssetId);

const crop = z.strictObject({
  unit: z.enum(['pixel', 'fraction']).optional(),
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
});

/** A `Place`, as an image's attribute has it. */
const place = z.strictObject({
  file: z.string().max(1000),
  line: z.int().positive().optional(),
  column: z.int().positive().optional(),
});

/** A place of an asset in the source, as `places.json` has answered it. */
const sourcePlace = place.extend({
  line: z.int().positive(),
  kind: z.enum(['component', 'markdown', 'yaml', 'json']),
  /** Its position in the file's text, in UTF-16 code units. */
  start: z.int().min(0),
  hash: z.string().max(100),
  /** Whether other code sets the alt text, or the place can't have one. */
  isAltFixed: z.boolean().optional(),
  /** The ID, if the place has the number alone, which could be anything. */
  number: z.int().optional(),
  /** Whether it's a `<MediaVideo>`, which can have a poster. */
  isVideo: z.boolean().optional(),
});

const alt = z.string().max(10_000);
const aspect = z.union([z.number(), z.string().max(100)]);
const focus = z.union([z.literal('attention'), z.strictObject({ x: z.number(), y: z.number() })]);

/** A top-level block of Markdown, as its element's attribute has it. */
const block = sourcePlace.pick({ file: true, line: true, start: true, hash: true });

const assetChange = z.strictObject({
  id: assetId.optional(),
  alt: alt.nullable().optional(),
  crop: crop.nullable().optional(),
  aspect: aspect.nullable().optional(),
  focus: focus.nullable().optional(),
  /** The crops of entries of `sources`, by their position. */
  sources: z
    .array(z.strictObject({ index: z.int().min(0), crop: crop.nullable() }))
    .max(100)
    .optional(),
  /** Of a video, instead of the one that it has. */
  poster: z.strictObject({ id: assetId, crop: crop.optional() }).optional(),
});

export const placesRequest = z.strictObject({
  id: assetId,
  crop: crop.optional(),
  /** The alt text that the page has given. */
  alt: z.string().optional(),
  /** Where the source calls the component, or has the `media:` address. */
  place: place.optional(),
  /** Whether the page links or plays it. */
  isFile: z.boolean().optional(),
});

export const saveRequest = z.strictObject({ place: sourcePlace, change: assetChange });

export const undoRequest = z.strictObject({ save: z.int().positive() });

const newImage = z.strictObject({
  id: assetId,
  /** The text of a link to a file that isn't an image. */
  link: z.string().min(1).max(1000).optional(),
  /** Without it, the record's. */
  alt: alt.optional(),
  crop: crop.optional(),
  aspect: aspect.optional(),
  focus: focus.optional(),
});

export const insertRequest = z.strictObject({
  block,
  /** Whether the image comes after the block, or before it. */
  isAfter: z.boolean(),
  /** Several become a list. */
  images: z.array(newImage).min(1).max(100),
});

export const noRequest = z.strictObject({});

const assetKind = z.enum(['image', 'video', 'audio', 'document']);

/** In the query of a URL, numbers are texts. */
const integer = z.coerce.number().int();

/** The page's language, for the texts of records. */
const locale = z.string().max(100).optional();

const only = z.enum(['allowed', 'ending', 'forbidden', 'unknown', 'without-alt', 'unused']);

export const assetsRequest = z.strictObject({
  /** A search text, or an ID. Without it, `folder` decides. */
  search: z.string().optional(),
  /** Without it, all folders. */
  folder: integer.optional(),
  kind: assetKind.optional(),
  only: only.optional(),
  /** Without it, as the service lists or finds them, with those in front that authors have used last. */
  sort: z.enum(['name', 'newest']).optional(),
  locale,
  /** How many to show, or to ask about singly to decide the filter. */
  limit: integer.min(1).max(100_000),
  /** Whether the same question has been answered in part. */
  again: z.stringbool().default(false),
});

export const assetRequest = z.strictObject({ id: integer.refine(isAssetId), locale });

/** Its body is the file. */
export const uploadRequest = z.strictObject({
  filename: uploadMetadata.shape.filename.unwrap(),
  folder: integer,
  name: z.string().min(1).max(1000),
  /** For the asset's record, if the site reads it from one of its fields. */
  alt: z.string().max(1000).optional(),
  locale,
});

export const imageRequest = assetRequest.omit({ locale: true }).extend({
  /** In pixels. */
  width: integer.pipe(z.literal([320, 1600])),
});

/** Answers what a schema has read. Throws `toolbar-request-invalid` for anything else. */
export function parsed<T, Rest extends unknown[]>(
  schema: z.ZodType<T>,
  answer: (request: T, ...rest: Rest) => Promise<unknown>,
) {
  return async (given: unknown, ...rest: Rest) => {
    const { success, data } = schema.safeParse(given);
    if (!success) throw mediaAssetError('toolbar-request-invalid', { problem: 'unknown form' });
    return answer(data, ...rest);
  };
}

export type SourcePlace = z.output<typeof sourcePlace>;
/** The props to write. `null` removes one, so that the record's text is shown; a missing one stays. */
export type AssetChange = z.output<typeof assetChange>;
export type PlacesRequest = z.output<typeof placesRequest>;
export type AssetRequest = z.output<typeof assetRequest>;
export type MarkdownBlock = z.output<typeof block>;
export type InsertRequest = z.output<typeof insertRequest>;
export type NewImage = z.output<typeof newImage>;
export type SaveRequest = z.output<typeof saveRequest>;
export type SavedPlace = Pick<SourcePlace, 'file' | 'line'> &
  Readonly<z.output<typeof undoRequest>>;
export interface Save extends SavedPlace {
  /** The lines that it changed, before and after it. */
  readonly before: string;
  readonly after: string;
  /** Whether the file still has what was saved. */
  readonly canUndo: boolean;
}
export interface SaveAnswer {
  /** The place as it's now. */
  readonly place: SourcePlace;
  readonly saved: SavedPlace;
}
export type ToolbarUpload = z.output<typeof uploadRequest>;
export type AssetKind = z.output<typeof assetKind>;
export type Only = z.output<typeof only>;
export type AssetsRequest = z.output<typeof assetsRequest>;

/** The value of the attribute `data-media-asset-toolbar`, which images have in dev. */
export interface ShownAsset {
  readonly id: number;
  readonly name?: string | undefined;
  /** Of a file that the page links or plays. */
  readonly kind?: AssetKind | undefined;
  readonly alt: string;
  /** The alt text that the page has given. Without it, the record's. */
  readonly given?: string | undefined;
  /** The page's language. */
  readonly locale?: string | undefined;
  /** Where the source calls the component, or has the `media:` address. */
  readonly place?: Place | undefined;
  /** Only props that the app can change, as the request has them. */
  readonly props: GivenCuts;
  /** The crop that shows what its crop has shown before the original got another size. */
  readonly mapped?: GivenCuts['crop'];
  /** The original's size as displayed, in pixels. `undefined` for a placeholder. */
  readonly original?: Size | undefined;
  /** The layout size and the published widths, in pixels. */
  readonly layout?: (Size & { readonly widths: readonly number[] }) | undefined;
  readonly record?: ShownRecord | undefined;
  /** Signs next to an image. */
  readonly problems: readonly string[];
}

/** What the record says, if the site reads records. */
export interface ShownRecord {
  readonly alt?: string | undefined;
  readonly credit?: string | undefined;
  readonly focus?: GivenCuts['recordFocus'];
  /** In words: `allowed until 2026-12-31`. */
  readonly rights: string;
  readonly isForbidden: boolean;
}

export interface FoldersAnswer {
  /** Each after its parent. The depth of a root folder is 0. */
  readonly folders: readonly Readonly<{ id: number; name: string; depth: number }>[];
  /** What the site reads from records, and whether the service lists usages. */
  readonly judges: Readonly<{ rights: boolean; alt: boolean; usages: boolean }>;
}

export interface AssetsAnswer {
  readonly assets: readonly ListedAsset[];
  /** How many there are until now. */
  readonly total: number;
  /** For how many more it isn't known whether they belong here. */
  readonly undecided: number;
  /** Whether the answer isn't whole yet. */
  readonly isReading: boolean;
  /** Which lists couldn't be read, and why. */
  readonly failure?: Notice | undefined;
}

export interface ListedAsset {
  readonly id: number;
  readonly name: string;
  readonly kind: AssetKind;
  /** As displayed, in pixels; `undefined` if the service doesn't say. */
  readonly size?: Size | undefined;
  readonly bytes?: number | undefined;
  /** The alt text that the author has just given it. */
  readonly alt?: string | undefined;
  /** Whether the site may show it, if the site reads rights. */
  readonly rights?: 'allowed' | 'ending' | 'unknown' | 'forbidden' | undefined;
  /** The rights in words. */
  readonly why?: string | undefined;
  /** Whether its record has an alt text in the page's language, if that's known. */
  readonly hasAlt?: boolean | undefined;
}

export interface UploadAnswer {
  readonly asset: ListedAsset;
  /** Whether the service had the same bytes already, so that nothing was uploaded. */
  readonly isSame: boolean;
  /** Whether the site has no field for the alt text that was given. */
  readonly lacksAlt?: boolean;
}

/** What a page in a language shows if it gives no alt text: `''` for none, `undefined` if unknown. */
export interface LanguageAlt {
  readonly language: string;
  readonly alt?: string | undefined;
}

export interface AssetDetails {
  /** In the service, if it tells. */
  readonly name?: string | undefined;
  /** As displayed, in pixels, once the dev server has the original. */
  readonly size?: Size | undefined;
  /** In the language that was asked for. */
  readonly record?: ShownRecord | undefined;
  /** Of the record, in the site's languages; `undefined` if it has one, or reads no texts. */
  readonly alts?: readonly LanguageAlt[] | undefined;
  /** By the service; `undefined` if it has no list of usages. */
  readonly usages?: readonly { readonly page: string; readonly pageName?: string }[] | undefined;
}

/** What the app says instead of a result, or above one. The `error` of each answer from status 400. */
export interface Notice {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** The places in the source that a shown asset can come from. Usually one. */
export interface PlacesAnswer {
  readonly places: readonly SourcePlace[];
  /**
   * Whether the place is the call of the component, or the Markdown image. Other places have the same
   * asset, and the image may come from somewhere else.
   */
  readonly isCall: boolean;
  /** Why there's none: the file and line, and what to do instead. */
  readonly notice?: Notice | undefined;
}
