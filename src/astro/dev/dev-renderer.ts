import type { PageAssets } from '../../assets/assets.ts';
import type { MediaFileRequest } from '../../assets/request/media-file.ts';
import { readProps } from '../../assets/request/read-props.ts';
import { structuredData } from '../../assets/request/structured-data.ts';
import type { DescribeForToolbar } from '../../authoring/toolbar/shown-asset.ts';
import {
  isMediaAssetError,
  type MediaAssetError,
  mediaAssetError,
  toFinding,
} from '../../errors/errors.ts';
import type { Place } from '../../errors/place.ts';
import type { FailureLog } from '../log-finding.ts';
import type { Renderer } from '../renderer.ts';

/** Mistakes in the page itself. They get no placeholder. */
const wrongRequests = [
  'alt-missing',
  'asset-id-invalid',
  'crop-invalid',
  'crop-outside',
  'prop-invalid',
] as const;

interface Given {
  readonly page?: string | undefined;
  readonly place: Place | undefined;
  /** Whether the props themselves are wrong. */
  readonly isProps?: boolean;
}

/**
 * The renderer of the dev server. A missing image doesn't stop the rendering: the page shows a labelled
 * placeholder. A missing file counts as unavailable. `failures` logs both.
 *
 * @param hasServer whether a build of the site would render pages on demand
 */
export function devRenderer({
  images,
  failures,
  describe,
  hasServer,
}: {
  images: PageAssets;
  failures: FailureLog;
  describe?: DescribeForToolbar | undefined;
  hasServer: boolean;
}): Renderer {
  /**
   * The error if the page can still be rendered without the asset. Throws any other, with its place as the
   * location for Astro's error overlay.
   */
  function survived(error: unknown, asked: Given): MediaAssetError {
    if (!isMediaAssetError(error)) throw error;
    if (!asked.isProps && !isMediaAssetError(error, ...wrongRequests)) return error;
    throw asked.place ? Object.assign(error, { loc: asked.place }) : error;
  }

  const note = (error: MediaAssetError, { id, page }: MediaFileRequest) =>
    failures.failed({ ...toFinding('error', error), page, asset: id });

  async function orUnavailable<Request extends MediaFileRequest & Given, T extends object>(
    asked: Request,
    make: (asked: Request) => Promise<T | undefined>,
  ): Promise<(T & { available: true }) | { available: false; id: number }> {
    try {
      const found = await make(asked);
      return found ? { ...found, available: true } : { available: false, id: asked.id };
    } catch (thrown) {
      note(survived(thrown, asked), asked);
      return { available: false, id: asked.id };
    }
  }

  return {
    structuredData: async (...shown) => structuredData(...shown),
    async readProps({ isPrerendered, ...given }) {
      const { page, place, component, props } = given;
      try {
        // On a static site, only Astro's container reports this, for example in a feed.
        if (hasServer && !isPrerendered)
          throw mediaAssetError('component-on-demand', { page, place, component, given: props.id });
        return readProps(given);
      } catch (thrown) {
        throw survived(thrown, { page, place, isProps: true });
      }
    },
    async getMediaAsset(request, place) {
      const asked = { ...request, place, caller: 'getMediaAsset()' };
      try {
        const asset = await images.getMediaAsset(asked);
        failures.shown(request);
        const toolbar = await describe?.({ request, asset, place });
        return { ...asset, available: true, toolbar };
      } catch (thrown) {
        const failure = survived(thrown, asked);
        const asset = await images.missingImage(asked, failure);
        note(failure, request);
        const toolbar = await describe?.({ request, asset, place, failure });
        return { ...asset, available: true, toolbar };
      }
    },
    getMediaCredit: (request, place) =>
      orUnavailable({ ...request, place, caller: 'getMediaCredit()' }, images.getMediaCredit),
    async getMediaFile(request, place) {
      const asked = { ...request, place, caller: 'getMediaFile()' };
      const file = await orUnavailable(asked, images.getMediaFile);
      if (file.available) failures.shown(request);
      return file;
    },
  };
}
