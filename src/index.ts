import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { handOver } from './assets/command-site.ts';
import type { MediaAssetRequest } from './assets/request/media-asset.ts';
import type { ImageOption, PresetProp } from './assets/request/props.ts';
import { createBuildNotes, type SiteBuild } from './astro/build/build-notes.ts';
import { onDemandRoutes } from './astro/build/build-summary.ts';
import { callSitePlugin } from './astro/call-sites/call-site-plugin.ts';
import { installCollectionSync, openCollectionSync } from './astro/collections/sync-collection.ts';
import { devMiddleware } from './astro/dev-middleware.ts';
import { annotateFailures, forkLogger } from './astro/log-finding.ts';
import { createMarkdownPlugins } from './astro/markdown/markdown-plugins.ts';
import { markdownStyles } from './astro/markdown/markdown-styles.ts';
import type { SiteStart } from './astro/open-site.ts';
import { installRenderer } from './astro/renderer.ts';
import type { DevServer, ServedRenderer } from './astro/runtime/serve-renderer.ts';
import { virtualModulePlugin } from './astro/virtual-module.ts';
import type { DescribeForToolbar } from './authoring/toolbar/shown-asset.ts';
import { siteEnvironment } from './config/environment.ts';
import { type OptionsInput, type ResolvedOptions, resolveOptions } from './config/options.ts';
import { assertNodeVersion } from './config/own-package.ts';
import { hasCredentials } from './config/service-settings.ts';

export type { Placeholder, RenditionFormat } from './assets/formats/output-formats.ts';
export type { Crop, Focus } from './assets/geometry/crop.ts';
export type { Fit } from './assets/geometry/fit-image.ts';
export type { Layout } from './assets/geometry/output-sizes.ts';
export { formatMediaAddress, parseMediaAddress } from './assets/request/media-address.ts';
export type {
  ArtDirection,
  MediaAsset,
  MediaAssetRendition,
  MediaAssetRequest,
  MediaAssetSource,
  MediaCredit,
  MediaCreditRequest,
} from './assets/request/media-asset.ts';
export type { MediaFile, MediaFileRequest } from './assets/request/media-file.ts';
export type {
  ImageProps as AddressedImage,
  ImageRequest,
  MediaAddress,
  PosterProp,
} from './assets/request/props.ts';
export type { RenderedAsset, RenderedCredit, RenderedFile } from './astro/renderer.ts';
export type { ReadRecord, ReadRights, RecordFields } from './config/record-option.ts';
export { type Code, type Finding, MediaAssetError } from './errors/errors.ts';

/** All options of the integration. */
export interface MediaAssetsOptions extends OptionsInput {
  images?: Pick<MediaAssetRequest, ImageOption>;
  presets?: Record<string, Pick<MediaAssetRequest, PresetProp>>;
}

/**
 * Astro integration for a Media Asset Service. `<MediaAsset>` gets its images from the service at
 * build time. After a production build, the service is told which page shows which asset.
 *
 * Without options, everything comes from the environment (`MEDIA_ASSET_BASE_URL` and others).
 *
 * Astro runs the first hook for every command, so images and usages are loaded in later hooks.
 */
