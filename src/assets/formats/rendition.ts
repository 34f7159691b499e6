import type { SourceReference } from './source.ts';

/** A rectangle in pixels of the original as displayed (after EXIF orientation). */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** In pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A point; in pixels of the original, or as fractions (0 to 1) of what it lies in. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Formats that a picture of pixels can be published in. */
export const renditionFormats = ['webp', 'avif', 'jpeg', 'png', 'gif'] as const;
export type RenditionFormat = (typeof renditionFormats)[number];
/** The same, and that of drawings, which have no other. */
export const outputFormats = [...renditionFormats, 'svg'] as const;
export type OutputFormat = (typeof outputFormats)[number];

export const gamuts = ['srgb', 'p3'] as const;
export type Gamut = (typeof gamuts)[number];

/** What stands in the place of a picture until it has come. */
export const placeholders = ['blur', 'color', 'none'] as const;
export type Placeholder = (typeof placeholders)[number];

/** How the bytes of a rendition are made. */
export interface Recipe {
  readonly format: OutputFormat;
  /** 1 to 100. A PNG without one is lossless, with one it has a palette; a GIF has none. */
  readonly quality: number | undefined;
  /** How long the encoder searches for fewer bytes. Formats without one have none. */
  readonly effort?: number | undefined;
  /** Whether all frames of an animation are kept, or only the first. */
  readonly animated: boolean;
  readonly gamut: Gamut;
  /** Fills what is transparent; of a picture that can be. */
  readonly background?: string | undefined;
  /** What sanitises a drawing, with its version. Without one it is published as it is. */
  readonly sanitizer?: string | undefined;
}

export interface RenditionSource {
  readonly reference: SourceReference;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly hash: string;
}

/** One file that we publish: a rectangle of the original, scaled to a size. */
export interface Rendition {
  readonly source: RenditionSource;
  /** Where the first pixel of the source lies in the original: of an original 0, 0. */
  readonly corner: Point;
  readonly rectangle: Rectangle;
  /** Output size in pixels. */
  readonly width: number;
  readonly height: number;
  readonly recipe: Recipe;
}

interface FormatFacts {
  /** The ending of a file, without the dot. */
  readonly extension: string;
  readonly contentType: string;
  /** The most pixels that one side of a picture can have with this machine's encoders. */
  readonly longestSide: number;
  readonly animates: boolean;
  readonly defaultQuality: number | undefined;
  /** What sharp takes, and the default. */
  readonly effort?: { readonly least: number; readonly most: number; readonly default: number };
}

export const formatFacts: Readonly<Record<OutputFormat, FormatFacts>> = {
  webp: {
    extension: 'webp',
    contentType: 'image/webp',
    longestSide: 16_383,
    animates: true,
    defaultQuality: 80,
    effort: { least: 0, most: 6, default: 4 },
  },
  avif: {
    extension: 'avif',
    contentType: 'image/avif',
    longestSide: 16_384,
    animates: false,
    defaultQuality: 60,
    // At 4, sharp's own, encoding takes six times as long for 1 % fewer bytes: bench/ENCODERS.md.
    effort: { least: 0, most: 9, default: 3 },
  },
  jpeg: {
    extension: 'jpg',
    contentType: 'image/jpeg',
    longestSide: 65_500,
    animates: false,
    defaultQuality: 80,
  },
  png: {
    extension: 'png',
    contentType: 'image/png',
    longestSide: 65_535,
    animates: false,
    defaultQuality: undefined,
  },
  gif: {
    extension: 'gif',
    contentType: 'image/gif',
    longestSide: 65_535,
    animates: true,
    defaultQuality: undefined,
    effort: { least: 1, most: 10, default: 7 },
  },
  svg: {
    extension: 'svg',
    contentType: 'image/svg+xml',
    longestSide: Number.POSITIVE_INFINITY,
    animates: true,
    defaultQuality: undefined,
  },
};

/** Astro's words for a quality, with the numbers of its own image service. */
export const qualityWords = { low: 25, mid: 50, high: 80, max: 100 } as const;
export type QualityWord = keyof typeof qualityWords;
