declare module 'virtual:astro-media-asset' {
  type AssetProps = Omit<import('astro-media-asset').MediaAssetRequest, 'page' | 'locale'>;

  /** How a page calls a component: what the integration checks with the request. */
  interface ComponentCall {
    readonly component: keyof OwnProps;
  }

  interface OwnProps {
    MediaAsset: keyof AssetProps | 'priority' | 'pictureAttributes' | 'structuredData';
    MediaCredit: 'id';
    MediaCredits: 'thumbnail';
    MediaFile: 'id' | 'name' | 'download';
    MediaVideo: 'id' | 'name' | 'poster' | 'width' | 'height' | 'controls' | 'preload';
  }

  /** Changes with the options and with the assets' versions. */
  export const state: string;
  /** Splits a component's props into its own props and the attributes of its element. */
  export function readProps<Name extends keyof OwnProps, Props extends object>(given: {
    component: Name;
    page: string;
    isPrerendered: boolean;
    props: Props;
  }): {
    own: Pick<Props, OwnProps[Name] & keyof Props>;
    attributes: Omit<Props, OwnProps[Name]>;
    call: ComponentCall;
  };
  /** For a component that requests nothing. Requests check their calls. */
  export function checkCall(call: ComponentCall): Promise<void>;
  export function getMediaAsset(
    request: import('astro-media-asset').MediaAssetRequest,
    call?: ComponentCall,
  ): Promise<import('astro-media-asset').RenderedAsset>;
  export function getMediaFile(
    request: import('astro-media-asset').MediaFileRequest,
    call?: ComponentCall,
  ): Promise<import('astro-media-asset').RenderedFile>;
  export function getMediaCredit(
    request: import('astro-media-asset').MediaCreditRequest,
    call?: ComponentCall,
  ): Promise<import('astro-media-asset').RenderedCredit>;
  /** The image as JSON for search engines; `undefined` if its record names no one. */
  export function structuredData(
    asset: import('astro-media-asset').MediaAsset,
    page: string,
  ): Promise<string | undefined>;
  /** The `<img>` of an asset, and its sources. */
  export function imageAttributes(
    asset: import('astro-media-asset').RenderedAsset,
    given: {
      readonly alt: string | undefined;
      readonly priority: boolean | undefined;
      readonly attributes: Readonly<Record<string, unknown>>;
    },
  ): {
    readonly attributes: Record<string, unknown>;
    readonly sources: import('astro-media-asset').MediaAssetSource[];
  };
}
