import type { AstroIntegration } from 'astro';
import type { Unscanned } from './astro/build/build-summary.ts';
import { reporter } from './astro/build/reporter.ts';
import {
  createLibrary,
  installLibrary,
  openConfiguredLibrary,
} from './astro/collections/library.ts';
import { devMiddleware } from './astro/dev/dev-middleware.ts';
import { annotateFailures } from './astro/log-finding.ts';
import { markdownStyles } from './astro/markdown/markdown-styles.ts';
import { openSession, type Session } from './astro/session.ts';
import { virtualModulePlugin } from './astro/virtual-module.ts';
import { siteEnvironment } from './config/environment.ts';
import { type MediaAssetsOptions, resolveOptions } from './config/options.ts';

export type { Gamut, RenditionFormat } from './assets/formats/rendition.ts';
export type { Crop, Focus } from './assets/geometry/crop-request.ts';
export type { Fit } from './assets/geometry/fit-picture.ts';
export type { Layout } from './assets/geometry/output-sizes.ts';
export type { Placeholder } from './assets/renditions/placeholder.ts';
export { type AddressedPicture, formatMediaAddress } from './assets/request/media-address.ts';
export type {
  ArtDirection,
  MediaAsset,
  MediaAssetRendition,
  MediaAssetRequest,
  MediaAssetSource,
  PictureRequest,
} from './assets/request/media-asset.ts';
export type { MediaFile, MediaFileRequest } from './assets/request/media-file.ts';
export type { RenderedAsset, RenderedFile } from './astro/renderer.ts';
export type { MediaAssetsOptions } from './config/options.ts';
export { type Code, type Finding, MediaAssetError } from './errors/errors.ts';

/**
 * Astro integration for a Media Asset Service: `<MediaAsset>` gets its pictures from there at build
 * time, and after a production build the service is told which asset is shown on which page.
 *
 * Without options, everything comes from the environment (`MEDIA_ASSET_BASE_URL` and others).
 *
 * The first hook runs for every command of Astro: what pictures and usages need is loaded later.
 */
export default function mediaAssets(input: MediaAssetsOptions = {}): AstroIntegration {
  let session: Session | undefined;
  const unscanned: Unscanned = { routes: [], islands: [] };
  return {
    name: 'astro-media-asset',
    hooks: annotateFailures({
      'astro:config:setup'({ command, config, updateConfig, logger }) {
        const mode = config.vite.mode ?? (command === 'dev' ? 'development' : 'production');
        const environment = siteEnvironment(config, mode);
        const options = resolveOptions(input, environment);
        if (command === 'build' || command === 'dev') {
          session = openSession({
            command,
            options,
            environment,
            logger: logger.fork('media-asset'),
          });
        }
        const opened = session;
        installLibrary(
          opened
            ? createLibrary({ service: () => opened.service, maxStale: options.maxStale })
            : openConfiguredLibrary(options, environment),
        );
        const state = async () => {
          // Astro's page cache takes the versions of assets from it; else no page waits for all.
          if (session?.config.experimental.incrementalBuild) await session.prepared();
          return session?.state() ?? '';
        };
        session?.markdown.install(config, updateConfig);
        updateConfig({
          vite: {
            plugins: [
              virtualModulePlugin(state),
              ...(session ? [markdownStyles(session.markdown.needsStyles)] : []),
            ],
          },
          integrations: session ? [reporter(session, unscanned)] : [],
        });
      },
      'astro:routes:resolved'({ routes }) {
        const onDemand = routes.filter(
          ({ type, origin, isPrerendered }) =>
            type === 'page' && origin !== 'internal' && !isPrerendered,
        );
        unscanned.routes = onDemand.map(({ pattern }) => pattern);
        if (session) session.routes = routes;
      },
      async 'astro:config:done'({ config, buildOutput }) {
        const hasServer = buildOutput === 'server' || config.adapter !== undefined;
        await session?.configure(config, { hasServer });
        // Another integration may have set another processor since.
        session?.markdown.install(config);
        await session?.markdown.prepare();
      },
      'astro:server:setup'({ server }) {
        if (!session) return;
        server.middlewares.use(devMiddleware(session.images));
      },
      async 'astro:build:start'() {
        if (!session) return;
        const { beginBuild } = await import('./astro/build/build-mark.ts');
        await beginBuild(session);
      },
      async 'astro:build:generated'({ dir, logger }) {
        if (!session) return;
        const { publishRenditions } = await import('./astro/build/publish-renditions.ts');
        unscanned.islands = await publishRenditions(session, dir, logger.fork('media-asset'));
      },
      async 'astro:build:done'({ logger }) {
        if (!session) return;
        const { judgeBuild } = await import('./astro/build/judge-build.ts');
        await judgeBuild(session, unscanned, logger.fork('media-asset'));
      },
    }),
  };
}
