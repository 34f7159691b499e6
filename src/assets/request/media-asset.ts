import type { Subject } from '../../errors/place.ts';
import type {
  Gamut,
  Placeholder,
  QualityWord,
  RenditionFormat,
  Size,
} from '../formats/rendition.ts';
import type { Crop, Focus } from '../geometry/crop.ts';
import type { Fit } from '../geometry/fit-image.ts';
import type { Layout, OutputSize } from '../geometry/output-sizes.ts';

declare global {
  /** The names of a site's presets. Astro generates them from the option `presets`. */
  interface MediaAssetPresets {}
  /** Has the member `alt` if the site reads alt texts from records. Astro generates it. */
  interface MediaAssetRecords {}
}

/** `alt` is optional only if the site has the option `record`. */
type AltText = MediaAssetRecords extends { readonly alt: true }
  ? {
      /** What the image shows; `''` for decoration. @default the text in the asset's record */
      readonly alt?: string | undefined;
    }
  : {
      /** What the image shows; `''` for decoration. */
      readonly alt: string;
    };

/** A length in layout pixels. Templates may write it as text. */
type Length = number | `${number}`;

/** A format as templates may write it. As in Astro's `<Image>`, `jpg` means `jpeg`. */
type AskedFormat = RenditionFormat | 'jpg';

/** The part of an asset to show, and its sizes. Values come from templates and are checked. */
export interface ImageRequest {
  /** The part to show, in pixels, or in fractions with `unit: 'fraction'`. @default the whole image */
  readonly crop?: Crop | undefined;
  /** Width divided by height, as a number or `'16:9'`. Shows the largest part with this shape. */
  readonly aspect?: number | string | undefined;
  /** What `aspect` is cut around, and what `fit` keeps without one. @default the middle */
  readonly focus?: Focus | undefined;
  /**
   * Layout size in pixels. Without one of them, it follows from the other.
   * @default the image's size, at most 1280 wide or as wide as `widths`; its own with the layout `none`
   */
  readonly width?: Length | undefined;
  readonly height?: Length | undefined;
  /** How the image fills `width` and `height` of another shape. @default 'cover' */
  readonly fit?: Fit | undefined;
  /** What `cover` keeps, in words or percentages as in CSS's `object-position`. @default 'center' */
  readonly position?: string | undefined;
  /**
   * Pixel densities, for an image that doesn't shrink. Larger ones than the image's become its own.
   * Ignored when `layout` is set, also by the Astro config. @default [1, 2] with the layout `none`
   */
  readonly densities?: readonly (number | `${number}x`)[] | undefined;
  /** Widths of the published files in pixels. Widths above the image's become its own. */
  readonly widths?: readonly number[] | undefined;
  /** The attribute `sizes`. Not with `densities` or the layout `none`. @default by `layout` */
  readonly sizes?: string | undefined;
  /**
   * `constrained`, `fixed` or `full-width`, as in Astro: decides `sizes`, the styles, and the widths if
   * you set none. `none` uses `densities`.
   * @default `image.layout` of the Astro config, else `constrained`; with `densities`, `none`
   */
  readonly layout?: Layout | undefined;
}

/** The argument of `getMediaCredit()`. */
export interface MediaCreditRequest {
  /** The asset's ID in the service: a whole number other than 0. */
  readonly id: number;
  /** The language of the texts from the asset's record. @default the site's default language */
  readonly locale?: string | undefined;
  /** The page's name in messages. */
  readonly page?: string | undefined;
}

