import type { Gamut, Placeholder, QualityWord, RenditionFormat } from '../formats/rendition.ts';
import type { Crop, Focus } from '../geometry/crop.ts';
import type { Fit } from '../geometry/fit-picture.ts';
import type { Layout } from '../geometry/output-sizes.ts';

/** A length in layout pixels; templates may write it as a text. */
type Length = number | `${number}`;

/** As templates may write it: `jpg` is `jpeg`, as for Astro's `<Image>`. */
type AskedFormat = RenditionFormat | 'jpg';

/** Which part of an asset is shown, and in which sizes. Values come from templates and are checked. */
export interface PictureRequest {
  /** In pixels, or in fractions with `unit: 'fraction'`. The whole picture without it. */
  readonly crop?: Crop | undefined;
  /** Width divided by height, as a number or `'16:9'`: the largest part with that shape. */
  readonly aspect?: number | string | undefined;
  /** What `aspect` is cut around. @default the middle */
  readonly focus?: Focus | undefined;
  /** Layout size in pixels; the other side follows where only one is given. */
  readonly width?: Length | undefined;
  readonly height?: Length | undefined;
  /** How the picture fills `width` and `height` of another shape. @default 'cover' */
  readonly fit?: Fit | undefined;
  /** What `cover` keeps, as CSS's `object-position` in words or percentages. @default 'center' */
  readonly position?: string | undefined;
  /**
   * Pixels for each layout pixel; more than the picture has become its own. As in Astro, they do not
   * count beside a `layout`, also that of the Astro config. @default [1, 2]
   */
  readonly densities?: readonly (number | `${number}x`)[] | undefined;
  /** Widths of the published files in pixels; larger ones than the picture become its own. */
  readonly widths?: readonly number[] | undefined;
  /** The attribute `sizes`, beside `widths` or a `layout`. @default by `layout` */
  readonly sizes?: string | undefined;
  /**
   * `constrained`, `fixed` or `full-width`, with Astro's meaning: it decides `sizes`, the styles, and
   * the widths where none are given; `none` takes `densities`. @default `image.layout` of Astro
   */
  readonly layout?: Layout | undefined;
}

/** What a component asks for. */
export interface MediaAssetRequest extends PictureRequest {
  /** The asset's id in the service: a whole number other than 0. */
  readonly id: number;
  /** What the picture shows; `''` where it is only decoration. */
  readonly alt: string;
  /** The format of the published files. @default 'webp' */
  readonly format?: AskedFormat | undefined;
  /** Formats to choose from, the best first, before a fallback in the original's own kind. */
  readonly formats?: readonly AskedFormat[] | undefined;
  /** 1 to 100, or one of Astro's words. @default by format: webp 80, jpeg 80, avif 60, png lossless */
  readonly quality?: number | QualityWord | undefined;
  /**
   * How long the encoder searches for fewer bytes: avif 0 to 9, webp 0 to 6, gif 1 to 10. It counts
   * for the formats that the request names. @default by format: avif 3, webp 4, gif 7
   */
  readonly effort?: number | undefined;
  /** A CSS colour that fills what is transparent. @default nothing; white in a JPEG, which has to */
  readonly background?: string | undefined;
  /** @default 'srgb' */
  readonly gamut?: Gamut | undefined;
  /** What stands in the place of the picture until it has come. @default 'none' */
  readonly placeholder?: Placeholder | undefined;
  /** Other parts and sizes under media queries: the first that matches is shown. */
  readonly sources?: readonly ArtDirection[] | undefined;
  /** The page that shows it, as messages name it. */
  readonly page: string;
}

/**
 * A part of the asset for a media query. What it leaves out is taken from the request around it, in
 * groups: the part (`crop`, `aspect`, `focus`), the layout size (`width`, `height`), and the files
 * (`densities`, `widths`, `sizes`; a `layout` of its own goes with them).
 */
export interface ArtDirection extends PictureRequest {
  /** A media query, such as `(max-width: 600px)`. */
  readonly media: string;
}

/** The addresses and sizes of an asset on a page. */
export interface MediaAsset {
  readonly id: number;
  readonly alt: string;
  readonly src: string;
  /** The absolute address, for Open Graph, feeds and JSON-LD; `src` where the Astro config has no `site`. */
  readonly url: string;
  /** `undefined` where there is one size only. */
  readonly srcset: string | undefined;
  readonly sizes: string | undefined;
  /** Layout size in pixels, never larger than the picture; of an SVG as large as it is asked for. */
  readonly width: number;
  readonly height: number;
  readonly layout: Layout;
  readonly fit: Fit;
  /** As CSS's `object-position`, in percentages: `50% 0%`; `undefined` for the middle. */
  readonly position: string | undefined;
  /** For `<source>` elements before the `<img>`, in their order. */
  readonly sources: readonly MediaAssetSource[];
  /** A tiny picture as a `data:` URL, where one was asked for and the picture hides it. */
  readonly placeholder: string | undefined;
  /**
   * The placeholder as declarations for the `style` attribute of the `<img>`; `undefined` where
   * there is none, or where Astro's content security policy forbids style attributes.
   */
  readonly placeholderStyle: string | undefined;
  /** The service's download address of the crop, where there is one. */
  readonly customFormatUrl: string | undefined;
  /** The service's download address of the original. */
  readonly originalUrl: string;
  /** Those of `src` and `srcset`; none where the page carries the service's own address. */
  readonly renditions: readonly MediaAssetRendition[];
}

/** One `<source>` of a `<picture>`. */
export interface MediaAssetSource {
  readonly media: string | undefined;
  /** A content type, such as `image/avif`. */
  readonly type: string;
  readonly srcset: string;
  readonly sizes: string | undefined;
  /** Layout size in pixels. */
  readonly width: number;
  readonly height: number;
  readonly renditions: readonly MediaAssetRendition[];
}

export interface MediaAssetRendition {
  readonly url: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** As `srcset` names it: `2x`, `1280w`. */
  readonly descriptor: string;
}
