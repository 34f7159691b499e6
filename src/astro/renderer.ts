import type { autoSizes } from '../assets/geometry/auto-sizes.ts';
import type { MediaAsset, MediaAssetRequest } from '../assets/request/media-asset.ts';
import type { MediaFile, MediaFileRequest } from '../assets/request/media-file.ts';
import type { GivenProps, readProps } from '../assets/request/read-props.ts';
import type { CallSite } from './call-sites/call-site.ts';

/** The result of `getMediaAsset`. If the image is missing, it has only `available` and `id`. */
export type RenderedAsset =
  | (MediaAsset & { readonly available: true })
  | { readonly available: false; readonly id: number };

/**
 * The result of `getMediaFile`. If the file is missing, it has only `available` and `id`. In dev and
 * without credentials, a file that can't be loaded counts as missing.
 */
export type RenderedFile =
  | (MediaFile & { readonly available: true })
  | { readonly available: false; readonly id: number };

/** What a component is given, and whether its page is prerendered, as Astro says. */
interface ComponentProps extends GivenProps {
  readonly isPrerendered: boolean;
}

/** Our side of the components, which they reach through the virtual module. */
export interface Renderer {
  /** @throws `component-on-demand`, and as `readProps` does */
  readProps(given: ComponentProps): ReturnType<typeof readProps> & {
    readonly callSite: CallSite | undefined;
  };
  getMediaAsset(request: MediaAssetRequest, callSite?: CallSite): Promise<RenderedAsset>;
  getMediaFile(request: MediaFileRequest, callSite?: CallSite): Promise<RenderedFile>;
  readonly autoSizes: typeof autoSizes;
}

/**
 * Components find the renderer under this symbol: Vite compiles them into the site's own chunks, where
 * an import of this module would be another instance than the hooks'.
 */
export const rendererKey = 'astro-media-asset.renderer';

export function installRenderer(renderer: Renderer): void {
  Reflect.set(globalThis, Symbol.for(rendererKey), renderer);
}
