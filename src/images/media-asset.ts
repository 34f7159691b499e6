import type { Rectangle, RenditionFormat } from './rendition.ts';

/** A rectangle in pixels of the original as displayed (after EXIF orientation). */
export type Crop = Rectangle;

/** What a component asks for. Values come from templates and are checked. */
export interface MediaAssetRequest {
  /** The asset's id in the service. */
  readonly id: number;
  /** What the picture shows; `''` where it is only decoration. */
  readonly alt: string;
  /** The whole picture without it. */
  readonly crop?: Crop | undefined;
  /** Layout size in pixels; the other side follows where only one is given. */
  readonly width?: number | `${number}` | undefined;
  readonly height?: number | `${number}` | undefined;
  /** @default 'webp' */
  readonly format?: RenditionFormat | undefined;
  /** 1 to 100. @default by format: webp 80, jpeg 80, avif 60, png lossless */
  readonly quality?: number | undefined;
  /** The page that shows it, as messages name it. */
  readonly page: string;
}

/** The addresses and sizes of an asset on a page. */
export interface MediaAsset {
  readonly id: number;
  readonly alt: string;
  readonly src: string;
  /** `undefined` where there is one size only. */
  readonly srcset: string | undefined;
  /** Layout size in pixels, never larger than the picture. */
  readonly width: number;
  readonly height: number;
  /** The service's download address of the crop, where there is one. */
  readonly customFormatUrl: string | undefined;
  /** The service's download address of the original. */
  readonly originalUrl: string;
  /** By density; none where the page carries the service's own address. */
  readonly renditions: readonly MediaAssetRendition[];
}

export interface MediaAssetRendition {
  readonly url: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly density: number;
}
