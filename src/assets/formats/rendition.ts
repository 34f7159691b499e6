import { z } from 'zod';
import { creditSchema } from './credit.ts';
import { outputFormats } from './output-formats.ts';
import { fileReferenceSchema, hashSchema, imageReferenceSchema } from './source.ts';

/** How the bytes of a rendition are made. */
const recipeSchema = z.object({
  format: z.enum(outputFormats),
  /** 1 to 100. A PNG without a quality is lossless, with one it has a palette. A GIF has none. */
  quality: z.number().optional(),
  /** How long the encoder searches for a smaller file. Not all formats have it. */
  effort: z.number().optional(),
  /** Whether all frames of an animation are kept, or only the first one. */
  animated: z.boolean(),
  /** Fills transparent parts. Set only if the image can have some. */
  background: z.string().optional(),
  /** Written into the file, unless its format has no metadata. */
  credit: creditSchema.optional(),
});
export type Recipe = Readonly<z.output<typeof recipeSchema>>;

const wholeNumber = z.int().min(0);
const positive = z.int().min(1);

/** A rectangle of an original, scaled to a size. */
export const renditionSchema = z.object({
  source: z.object({ reference: imageReferenceSchema, hash: hashSchema }),
  /** The position of the source's first pixel in the original: 0, 0 unless it's a crop. */
  corner: z.object({ x: wholeNumber, y: wholeNumber }),
  rectangle: z.object({ x: wholeNumber, y: wholeNumber, width: positive, height: positive }),
  /** Output size in pixels. */
  width: positive,
  height: positive,
  recipe: recipeSchema,
});
/** One file that we publish. */
export type Rendition = Readonly<z.output<typeof renditionSchema>>;

/** One version of a source. */
export const versionSchema = z.object({
  reference: z.union([imageReferenceSchema, fileReferenceSchema]),
  hash: hashSchema,
});
export type RenditionSource = Readonly<z.output<typeof versionSchema>>;
