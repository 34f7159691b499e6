import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig, IntegrationResolvedRoute } from 'astro';
import type { PageAssets } from '../assets/assets.ts';
import { checkProps } from '../assets/request/check-props.ts';
import type { Asked } from '../assets/request/media-asset.ts';
import type { MediaFileRequest } from '../assets/request/media-file.ts';
import { structuredData } from '../assets/request/structured-data.ts';
import { isUnavailable } from '../assets/sources/asset-errors.ts';
import type { DescribeForToolbar } from '../authoring/toolbar/shown-asset.ts';
import {
  isMediaAssetError,
  type MediaAssetError,
  mediaAssetError,
  toFinding,
} from '../errors/errors.ts';
import type { BuildNotes } from './build/build-notes.ts';
import type { Given, ValuePlaces } from './call-sites/value-places.ts';
import { annotateFailure, type FailureLog } from './log-finding.ts';
import type { ComponentCall, OrUnavailable, Renderer } from './renderer.ts';

/** What a build and the dev server do on each request of a page. */
interface Handling {
  checkCall(call: ComponentCall): Promise<void>;
  onAsked?(asked: Asked<MediaFileRequest>): void;
  onFound?(asked: Asked<MediaFileRequest>, found: object): void;
  /** Notes a failure, and the page continues without the asset. Throws if it can't. */
  onFailure(thrown: unknown, asked: Asked<MediaFileRequest>): Promise<void>;
}

function createRenderer(images: PageAssets, handling: Handling): Renderer {
  const { checkCall, onAsked, onFound, onFailure } = handling;
  const orUnavailable =
    <Request extends MediaFileRequest, T extends object>(
      caller: string,
      find: (asked: Asked<Request>) => Promise<T | undefined>,
    ) =>
    async (request: Request, call?: ComponentCall): Promise<OrUnavailable<T>> => {
      if (call) await checkCall(call);
      const asked = { ...request, place: call?.place, caller };
      onAsked?.(asked);
      try {
        const found = await find(asked);
        if (found) {
          onFound?.(asked, found);
          return { ...found, available: true };
        }
      } catch (thrown) {
        await onFailure(thrown, asked);
      }
      return { available: false, id: request.id };
    };
  return {
    checkCall,
    structuredData: async (...shown) => structuredData(...shown),
    getMediaAsset: orUnavailable('getMediaAsset()', images.getMediaAsset),
    getMediaCredit: orUnavailable('getMediaCredit()', images.getMediaCredit),
    getMediaFile: orUnavailable('getMediaFile()', images.getMediaFile),
  };
}

/**
 * The renderer of a build. An unavailable asset doesn't stop the rendering. Its page gets a marker, and
 * the build lists all such pages at the end.
 */
export function buildRenderer(
  images: PageAssets,
  build: Pick<BuildNotes, 'unavailable' | 'requested'> & {
    /** With a server, parts of pages can be rendered later. */
    readonly hasServer: boolean;
    readonly valuePlaces: ValuePlaces;
  },
): Renderer {
  const { unavailable, requested, hasServer, valuePlaces } = build;
  return createRenderer(images, {
    async checkCall(call) {
      try {
        checkProps(call);
      } catch (error) {
        const { props, place } = call;
        throw annotateFailure(await valuePlaces.explain(error, { ...props, place }));
      }
    },
    onAsked: requested.ask,
    onFound(asked, found) {
      if (hasServer) requested.note(asked, found);
    },
    async onFailure(error, asked) {
      if (!isUnavailable(error)) throw annotateFailure(await valuePlaces.explain(error, asked));
      const { id, page, caller } = asked;
      const values = await valuePlaces.of(error, asked);
      for (const place of [asked.place, ...values])
        unavailable.add({ id, page, place, caller }, error);
    },
  });
}

/** Mistakes in the page itself. They get no placeholder. */
const wrongRequests = [
  'alt-missing',
  'asset-id-invalid',
  'crop-invalid',
  'crop-outside',
  'prop-invalid',
] as const;

