/** A rectangle in pixels of the original as displayed (after EXIF orientation). */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Formats that a rendition can be published in. */
export const renditionFormats = ['webp', 'avif', 'jpeg', 'png'] as const;
export type RenditionFormat = (typeof renditionFormats)[number];

/** How the bytes of a rendition are made. */
export interface Recipe {
  readonly format: RenditionFormat;
  /** 1 to 100. */
  readonly quality: number;
  /** How a rectangle of another shape fills the output: `cover` cuts off evenly at both sides. */
  readonly fit: 'cover';
}

/** What a rendition is made from. `rectangle` is what remains to be cut from the source's bytes. */
export interface RenditionSource {
  readonly kind: 'original' | 'custom-format';
  /** The key of the source in the cache. */
  readonly key: string;
  /** SHA-256 of the source's bytes, in hexadecimal. */
  readonly hash: string;
}

/** One file that we publish. */
export interface Rendition {
  readonly id: number;
  readonly source: RenditionSource;
  /** The rectangle of the original that it shows. */
  readonly rectangle: Rectangle;
  /** Output size in pixels. */
  readonly width: number;
  readonly height: number;
  readonly recipe: Recipe;
  /** The download address of the crop in the service, where it has a crop. */
  readonly customFormatUrl: string | undefined;
  /** The readable last part of the URL, without extension. */
  readonly name: string;
}
