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

/** Formats that a rendition can be published in. */
export const renditionFormats = ['webp', 'avif', 'jpeg', 'png'] as const;
export type RenditionFormat = (typeof renditionFormats)[number];

/** How the bytes of a rendition are made. */
export interface Recipe {
  readonly format: RenditionFormat;
  /** 1 to 100. A PNG without one is lossless, with one it has a palette. */
  readonly quality: number | undefined;
  /** How a rectangle of another shape fills the output: `cover` cuts off evenly at both sides. */
  readonly fit: 'cover';
}

/** The bytes that something is made from. */
interface RenditionSource {
  readonly reference: SourceReference;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly hash: string;
}

/** One file that we publish. */
export interface Rendition {
  readonly source: RenditionSource;
  /** The rectangle of the original that it shows: of a custom format, all of it. */
  readonly rectangle: Rectangle;
  /** Output size in pixels. */
  readonly width: number;
  readonly height: number;
  readonly recipe: Recipe;
}

/** The ending of a rendition's file, without the dot. */
export const extensions: Readonly<Record<RenditionFormat, string>> = {
  webp: 'webp',
  avif: 'avif',
  jpeg: 'jpg',
  png: 'png',
};

/** The most pixels that one side of a picture can have in each format. */
export const longestSides: Readonly<Record<RenditionFormat, number>> = {
  webp: 16_383,
  avif: 65_535,
  jpeg: 65_535,
  png: 65_535,
};

export const contentTypes: Readonly<Record<RenditionFormat, string>> = {
  webp: 'image/webp',
  avif: 'image/avif',
  jpeg: 'image/jpeg',
  png: 'image/png',
};
