declare module 'virtual:astro-media-asset' {
  /** Changes with the options and with the versions of the assets. */
  export const state: string;
  /** @throws `component-on-demand`; `prop-invalid` for an attribute that the component sets itself */
  export function checkAttributes(given: {
    component: 'MediaAsset' | 'MediaFile' | 'MediaVideo' | 'getMediaAsset' | 'getMediaFile';
    id: unknown;
    page: string;
    isPrerendered?: boolean;
    attributes: Readonly<Record<string, unknown>>;
    pictureAttributes?: Readonly<Record<string, unknown>>;
    pictures?: Readonly<Record<string, unknown>>;
  }): void;
  export function getMediaAsset(
    request: import('astro-media-asset').MediaAssetRequest,
  ): Promise<import('astro-media-asset').RenderedAsset>;
  export function getMediaFile(
    request: import('astro-media-asset').MediaFileRequest,
  ): Promise<import('astro-media-asset').RenderedFile>;
}
