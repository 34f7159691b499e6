declare module 'virtual:astro-media-asset' {
  /** Changes with the options and with the versions of the assets. */
  export const state: string;
  export function getMediaAsset(
    request: import('astro-media-asset').MediaAssetRequest,
  ): Promise<import('astro-media-asset').RenderedAsset>;
  export function getMediaFile(
    request: import('astro-media-asset').MediaFileRequest,
  ): Promise<import('astro-media-asset').RenderedFile>;
}
