import type { RecordCredit } from './credit.ts';
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

/** A point in pixels of the original, or in fractions (0 to 1) of an area. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Formats that a raster image can be published in. */
export const renditionFormats = ['webp', 'avif', 'jpeg', 'png', 'gif'] as const;
export type RenditionFormat = (typeof renditionFormats)[number];
/** All output formats. SVGs are only published as SVG. */
export const outputFormats = [...renditionFormats, 'svg'] as const;
export type OutputFormat = (typeof outputFormats)[number];

export const gamuts = ['srgb', 'p3'] as const;
export type Gamut = (typeof gamuts)[number];

/** Shown until the image has loaded. */
export const placeholders = ['blur', 'color', 'none'] as const;
export type Placeholder = (typeof placeholders)[number];

/** How the bytes of a rendition are made. */
export interface Recipe {
  readonly format: OutputFormat;
  /** 1 to 100. A PNG without a quality is lossless, with one it has a palette. A GIF has none. */
  readonly quality: number | undefined;
  /** How long the encoder searches for a smaller file. Not all formats have it. */
  readonly effort?: number | undefined;
  /** Whether all frames of an animation are kept, or only the first one. */
  readonly animated: boolean;
  readonly gamut: Gamut;
  /** Fills transparent parts. Set only if the image can have some. */
  readonly background?: string | undefined;
  /** Written into the file, unless its format has no metadata. */
  readonly credit?: RecordCredit | undefined;
}

export interface RenditionSource {
  readonly reference: SourceReference;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly hash: string;
}

/** One file that we publish: a rectangle of the original, scaled to a size. */
export interface Rendition {
  readonly source: RenditionSource;
  /** The position of the source's first pixel in the original: 0, 0 unless it's a crop. */
  readonly corner: Point;
  readonly rectangle: Rectangle;
  /** Output size in pixels. */
  readonly width: number;
  readonly height: number;
  readonly recipe: Recipe;
}

interface FormatFacts {
  /** The file extension, without the dot. */
  readonly extension: string;
  readonly contentType: string;
  /** The most pixels of a side that this machine's encoders support. */
  readonly longestSide: number;
  readonly animates: boolean;
  readonly defaultQuality: number | undefined;
  /** The range that sharp accepts, and our default. */
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
    // At 4, sharp's default, encoding takes five times as long for 5 % fewer bytes: bench/ENCODERS.md.
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

/** Astro's words for qualities, with the numbers of its own image service. */
export const qualityWords = { low: 25, mid: 50, high: 80, max: 100 } as const;
export type QualityWord = keyof typeof qualityWords;
