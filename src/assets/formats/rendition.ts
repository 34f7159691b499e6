import { z } from 'zod';
import { creditSchema } from './credit.ts';
import { fileReferenceSchema, hashSchema, imageReferenceSchema } from './source.ts';

/** A rectangle in pixels of the original as displayed (after EXIF orientation). */
export type Rectangle = Point & Size;

/** In pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A point in pixels of the original, or in fractions (0 to 1) of an area. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Formats that a raster image can be published in. */
export const renditionFormats = ['webp', 'avif', 'jpeg', 'png', 'gif'] as const;
export type RenditionFormat = (typeof renditionFormats)[number];
/** All output formats. SVGs are only published as SVG. */
const outputFormats = [...renditionFormats, 'svg'] as const;
export type OutputFormat = (typeof outputFormats)[number];

export const gamuts = ['srgb', 'p3'] as const;
export type Gamut = (typeof gamuts)[number];

/** Shown until the image has loaded. */
export const placeholders = ['blur', 'color', 'none'] as const;
export type Placeholder = (typeof placeholders)[number];

/** How the bytes of a rendition are made. */
const recipeSchema = z.object({
  format: z.enum(outputFormats),
  /** 1 to 100. A PNG without a quality is lossless, with one it has a palette. A GIF has none. */
  quality: z.number().optional(),
  /** How long the encoder searches for a smaller file. Not all formats have it. */
  effort: z.number().optional(),
  /** Whether all frames of an animation are kept, or only the first one. */
  animated: z.boolean(),
  gamut: z.enum(gamuts),
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

interface FormatFacts {
  /** The most pixels of a side that this machine's encoders support. */
  readonly longestSide: number;
  readonly animates?: true;
  readonly defaultQuality?: number;
  /** The range that sharp accepts, and our default. */
  readonly effort?: { readonly least: number; readonly most: number; readonly default: number };
}

export const formatFacts: Readonly<Record<OutputFormat, FormatFacts>> = {
  webp: {
    longestSide: 16_383,
    animates: true,
    defaultQuality: 80,
    effort: { least: 0, most: 6, default: 4 },
  },
  avif: {
    longestSide: 16_384,
    // As good as WebP at 80, with a third fewer bytes: bench/ENCODERS.md.
    defaultQuality: 56,
    // At 4, sharp's default, encoding takes five times as long for 5 to 9 % fewer bytes.
    effort: { least: 0, most: 9, default: 3 },
  },
  jpeg: { longestSide: 65_500, defaultQuality: 80 },
  png: { longestSide: 65_535 },
  gif: { longestSide: 65_535, animates: true, effort: { least: 1, most: 10, default: 7 } },
  svg: { longestSide: Number.POSITIVE_INFINITY, animates: true },
};

export function contentTypeOf(format: OutputFormat | 'tiff'): string {
  return `image/${format === 'svg' ? 'svg+xml' : format}`;
}

/** Astro's words for qualities, with the numbers of its own image service. */
export const qualityWords = { low: 25, mid: 50, high: 80, max: 100 } as const;
export type QualityWord = keyof typeof qualityWords;
