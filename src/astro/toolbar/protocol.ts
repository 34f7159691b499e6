/**
 * The values that the toolbar app in the browser and its server part in the dev server exchange. All
 * of them are JSON. Types only, because both sides import this file.
 */

import type { Size } from '../../assets/formats/rendition.ts';
import type { Crop, Focus } from '../../assets/geometry/crop.ts';
import type { Place, SourcePlace } from './requests.ts';

export type { AssetChange, Place, PlacesRequest, SaveRequest, SourcePlace } from './requests.ts';
export type { Size };

/** The value of the attribute `data-media-asset-toolbar`, which images have in dev. */
export interface ShownAsset {
  readonly id: number;
  readonly name?: string | undefined;
  readonly alt: string;
  /** Where the source calls the component, or has the `media:` address. */
  readonly place?: Place | undefined;
  readonly props: ShownProps;
  /** The original's size as displayed, in pixels. `undefined` for a placeholder. */
  readonly original?: Size | undefined;
  /** The layout size and the published widths, in pixels. */
  readonly layout?: (Size & { readonly widths: readonly number[] }) | undefined;
  /** What the record says, if the site reads records. */
  readonly record?: ShownRecord | undefined;
  readonly problems: readonly Problem[];
}

interface ShownRecord {
  readonly alt?: string | undefined;
  readonly credit?: string | undefined;
  /** In words: `allowed until 2026-12-31`. */
  readonly rights: string;
}

/** The props that the app can change, as the request has them. */
export interface ShownProps {
  readonly crop?: Crop | undefined;
  readonly aspect?: number | string | undefined;
  readonly focus?: Focus | undefined;
  readonly preset?: string | undefined;
  readonly sources?:
    | readonly {
        readonly media: string;
        readonly crop?: Crop | undefined;
        readonly aspect?: number | string | undefined;
      }[]
    | undefined;
}

/** A sign next to an image. */
export interface Problem {
  readonly code: 'rights' | 'upscaled' | 'crop-small' | 'alt-missing' | 'placeholder' | 'unused';
  readonly message: string;
}

export interface FoldersAnswer {
  /** Each after its parent. Empty without a service. */
  readonly folders: readonly {
    readonly id: number;
    readonly name: string;
    /** 0 for a root folder. */
    readonly depth: number;
  }[];
  readonly notice?: Notice | undefined;
}

export type AssetKind = 'image' | 'video' | 'audio' | 'document';

export interface AssetsRequest {
  /** A search text. Without it, `folder` decides. */
  readonly search?: string | undefined;
  readonly folder?: number | undefined;
  readonly kind?: AssetKind | undefined;
  /** The position of the first asset, counted from 0. */
  readonly offset: number;
  /** At most 100. */
  readonly limit: number;
}

export interface AssetsAnswer {
  readonly assets: readonly ListedAsset[];
  /** Whether assets follow. */
  readonly more: boolean;
  /** Where the list comes from: without a service, it's the cache. */
  readonly from: 'service' | 'cache';
  readonly notice?: Notice | undefined;
}

export interface ListedAsset {
  readonly id: number;
  readonly name: string;
  readonly kind: AssetKind;
  /** As displayed, in pixels; `undefined` if the service doesn't say. */
  readonly size?: Size | undefined;
  readonly bytes?: number | undefined;
}

export interface AssetDetails extends ListedAsset {
  readonly alt?: string | undefined;
  /** By the service; `undefined` if it has no list of usages. */
  readonly usages?: readonly UsingPage[] | undefined;
  /** The pages of this site that have been reported, by its ledger. */
  readonly reported: readonly UsingPage[];
}

/** A page that uses an asset. */
export interface UsingPage {
  readonly page: string;
  readonly pageName?: string;
}

/** What the app says instead of a result, or above one. */
export interface Notice {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** The places in the source that a shown asset can come from. Usually one. */
export interface PlacesAnswer {
  readonly places: readonly SourcePlace[];
  /**
   * Whether the place is the call of the component, or the Markdown image. Other places have the same
   * asset, and the image may come from somewhere else.
   */
  readonly isCall: boolean;
  /** Why there's none: the file and line, and what to do instead. */
  readonly notice?: Notice | undefined;
}

export interface SaveAnswer {
  /** The place as it is now. */
  readonly place: SourcePlace;
}

/** The body of each answer with a status of 400 or more. */
export interface ProblemAnswer {
  readonly error: Notice;
}
