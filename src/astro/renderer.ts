import type { Images } from '../assets/assets.ts';
import type { MediaAsset, MediaAssetRequest } from '../assets/request/media-asset.ts';
import type { MediaFile, MediaFileRequest } from '../assets/request/media-file.ts';
import { type GivenProps, readProps } from '../assets/request/read-props.ts';
import { isMediaAssetError, type MediaAssetError, mediaAssetError } from '../errors/errors.ts';
import type { AskedByPages } from './build/asked-by-pages.ts';
import type { Refusals } from './build/refusals.ts';
import type { DevPlaceholder } from './dev/dev-placeholder.ts';
import { annotateFailure, type FailureLog } from './log-finding.ts';

/** What `getMediaAsset` gives to pages. An asset that the service refuses has no address. */
export type RenderedAsset =
  | (MediaAsset & { readonly available: true })
  | { readonly available: false; readonly id: number };

/** What `getMediaFile` gives to pages. In dev a file that cannot be had for any other reason has no address either. */
export type RenderedFile =
  | (MediaFile & { readonly available: true })
  | { readonly available: false; readonly id: number };

/** What a component is given, and whether its page is prerendered, as Astro says. */
interface ComponentProps extends GivenProps {
  readonly isPrerendered: boolean;
}

/** The service object that components reach. */
export interface Renderer {
  /** @throws `component-on-demand`, and as `readProps` does */
  readProps(given: ComponentProps): ReturnType<typeof readProps>;
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
export function buildRenderer(
  images: Images,
  {
    refusals,
    asked,
  }: {
    refusals: Refusals;
    /** Told what each page is given, where parts of pages are rendered later. */
    asked?: AskedByPages | undefined;
  },
): Renderer {
  async function render<T extends object>(
    { id, page }: { id: number; page: string },
    work: Promise<T>,
  ): Promise<(T & { available: true }) | { available: false; id: number }> {
    try {
      const asset = await work;
      asked?.note(page, asset);
      return { ...asset, available: true };
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
    readProps(given) {
      try {
        return readProps(given);
      } catch (error) {
        annotateFailure(error);
        throw error;
      }
    },
    getMediaAsset: (request) => render(request, images.getMediaAsset(request)),
    getMediaFile: (request) => render(request, images.getMediaFile(request)),
  };
}

/** What a page itself asks for wrongly: nothing stands in for it. */
const wrongRequests = [
  'alt-missing',
  'asset-id-invalid',
  'crop-invalid',
  'crop-outside',
  'prop-invalid',
] as const;

/**
 * The renderer of the dev server. An asset that can't be loaded doesn't end the rendering: its page
 * shows a labelled placeholder. A file isn't available, like a refused one in a build. `failures` is
 * told of both.
 *
 * @param hasServer whether the site has pages that are rendered on demand, as a build of it would
 * @param fileOf the source file of a page
 */
export function devRenderer(
  images: Pick<Images, 'getMediaAsset' | 'getMediaFile'>,
  {
    hasServer,
    placeholder,
    failures,
    fileOf,
  }: {
    hasServer: boolean;
    placeholder: DevPlaceholder;
    failures: FailureLog;
    fileOf: (page: string) => string | undefined;
  },
): Renderer {
  function located(thrown: unknown, page: string): unknown {
    const file = isMediaAssetError(thrown) ? fileOf(page) : undefined;
    return file === undefined ? thrown : Object.assign(thrown as Error, { loc: { file } });
  }

  /** What a page goes on without. */
  const isSurvived = (thrown: unknown): thrown is MediaAssetError =>
    isMediaAssetError(thrown) && !isMediaAssetError(thrown, ...wrongRequests);

  const note = ({ code, message, hint }: MediaAssetError, { id, page }: MediaFileRequest) =>
    failures.failed({ code, message, hint, severity: 'error', place: page, id });
  return {
    readProps(given) {
      const { component, page, props } = given;
      const { id } = props;
      try {
        // Without a server it is a container of Astro's that says so, of a feed for example.
        if (hasServer && !given.isPrerendered) {
          throw mediaAssetError('component-on-demand', { component, page, id });
        }
        return readProps(given);
      } catch (thrown) {
        throw located(thrown, page);
      }
    },
    async getMediaAsset(request) {
      try {
        const asset = await images.getMediaAsset(request);
        failures.shown(request.page, request.id);
        return { ...asset, available: true };
      } catch (error) {
        if (!isSurvived(error)) throw located(error, request.page);
        const asset = await placeholder(request, error);
        note(error, request);
        return { ...asset, available: true };
      }
    },
    async getMediaFile(request) {
      try {
        const file = await images.getMediaFile(request);
        failures.shown(request.page, request.id);
        return { ...file, available: true };
      } catch (error) {
        if (!isSurvived(error)) throw located(error, request.page);
        note(error, request);
        return { available: false, id: request.id };
      }
    },
  };
}
