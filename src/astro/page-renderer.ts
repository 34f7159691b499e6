import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig } from 'astro';
import type { PageAssets } from '../assets/page-assets.ts';
import { type Asking, askingOf } from '../assets/request/asking.ts';
import { type ComponentCall, checkProps } from '../assets/request/check-props.ts';
import type { MediaFileRequest } from '../assets/request/media-file.ts';
import { structuredData } from '../assets/request/structured-data.ts';
import { isUnavailable } from '../assets/sources/asset-errors.ts';
import type { DescribeForToolbar } from '../authoring/toolbar/shown-asset.ts';
import type { SiteLanguages } from '../config/languages.ts';
import { type Finding, isMediaAssetError, mediaAssetError, toFinding } from '../errors/errors.ts';
import type { Subject } from '../errors/place.ts';
import type { BuildNotes } from './build/build-notes.ts';
import { type DevHandling, imagesInDev } from './images-in-dev.ts';
import { annotateFailure } from './log-finding.ts';
import type { OrUnavailable, Renderer } from './renderer.ts';

/** What a build and the dev server do on each request of a page. */
interface Handling {
  checkCall(call: ComponentCall): Promise<void>;
  onFound?(asking: Asking, found: object): void;
  /** Notes a failure, and the page continues without the asset. Throws if it can't. */
  onFailure(thrown: unknown, asking: Asking): Promise<void>;
}

function createRenderer(
  images: PageAssets,
  languages: SiteLanguages,
  handling: Handling,
): Renderer {
  const { checkCall, onFound, onFailure } = handling;
  const orUnavailable =
    <Request extends MediaFileRequest, T extends object>(
      caller: string,
      find: (request: Request, asking: Asking) => Promise<T | undefined>,
    ) =>
    async (request: Request, call?: ComponentCall): Promise<OrUnavailable<T>> => {
      if (call) await checkCall(call);
      const asking = askingOf(request, { languages, caller, call });
      try {
        const found = await find(request, asking);
        if (found) {
          onFound?.(asking, found);
          return { ...found, available: true };
        }
      } catch (thrown) {
        await onFailure(thrown, asking);
      }
      return { available: false, id: request.id };
    };
  return {
    check: async (_, call) => checkCall(call),
    structuredData: async (asset, { page }) => structuredData(asset, page),
    asset: orUnavailable('getMediaAsset()', images.getMediaAsset),
    credit: orUnavailable('getMediaCredit()', (_, asking) => images.getMediaCredit(asking)),
    file: orUnavailable('getMediaFile()', images.getMediaFile),
  };
}

/** Renders in a build. Marks pages with unavailable assets, which the build lists at its end. */
export function buildRenderer(
  images: PageAssets,
  build: Pick<BuildNotes, 'unavailable' | 'requested'> & {
    /** With a server, parts of pages can be rendered later. */
    readonly hasServer: boolean;
    readonly languages: SiteLanguages;
  },
): Renderer {
  const { unavailable, requested, hasServer, languages } = build;
  return createRenderer(images, languages, {
    async checkCall(call) {
      try {
        checkProps(call);
      } catch (error) {
        throw annotateFailure(error);
      }
    },
    onFound(asking, found) {
      if (hasServer) requested.note(asking, found);
    },
    async onFailure(error, { id, page, place, caller }) {
      if (!isUnavailable(error)) throw annotateFailure(error);
      unavailable.add({ id, page, place, caller }, error);
    },
  });
}

/** Mistakes in the page itself. They get no placeholder. With the toolbar, a missing text gets its image. */
const wrongRequests = [
  'alt-missing',
  'asset-id-invalid',
  'crop-invalid',
  'crop-outside',
  'prop-invalid',
] as const;

/**
 * The renderer of the dev server. A missing image doesn't stop the rendering: the page shows a labelled
 * placeholder. A missing file counts as unavailable. Both are findings.
 *
 * @param dev.hasServer whether a build of the site would render pages on demand
 */
export function devRenderer(dev: {
  images: PageAssets;
  config: Pick<AstroConfig, 'root'>;
  onFinding: (finding: Finding) => void;
  describe?: DescribeForToolbar | undefined;
  hasServer: boolean;
  languages: SiteLanguages;
}): Renderer {
  const { images, config, onFinding, describe, hasServer, languages } = dev;
  const root = fileURLToPath(config.root);

  function located(error: unknown, { place }: Pick<Subject, 'place'>): unknown {
    if (!isMediaAssetError(error) || !place) return error;
    // Astro resolves a relative path. It breaks an absolute one if the project's path has a space.
    const loc = { ...place, file: relative(root, resolve(root, place.file)) };
    return Object.assign(error, { loc });
  }

  const handling: DevHandling = {
    describe,
    async survived(thrown, asking) {
      const error = located(thrown, asking);
      if (describe && isMediaAssetError(error, 'alt-missing')) return error;
      if (!isMediaAssetError(error) || isMediaAssetError(error, ...wrongRequests)) throw error;
      return error;
    },
    note: (error, { id, page }) => onFinding({ ...toFinding('error', error), page, asset: id }),
  };
  return createRenderer(imagesInDev(images, handling), languages, {
    async checkCall(call) {
      const { page, place, component, props, isPrerendered } = call;
      try {
        // On a static site, only Astro's container reports this, for example in a feed.
        if (hasServer && !isPrerendered)
          throw mediaAssetError('component-on-demand', { page, place, component, given: props.id });
        checkProps(call);
      } catch (thrown) {
        throw located(thrown, call);
      }
    },
    async onFailure(thrown, asking) {
      await handling.note(await handling.survived(thrown, asking), asking);
    },
  });
}
