import type { ComponentCall } from '../assets/request/check-props.ts';
import type {
  MediaAsset,
  MediaAssetRequest,
  MediaCredit,
  MediaCreditRequest,
} from '../assets/request/media-asset.ts';
import type { MediaFile, MediaFileRequest } from '../assets/request/media-file.ts';

export type OrUnavailable<T> =
  | (T & { readonly available: true })
  | { readonly available: false; readonly id: number };

interface InDev {
  /** The `ShownAsset` as JSON for the toolbar. */
  readonly toolbar?: string | undefined;
}

export type DevFile = MediaFile & InDev;

/** The result of `getMediaAsset`. If the image is missing, it has only `available` and `id`. */
export type RenderedAsset = OrUnavailable<
  /** `attributes`: of a lazy `<img>`, not for components. */
  MediaAsset & InDev & { readonly attributes?: Record<string, unknown> }
>;

/**
 * The result of `getMediaFile`. If the file is missing, it has only `available` and `id`. In dev and
 * without credentials, a file that can't be loaded counts as missing.
 */
export type RenderedFile = OrUnavailable<DevFile>;

/** The result of `getMediaCredit`. If the site may not show the asset, it has only `available` and `id`. */
export type RenderedCredit = OrUnavailable<MediaCredit>;

/** The part of the components that runs in Node. `call`: of the component, if one asks. */
export interface Renderer {
  /** For a component that requests nothing. The others check the call first. */
  check(request: object, call: ComponentCall): Promise<void>;
  asset(request: MediaAssetRequest, call?: ComponentCall): Promise<RenderedAsset>;
  file(request: MediaFileRequest, call?: ComponentCall): Promise<RenderedFile>;
  credit(request: MediaCreditRequest, call?: ComponentCall): Promise<RenderedCredit>;
  structuredData(asset: MediaAsset, call: ComponentCall): Promise<string | undefined>;
}

export const rendererCalls = ['check', 'asset', 'file', 'credit', 'structuredData'] as const;

/** Components find the renderer by this symbol: importing it would make another instance. */
export const rendererKey = 'astro-media-asset.renderer';

export function installRenderer(renderer: Renderer): void {
  Reflect.set(globalThis, Symbol.for(rendererKey), renderer);
}
