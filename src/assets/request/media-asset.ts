import type { OutputSize } from '../geometry/output-sizes.ts';
import type { Size } from '../geometry/rectangle.ts';
import type { ImageProps, ImageRequest, Placing } from './props.ts';

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

/** The argument of `getMediaCredit()`. */
export interface MediaCreditRequest {
  /** The asset's ID in the service: a whole number other than 0. */
  readonly id: number;
  /** The language of texts, such as `nb`. @default the page's, else the site's */
  readonly locale?: string | undefined;
  /** The path of the page, such as `Astro.url.pathname`. Its language decides about rights. */
  readonly page?: string | undefined;
}

/** The props of `<MediaAsset>` that decide its files, and the argument of `getMediaAsset()`. */
export interface MediaAssetRequest extends MediaCreditRequest, ImageProps, AltText {
  /** Crops and sizes for media queries. The first match is shown. */
  readonly sources?: readonly ArtDirection[] | undefined;
}

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
export interface MediaAsset extends MediaCredit, Placing {
  readonly id: number;
  readonly alt: string;
  /** The fallback: one size, in the original's own format if the request has `formats`. */
  readonly src: string;
  /** The absolute URL, for Open Graph, feeds and JSON-LD. Same as `src` if the Astro config has no `site`. */
  readonly url: string;
  /** `undefined` if there is only one size. */
  readonly srcset: string | undefined;
  readonly sizes: string | undefined;
  /** Layout size in pixels, never larger than the image. An SVG can have any size. */
  readonly width: number;
  readonly height: number;
  /** For `<source>` elements before the `<img>`, in this order. */
  readonly sources: readonly MediaAssetSource[];
  /** A tiny image as a `data:` URL, if requested and if the image covers it. */
  readonly placeholder: string | undefined;
  /** The placeholder as declarations for the `style` attribute of the `<img>`. */
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