export default function mediaAsset(input: MediaAssetsOptions = {}): AstroIntegration {
  let start: SiteStart | undefined;
  let options: ResolvedOptions | undefined;
  /** From `astro:config:done` on. */
  let site: SiteBuild | undefined;
  let notes = createBuildNotes();
  let devServer: DevServer | undefined;
  /** From when the code of a page for another runtime is compiled. */
  let served: Promise<ServedRenderer> | undefined;
  const openLoopback = async () => {
    const { serveRenderer, showFailure } = await import('./astro/runtime/serve-renderer.ts');
    served ??= serveRenderer((thrown) => start && showFailure(thrown, { ...start, devServer }));
    return (await served).loopback;
  };
  const closeLoopback = async () => {
    const closing = served;
    served = undefined;
    (await closing)?.close();
  };
  const markdownPlugins = createMarkdownPlugins({
    change: (node, text) => site?.markdown.change(node, text),
    marker: () => site?.markdown.markBlocks,
  });
  return {
    name: 'astro-media-asset',
    hooks: annotateFailures({
      'astro:config:setup'({ command, config, updateConfig, addDevToolbarApp, logger }) {
        assertNodeVersion();
        const mode = config.vite.mode ?? (command === 'dev' ? 'development' : 'production');
        const environment = siteEnvironment(config, mode);
        options = resolveOptions(input, environment);
        installCollectionSync(
          openCollectionSync(options, environment, { service: () => site?.service }),
        );
        updateConfig({
          vite: {
            plugins: [
              virtualModulePlugin(async () => (await site?.state()) ?? '', openLoopback),
              callSitePlugin(),
            ],
          },
        });
        if (command !== 'build' && command !== 'dev') return;
        // The hooks run again when the dev server restarts.
        notes = createBuildNotes();
        site = undefined;
        start = { command, options, environment, logger: forkLogger(logger) };
        if (command === 'dev' && options.toolbar) addDevToolbarApp(toolbarApp);
        markdownPlugins.install(config, updateConfig);
        updateConfig({
          vite: { plugins: [markdownStyles(() => site?.markdown.needsStyles() ?? true)] },
          integrations: [
            lastIntegration('astro-media-asset/reporter', async ({ dir }) => {
              if (!site) return;
              const { reportBuild } = await import('./astro/build/report-build.ts');
              await reportBuild(site, fileURLToPath(dir));
            }),
          ],
        });
      },
      'astro:routes:resolved'(resolved) {
        notes.unscanned.routes = onDemandRoutes(resolved.routes);
      },
      async 'astro:config:done'({ config, buildOutput, injectTypes }) {
        const presets = Object.keys(options?.presets ?? {});
        if (presets.length > 0) {
          injectTypes({ filename: 'presets.d.ts', content: presetTypes(presets) });
        }
        if (options?.record) {
          const content = 'interface MediaAssetRecords {\n  alt: true;\n}\n';
          injectTypes({ filename: 'records.d.ts', content });
        }
        if (!start) return;
        const hasServer = buildOutput === 'server' || config.adapter !== undefined;
        const { commandSite, openSite } = await import('./astro/open-site.ts');
        const isForCommand = handOver(commandSite(start, config));
        if (isForCommand) return;
        const opened = openSite(start, config);
        let describe: DescribeForToolbar | undefined;
        const { buildRenderer, devRenderer } = await import('./astro/page-renderer.ts');
        if (start.command === 'build') {
          // Before content is read: its loaders can ask for assets too.
          await opened.images.publisher.recall();
          installRenderer(buildRenderer(opened.images.pages, { ...opened, ...notes, hasServer }));
        } else {
          const { createToolbarDescriber } = await import('./authoring/toolbar/shown-asset.ts');
          const { toolbar, presets } = start.options;
          if (toolbar) describe = createToolbarDescriber(opened, presets);
          const dev = { ...opened, images: opened.images.pages, describe, hasServer };
          installRenderer(devRenderer(dev));
        }
        // Another integration may have replaced the processor since.
        markdownPlugins.install(config);
        const { openMarkdown } = await import('./astro/markdown/markdown.ts');
        const markdown = await openMarkdown({ ...opened, ...notes, describe });
        markdownPlugins.setState(markdown.state);
        site = { ...opened, ...notes, markdown, rendersOnDemand: buildOutput === 'server' };
      },
      async 'astro:server:setup'({ server, toolbar }) {
        if (!site) return;
        if (!hasCredentials(site.options)) {
          const { credentialsFinding } = await import('./astro/build/missing-credentials.ts');
          site.onFinding(credentialsFinding(site.options));
        }
        server.middlewares.use(devMiddleware(site.images.pages));
        devServer = server;
        server.httpServer?.once('close', closeLoopback);
        if (!site.options.toolbar) return;
        const { openToolbar } = await import('./authoring/toolbar/toolbar-server.ts');
        server.middlewares.use(openToolbar(site, toolbar));
      },
      async 'astro:build:start'() {
        if (!site) return;
        const { requireCredentials } = await import('./astro/build/missing-credentials.ts');
        await requireCredentials(site.options);
        const { beginBuild } = await import('./astro/build/build-mark.ts');
        await beginBuild(site);
      },
      async 'astro:build:generated'({ dir }) {
        if (!site) return;
        const { publishRenditions } = await import('./astro/build/publish-renditions.ts');
        const { stampOutput } = await import('./astro/build/build-mark.ts');
        await publishRenditions(site, dir);
        await stampOutput(site, dir);
      },
      async 'astro:build:done'() {
        await closeLoopback();
        if (!site) return;
        const { finishRenditions } = await import('./astro/build/publish-renditions.ts');
        await finishRenditions(site);
      },
    }),
  };
}

type BuildDone = NonNullable<AstroIntegration['hooks']['astro:build:done']>;

/**
 * An integration that runs after all others. Astro runs hooks in the order of its list, to which others
 * can append later. If one fails, those after it don't run.
 */
function lastIntegration(name: string, onBuildDone: BuildDone): AstroIntegration {
  const integration: AstroIntegration = {
    name,
    hooks: annotateFailures({
      'astro:config:done'({ config: { integrations } }) {
        const at = integrations.indexOf(integration);
        if (at >= 0) integrations.push(...integrations.splice(at, 1));
      },
      'astro:build:done': onBuildDone,
    }),
  };
  return integration;
}

/** The names of presets, for `preset="…"` in the site's pages. */
function presetTypes(names: readonly string[]): string {
  const entries = names.map((name) => `  ${JSON.stringify(name)}: true;\n`).join('');
  return `interface MediaAssetPresets {\n${entries}}\n`;
}

/** Our app in Astro's dev toolbar. */
const toolbarApp = {
  id: 'astro-media-asset',
  name: 'Media assets',
  icon: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="M7 2v15h15M2 7h15v15"/><path d="m7 15 4-4 6 6"/></svg>',
  entrypoint: new URL('./authoring/toolbar/app/entry.js', import.meta.url),
};