/**
 * The renderer of the dev server. A missing image doesn't stop the rendering: the page shows a labelled
 * placeholder. A missing file counts as unavailable. `failures` logs both.
 *
 * @param dev.hasServer whether a build of the site would render pages on demand
 */
export function devRenderer(dev: {
  images: PageAssets;
  config: Pick<AstroConfig, 'root' | 'base'>;
  failures: FailureLog;
  describe?: DescribeForToolbar | undefined;
  hasServer: boolean;
  routes: () => readonly PageRoute[];
  valuePlaces: ValuePlaces;
}): Renderer {
  const { images, config, failures, describe, hasServer, routes, valuePlaces } = dev;
  const root = fileURLToPath(config.root);

  /**
   * The error if the page can still be rendered without the asset. Throws any other, with the location for
   * Astro's error overlay: the place, or the page's file. `isProps`: the props themselves are wrong.
   */
  async function survived(
    thrown: unknown,
    asked: Given & { page?: string | undefined; isProps?: boolean },
  ): Promise<MediaAssetError> {
    const error = await valuePlaces.explain(thrown, asked);
    if (!isMediaAssetError(error)) throw error;
    if (!asked.isProps && !isMediaAssetError(error, ...wrongRequests)) return error;
    const { page, place } = asked;
    const file = place?.file ?? pageFile(page, { root, base: config.base, routes: routes() });
    if (file === undefined) throw error;
    // Astro resolves a relative path. It breaks an absolute one if the project's path has a space.
    const loc = { ...place, file: relative(root, resolve(root, file)) };
    throw Object.assign(error, { loc });
  }

  const note = (error: MediaAssetError, { id, page }: MediaFileRequest) =>
    failures.failed({ ...toFinding('error', error), page, asset: id });

  const renderer = createRenderer(images, {
    async checkCall({ isPrerendered, ...given }) {
      const { page, place, component, props } = given;
      try {
        // On a static site, only Astro's container reports this, for example in a feed.
        if (hasServer && !isPrerendered)
          throw mediaAssetError('component-on-demand', { page, place, component, given: props.id });
        checkProps(given);
      } catch (thrown) {
        throw await survived(thrown, { ...props, page, place, isProps: true });
      }
    },
    onFailure: async (thrown, asked) => note(await survived(thrown, asked), asked),
  });
  return {
    ...renderer,
    async getMediaAsset(request, call) {
      if (call) await renderer.checkCall(call);
      const place = call?.place;
      const asked = { ...request, place, caller: 'getMediaAsset()' };
      const shown = images.getMediaAsset(asked).then((asset) => ({ asset, failure: undefined }));
      const { asset, failure } = await shown.catch(async (thrown) => {
        const failure = await survived(thrown, asked);
        return { asset: await images.missingImage(asked, failure), failure };
      });
      if (failure) note(failure, request);
      else failures.shown(request);
      const toolbar = await describe?.({ request, asset, place, failure });
      return { ...asset, available: true, toolbar };
    },
    async getMediaFile(request, call) {
      const file = await renderer.getMediaFile(request, call);
      if (file.available) failures.shown(request);
      return file;
    },
  };
}

/** `entrypoint` is relative to the project, or absolute. */
export type PageRoute = Pick<IntegrationResolvedRoute, 'type' | 'patternRegex' | 'entrypoint'>;

/**
 * The source file of a page, for Astro's error overlay. Without it, the overlay shows our own code.
 *
 * @param page the page's path with the base, or any other text
 * @param site `routes` in the order in which Astro tries them
 */
export function pageFile(
  page: string | undefined,
  { root, base, routes }: { root: string; base: string; routes: readonly PageRoute[] },
): string | undefined {
  const prefix = base.replace(/\/$/, '');
  if (!page?.startsWith(`${prefix}/`)) return undefined;
  const path = page.slice(prefix.length);
  const route = routes.find(({ type, patternRegex }) => type === 'page' && patternRegex.test(path));
  return route && resolve(root, route.entrypoint);
}
