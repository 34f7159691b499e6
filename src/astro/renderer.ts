import type {
  MediaAsset,
  MediaAssetRequest,
  MediaCredit,
  MediaCreditRequest,
} from '../assets/request/media-asset.ts';
import type { MediaFile, MediaFileRequest } from '../assets/request/media-file.ts';
import type { GivenProps, readProps } from '../assets/request/read-props.ts';
import type { structuredData } from '../assets/request/structured-data.ts';
import type { Place } from '../errors/place.ts';

type OrUnavailable<T> =
  | (T & { readonly available: true })
  | { readonly available: false; readonly id: number };

/** The result of `getMediaAsset`. If the image is missing, it has only `available` and `id`. */
export type RenderedAsset = OrUnavailable<
  /** `toolbar`: in dev, the `ShownAsset` as JSON for the toolbar. */
  MediaAsset & { readonly toolbar?: string | undefined }
>;

/**
 * The result of `getMediaFile`. If the file is missing, it has only `available` and `id`. In dev and
 * without credentials, a file that can't be loaded counts as missing.
 */
export type RenderedFile = OrUnavailable<MediaFile>;

/** The result of `getMediaCredit`. If the site may not show the asset, it has only `available` and `id`. */
export type RenderedCredit = OrUnavailable<MediaCredit>;

/** A component's props, and whether Astro prerenders its page. */
interface ComponentProps extends GivenProps {
  readonly isPrerendered: boolean;
}

/** The part of the components that runs in Node. They reach it through the virtual module. */
export interface Renderer {
  readProps(given: ComponentProps): Promise<ReturnType<typeof readProps>>;
  getMediaAsset(request: MediaAssetRequest, place?: Place): Promise<RenderedAsset>;
  getMediaFile(request: MediaFileRequest, place?: Place): Promise<RenderedFile>;
  getMediaCredit(request: MediaCreditRequest, place?: Place): Promise<RenderedCredit>;
  structuredData(...shown: Parameters<typeof structuredData>): Promise<string | undefined>;
}

/**
 * Components find the renderer by this symbol. Vite compiles them into the site's own chunks, so if they
 * imported this module, they would get another instance than the hooks.
 */
export const rendererKey = 'astro-media-asset.renderer';

export function installRenderer(renderer: Renderer): void {
  Reflect.set(globalThis, Symbol.for(rendererKey), renderer);
}
