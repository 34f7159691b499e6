import { isMediaAssetError } from '../errors.ts';
import type { Images } from '../images/images.ts';
import type { MediaAsset, MediaAssetRequest } from '../images/media-asset.ts';
import type { MediaFile, MediaFileRequest } from '../images/media-file.ts';
import { annotateFailure } from './annotate-failures.ts';
import type { Refusals } from './refusals.ts';

/** What `getMediaAsset` gives to pages. An asset that the service refuses has no address. */
export type RenderedAsset =
  | (MediaAsset & { readonly available: true })
  | { readonly available: false; readonly id: number };

/** What `getMediaFile` gives to pages. */
export type RenderedFile =
  | (MediaFile & { readonly available: true })
  | { readonly available: false; readonly id: number };

/** The service object that components reach. */
export interface Renderer {
  getMediaAsset(request: MediaAssetRequest): Promise<RenderedAsset>;
  getMediaFile(request: MediaFileRequest): Promise<RenderedFile>;
}

/** Components find the renderer here: a module of ours exists twice, in hooks and in render chunks. */
export const rendererKey = 'astro-media-asset.renderer';

export function installRenderer(renderer: Renderer): void {
  Reflect.set(globalThis, Symbol.for(rendererKey), renderer);
}

/**
 * The renderer of a build. A refused asset does not end the rendering: its page gets a marker and
 * `refusals` the page, so that the build can name every page at its end.
 */
export function buildRenderer(images: Images, refusals: Refusals): Renderer {
  async function render<T>(
    { id, page }: { id: number; page: string },
    work: Promise<T>,
  ): Promise<(T & { available: true }) | { available: false; id: number }> {
    try {
      return { ...(await work), available: true };
    } catch (error) {
      if (!isMediaAssetError(error, 'asset-unknown', 'asset-withdrawn')) {
        annotateFailure(error);
        throw error;
      }
      refusals.add(id, page, error);
      return { available: false, id };
    }
  }

  return {
    getMediaAsset: (request) => render(request, images.getMediaAsset(request)),
    getMediaFile: (request) => render(request, images.getMediaFile(request)),
  };
}

/** The renderer of the dev server: every error goes to its overlay. */
export function devRenderer(images: Images): Renderer {
  return {
    getMediaAsset: async (request) => ({
      ...(await images.getMediaAsset(request)),
      available: true,
    }),
    getMediaFile: async (request) => ({
      ...(await images.getMediaFile(request)),
      available: true,
    }),
  };
}
