import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig, IntegrationResolvedRoute } from 'astro';
import type { PageAssets } from '../../assets/assets.ts';
import { imageAttributes } from '../../assets/request/image-attributes.ts';
import type { MediaFileRequest } from '../../assets/request/media-file.ts';
import { readProps } from '../../assets/request/read-props.ts';
import { structuredData } from '../../assets/request/structured-data.ts';
import type { DescribeForToolbar } from '../../authoring/toolbar/shown-asset.ts';
import { isMediaAssetError, type MediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { type CallSite, callSiteOf, placed } from '../call-sites/call-site.ts';
import { askedBy, type ValuePlaces } from '../call-sites/value-places.ts';
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

/**
 * The renderer of the dev server. A missing image doesn't stop the rendering: the page shows a labelled
 * placeholder. A missing file counts as unavailable. `failures` logs both.
 *
 * @param describe describes images for the toolbar; `undefined` without one
 * @param hasServer whether a build of the site would render pages on demand
 */
export function devRenderer({
  images,
  config,
  failures,
  describe,
  hasServer,
  routes,
  valuePlaces,
}: {
  images: PageAssets;
  config: Pick<AstroConfig, 'root' | 'base'>;
  failures: FailureLog;
  describe?: DescribeForToolbar | undefined;
  hasServer: boolean;
  routes: () => readonly PageRoute[];
  valuePlaces: ValuePlaces;
}): Renderer {
  const root = fileURLToPath(config.root);

  /** Adds the location for Astro's error overlay: the call site, or the page's file. */
  function located(thrown: unknown, page: string, callSite: CallSite | undefined): unknown {
    if (!isMediaAssetError(thrown)) return thrown;
    const file = callSite?.file ?? pageFile(page, { root, base: config.base, routes: routes() });
    if (file === undefined) return thrown;
    // Astro resolves a relative path. It breaks an absolute one if the project's path has a space.
    return Object.assign(thrown, {
      loc: { ...callSite, file: relative(root, resolve(root, file)) },
    });
  }

  /** Whether the page can still be rendered. */
  const isSurvived = (thrown: unknown): thrown is MediaAssetError =>
    isMediaAssetError(thrown) && !isMediaAssetError(thrown, ...wrongRequests);

  const note = ({ code, message, hint }: MediaAssetError, { id, page }: MediaFileRequest) =>
    failures.failed({ code, message, hint, severity: 'error', place: page, id });
  return {
    imageAttributes,
    structuredData,
    async readProps(given) {
      const callSite = callSiteOf(given.props);
      const asked = placed(given, callSite);
      try {
        // On a static site, only Astro's container reports this, for example in a feed.
        if (hasServer && !given.isPrerendered) {
          throw mediaAssetError('component-on-demand', { ...asked, id: asked.props.id });
        }
        return { ...readProps(asked), callSite };
      } catch (thrown) {
        const error = await valuePlaces.explain(thrown, askedBy(given.props, callSite));
        throw located(error, given.page, callSite);
      }
    },
    async getMediaAsset(request, callSite) {
      const asked = placed(request, callSite);
      try {
        const asset = await images.getMediaAsset(asked);
        failures.shown(request.page, request.id);
        const toolbar = await describe?.({ request, asset, place: callSite });
        return { ...asset, available: true, toolbar };
      } catch (thrown) {
        const error = await valuePlaces.explain(thrown, askedBy(request, callSite));
        if (!isSurvived(error)) throw located(error, request.page, callSite);
        const asset = await images.missingImage(asked, error);
        note(error, request);
        const toolbar = await describe?.({ request, asset, place: callSite, failure: error });
        return { ...asset, available: true, toolbar };
      }
    },
    async getMediaCredit(request, callSite) {
      try {
        const credit = await images.getMediaCredit(placed(request, callSite));
        return { ...credit, available: true };
      } catch (thrown) {
        const error = await valuePlaces.explain(thrown, askedBy(request, callSite));
        if (!isSurvived(error)) throw located(error, request.page, callSite);
        note(error, request);
        return { available: false, id: request.id };
      }
    },
    async getMediaFile(request, callSite) {
      const asked = placed(request, callSite);
      try {
        const file = await images.getMediaFile(asked);
        failures.shown(request.page, request.id);
        return file ? { ...file, available: true } : { available: false, id: request.id };
      } catch (thrown) {
        const error = await valuePlaces.explain(thrown, askedBy(request, callSite));
        if (!isSurvived(error)) throw located(error, request.page, callSite);
        note(error, request);
        return { available: false, id: request.id };
      }
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
  page: string,
  { root, base, routes }: { root: string; base: string; routes: readonly PageRoute[] },
): string | undefined {
  const prefix = base.replace(/\/$/, '');
  if (!page.startsWith(`${prefix}/`)) return undefined;
  const path = page.slice(prefix.length);
  const route = routes.find(({ type, patternRegex }) => type === 'page' && patternRegex.test(path));
  return route && resolve(root, route.entrypoint);
}
