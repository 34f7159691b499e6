import { createHash, randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { AstroConfig, AstroIntegrationLogger } from 'astro';
import type { Images } from '../assets/assets.ts';
import { readNamedAssets } from '../assets/request/read-named-assets.ts';
import { type Environment, type ResolvedOptions, serviceSettings } from '../config/options.ts';
import { mediaAssetError } from '../errors/errors.ts';
import type { MediaService } from '../service/types.ts';
import { type AskedByPages, askedByPages } from './build/asked-by-pages.ts';
import { createRefusals, type Refusals } from './build/refusals.ts';
import type { RenditionLocations } from './build/rendition-locations.ts';
import type { ConfiguredSession } from './configure-session.ts';
import type { DevPlaceholder } from './dev/dev-placeholder.ts';
import { type PageRoute, pageFile } from './dev/page-file.ts';
import { annotateFailure, createFailureLog, type FailureLog, logFinding } from './log-finding.ts';
import { createMarkdown, type Markdown } from './markdown/markdown.ts';
import { logProgress } from './progress.ts';
import { buildRenderer, devRenderer, installRenderer } from './renderer.ts';

/** One run of `astro build` or `astro dev`: what its hooks share. */
export interface Session {
  readonly command: 'build' | 'dev';
  /** Tells this build from all others. */
  readonly buildId: string;
  readonly options: ResolvedOptions;
  readonly environment: Environment;
  readonly refusals: Refusals;
  /** Empty where the site has no server. */
  readonly asked: AskedByPages;
  /** Paths of the renditions in the output, below the assets folder. */
  readonly published: Set<string>;
  /** The files that were published as they are: their bytes, by path. */
  readonly files: Map<string, number>;
  /** Of the site, in the order in which Astro tries them. */
  routes: readonly PageRoute[];
  /** The Astro config with every integration's changes. It and what follows: from `astro:config:done` on. */
  readonly config: AstroConfig;
  readonly service: MediaService;
  readonly images: Images;
  readonly locations: RenditionLocations;
  readonly placeholder: DevPlaceholder;
  readonly markdown: Markdown;
  /** Of the dev server: assets that cannot be had. */
  readonly failures: FailureLog;
  /**
   * Takes the final Astro config, loads what works, and gives components their renderer.
   *
   * @throws `site-missing` for a build that has to do with usages; `token-key-missing`
   */
  configure(config: AstroConfig, site: { hasServer: boolean }): Promise<void>;
  /**
   * Begins, once, to check what the last build used and to fetch what this one will need. `prepared`
   * tells when versions are known.
   */
  prepare(): void;
  /** @throws what concerns all assets: `credentials-refused`, `answer-html` and the like */
  prepared(): Promise<void>;
  /** Changes with the options that rendered pages depend on. */
  settings(): string;
  /** Changes with whatever the rendered pages depend on: options, versions of assets. */
  state(): string;
}

export interface SessionStart {
  readonly command: 'build' | 'dev';
  readonly options: ResolvedOptions;
  readonly environment: Environment;
  readonly logger: AstroIntegrationLogger;
}

/** @throws `service-not-configured` */
export function openSession(start: SessionStart): Session {
  const { command, options, environment, logger } = start;
  const settings = serviceSettings(options);
  const refusals = createRefusals();
  const asked = askedByPages();
  const failures = createFailureLog((found) => logFinding(logger, found));
  let configured: ConfiguredSession | undefined;
  let prepared: Promise<void> | undefined;
  const now = () => {
    if (!configured) throw new Error('The Astro config is not final yet.');
    return configured;
  };
  const session: Session = {
    command,
    buildId: randomUUID(),
    options,
    environment,
    refusals,
    asked,
    published: new Set(),
    files: new Map(),
    routes: [],
    get config() {
      return now().config;
    },
    get service() {
      return now().service;
    },
    get images() {
      return now().images;
    },
    get locations() {
      return now().locations;
    },
    get markdown() {
      return markdown;
    },
    get placeholder() {
      return now().placeholder;
    },
    failures,
    async configure(config, { hasServer }) {
      if (command === 'build' && !config.site && options.report.when !== 'never') {
        throw mediaAssetError('site-missing', undefined);
      }
      const { configureSession } = await import('./configure-session.ts');
      configured = configureSession(start, { config, settings });
      const { images, placeholder } = configured;
      const root = fileURLToPath(config.root);
      installRenderer(
        command === 'build'
          ? buildRenderer(images, {
              refusals,
              asked: hasServer ? asked : undefined,
            })
          : devRenderer(images, {
              hasServer,
              placeholder,
              failures,
              fileOf: (page) => pageFile(page, { root, base: config.base, routes: session.routes }),
            }),
      );
    },
    prepare() {
      if (prepared) return;
      const { images, config } = now();
      prepared = images.checkUsed(logProgress(logger, 'checking assets'));
      // It is awaited where versions are asked for, which may be later than the failure.
      prepared.catch(annotateFailure);
      if (!images.isFirstBuild()) return;
      // What is wrong comes up again where a page asks.
      readNamedAssets(fileURLToPath(config.srcDir))
        .then(images.prefetch)
        .catch(() => {});
    },
    prepared: async () => prepared,
    settings: () =>
      digest([settingsOfPages(options), now().pictureDefaults, now().styleAttributes]),
    state: () => digest([session.settings(), now().images.versions()]),
  };
  const markdown = createMarkdown(session);
  return session;
}

/** The options that change what pages hold. */
function settingsOfPages({ service, delivery, crops, customFormat, svg, files }: ResolvedOptions) {
  return [service.baseUrl, delivery, crops, customFormat.toString(), svg, files];
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}