/** The props of `<MediaAsset>` that decide its files, and the argument of `getMediaAsset()`. */
export interface MediaAssetRequest extends MediaCreditRequest, ImageRequest, AltText {
  /** A name from the option `presets`, whose props apply unless the request sets them. */
  readonly preset?: keyof MediaAssetPresets | undefined;
  /** The format of the published files. @default 'webp' */
  readonly format?: AskedFormat | undefined;
  /** Formats that browsers choose from, best first. The fallback has the original's own format. */
  readonly formats?: readonly AskedFormat[] | undefined;
  /** 1 to 100, or one of Astro's words. @default by format: webp 80, jpeg 80, avif 56, png lossless */
  readonly quality?: number | QualityWord | undefined;
  /**
   * How long the encoder searches for a smaller file: avif 0 to 9, webp 0 to 6, gif 1 to 10. It
   * applies to the formats that the request names. @default by format: avif 3, webp 4, gif 7
   */
  readonly effort?: number | undefined;
  /** A CSS color that fills transparent parts. @default none; white in a JPEG */
  readonly background?: string | undefined;
  /** `p3` keeps wide colors. @default 'srgb' */
  readonly gamut?: Gamut | undefined;
  /** Shown until the image has loaded. @default 'none' */
  readonly placeholder?: Placeholder | undefined;
  /** Crops and sizes for media queries. The first match is shown. */
  readonly sources?: readonly ArtDirection[] | undefined;
}

/** A request with what else is known of who asked. */
export type Asked<Request> = Request & Pick<Subject, 'place' | 'caller'>;

/**
 * A crop and sizes for a media query. Props that it leaves out come from the request, in groups: the
 * part (`crop`, `aspect`, `focus`), the layout size (`width`, `height`), and the files (`densities`,
 * `widths`, `sizes`, `layout`).
 */
export interface ArtDirection extends ImageRequest {
  /** A media query, such as `(max-width: 600px)`. */
  readonly media: string;
}

/** What a page shows about an asset's makers and its origin, from its record. */
export interface MediaCredit {
  /** A line for a caption. */
  readonly credit: string | undefined;
  readonly creators: readonly string[];
  readonly copyright: string | undefined;
  /** The URL of the license. */
  readonly license: string | undefined;
  /** The URL of a page that sells or grants licenses. */
  readonly acquireLicense: string | undefined;
  /** The IPTC's digital source type, such as `screenCapture`, from the record or the original. */
  readonly digitalSourceType: string | undefined;
  /** The site's text for it. */
  readonly sourceLabel: string | undefined;
}

/** The URLs and sizes of an asset on a page. */
export interface MediaAsset extends MediaCredit {
  readonly id: number;
  readonly alt: string;
  /** The fallback: one size, in the original's own format if the request has `formats`. */
  readonly src: string;
  /** All formats and densities as CSS's `image-set()`, for a `background-image`. */
  readonly imageSet: string;
  /** The absolute URL, for Open Graph, feeds and JSON-LD. Same as `src` if the Astro config has no `site`. */
  readonly url: string;
  /** `undefined` if there is only one size. */
  readonly srcset: string | undefined;
  readonly sizes: string | undefined;
  /** Layout size in pixels, never larger than the image. An SVG can have any size. */
  readonly width: number;
  readonly height: number;
  readonly layout: Layout;
  readonly fit: Fit;
  /** As in CSS's `object-position`, in percentages such as `50% 0%`; `undefined` for the middle. */
  readonly position: string | undefined;
  /** For `<source>` elements before the `<img>`, in this order. */
  readonly sources: readonly MediaAssetSource[];
  /** A tiny image as a `data:` URL, if requested and if the image covers it. */
  readonly placeholder: string | undefined;
  /**
   * The placeholder as declarations for the `style` attribute of the `<img>`; `undefined` if there is
   * none, or if Astro's content security policy forbids style attributes.
   */
  readonly placeholderStyle: string | undefined;
  /** The service's download URL of the crop, if there is one. */
  readonly customFormatUrl: string | undefined;
  /** The service's download URL of the original. */
  readonly originalUrl: string;
  /** The files in `src` and `srcset`. Empty if the page contains the service's own URL. */
  readonly renditions: readonly MediaAssetRendition[];
}

/** One `<source>` of a `<picture>`, with its layout size. */
export interface MediaAssetSource extends Size {
  readonly media: string | undefined;
  /** A content type, such as `image/avif`. */
  readonly type: string;
  readonly srcset: string;
  readonly sizes: string | undefined;
  readonly renditions: readonly MediaAssetRendition[];
}

export interface MediaAssetRendition extends OutputSize {
  readonly url: string;
}
