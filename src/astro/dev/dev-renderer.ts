import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig, IntegrationResolvedRoute } from 'astro';
import type { Assets } from '../../assets/assets.ts';
import { autoSizes } from '../../assets/geometry/auto-sizes.ts';
import type { MediaFileRequest } from '../../assets/request/media-file.ts';
import { readProps } from '../../assets/request/read-props.ts';
import { isMediaAssetError, type MediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { type CallSite, callSiteOf, placed } from '../call-sites/call-site.ts';
import type { FailureLog } from '../log-finding.ts';
import type { Renderer } from '../renderer.ts';

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
 */
export function devRenderer({
  images,
  config,
  failures,
  hasServer,
  routes,
}: {
  images: Pick<Assets, 'getMediaAsset' | 'getMediaFile' | 'missingImage'>;
  config: Pick<AstroConfig, 'root' | 'base'>;
  failures: FailureLog;
  hasServer: boolean;
  routes: () => readonly PageRoute[];
}): Renderer {
  const root = fileURLToPath(config.root);

  /** The error with the place that Astro's overlay shows: the call site, or the page's file. */
  function located(thrown: unknown, page: string, callSite: CallSite | undefined): unknown {
    if (!isMediaAssetError(thrown)) return thrown;
    const file = callSite?.file ?? pageFile(page, { root, base: config.base, routes: routes() });
    if (file === undefined) return thrown;
    // Astro resolves it. An absolute path would become a wrong one if the project's has a space.
    return Object.assign(thrown, {
      loc: { ...callSite, file: relative(root, resolve(root, file)) },
    });
  }

  /** What a page goes on without. */
  const isSurvived = (thrown: unknown): thrown is MediaAssetError =>
    isMediaAssetError(thrown) && !isMediaAssetError(thrown, ...wrongRequests);

  const note = ({ code, message, hint }: MediaAssetError, { id, page }: MediaFileRequest) =>
    failures.failed({ code, message, hint, severity: 'error', place: page, id });
  return {
    autoSizes,
    readProps(given) {
      const callSite = callSiteOf(given.props);
      const asked = placed(given, callSite);
      try {
        // Without a server it is a container of Astro's that says so, of a feed for example.
        if (hasServer && !given.isPrerendered) {
          throw mediaAssetError('component-on-demand', { ...asked, id: asked.props.id });
        }
        return { ...readProps(asked), callSite };
      } catch (thrown) {
        throw located(thrown, given.page, callSite);
      }
    },
    async getMediaAsset(request, callSite) {
      const asked = placed(request, callSite);
      try {
        const asset = await images.getMediaAsset(asked);
        failures.shown(request.page, request.id);
        return { ...asset, available: true };
      } catch (error) {
        if (!isSurvived(error)) throw located(error, request.page, callSite);
        const asset = await images.missingImage(asked, error);
        note(error, request);
        return { ...asset, available: true };
      }
    },
    async getMediaFile(request, callSite) {
      const asked = placed(request, callSite);
      try {
        const file = await images.getMediaFile(asked);
        failures.shown(request.page, request.id);
        return file ? { ...file, available: true } : { available: false, id: request.id };
      } catch (error) {
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
 * The source file of a page. Astro's error overlay shows it instead of the line of this package that
 * threw.
 *
 * @param page the page's path with the base, or any other text
 * @param site its routes in the order in which Astro tries them
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
