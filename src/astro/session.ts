import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { AstroConfig, AstroIntegrationLogger } from 'astro';
import { mediaAssetError } from '../errors.ts';
import { customFormats, type ToCustomFormat } from '../images/custom-format-parameters.ts';
import { createImages, type Images } from '../images/images.ts';
import type { PictureDefaults } from '../images/parse-request.ts';
import { readNamedAssets } from '../images/read-named-assets.ts';
import { type Environment, type ResolvedOptions, serviceSettings } from '../options.ts';
import type { MediaService } from '../service/media-service.ts';
import { openMediaService } from '../service/open-media-service.ts';
import { annotateFailure } from './annotate-failures.ts';
import { cacheFolder } from './cache-folder.ts';
import { createDevFailures, type DevFailures } from './dev-failures.ts';
import { logFinding } from './log-finding.ts';
import { createMarkdown, type Markdown } from './markdown.ts';
import { logProgress } from './progress.ts';
import { createRefusals, type Refusals } from './refusals.ts';
import { buildRenderer, devRenderer, installRenderer } from './renderer.ts';
import { type RenditionLocations, renditionLocations } from './rendition-locations.ts';
import { createStandIns, type StandIns } from './stand-ins.ts';

/** One run of `astro build` or `astro dev`: what its hooks share. */
export interface Session {
  readonly command: 'build' | 'dev';
  readonly options: ResolvedOptions;
  readonly environment: Environment;
  readonly service: MediaService;
  readonly refusals: Refusals;
  /** The Astro config with every integration's changes. Available from `astro:config:done` on. */
  readonly config: AstroConfig;
  readonly images: Images;
  readonly locations: RenditionLocations;
  readonly markdown: Markdown;
  /** Of the dev server: assets that cannot be had. */
  readonly failures: DevFailures;
  readonly standIns: StandIns;
  /**
   * Takes the final Astro config, and gives components their renderer.
   *
   * @throws `site-missing` for a build that has to do with usages
   */
  configure(config: AstroConfig): void;
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

/** @throws `service-not-configured` */
export function openSession(start: {
  command: 'build' | 'dev';
  options: ResolvedOptions;
  environment: Environment;
  logger: AstroIntegrationLogger;
}): Session {
  const { command, options, environment, logger } = start;
  const service = openMediaService(serviceSettings(options), environment);
  const refusals = createRefusals();
  const failures = createDevFailures(
    (found) => logFinding(logger, found),
    () => performance.now(),
  );
  let configured:
    | { config: AstroConfig; images: Images; locations: RenditionLocations; standIns: StandIns }
    | undefined;
  let prepared: Promise<void> | undefined;
  const now = () => {
    if (!configured) throw new Error('The Astro config is not final yet.');
    return configured;
  };
  const session: Session = {
    command,
    options,
    environment,
    service,
    refusals,
    get config() {
      return now().config;
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
    get standIns() {
      return now().standIns;
    },
    failures,
    configure(config) {
      if (command === 'build' && !config.site && options.report.when !== 'never') {
        throw mediaAssetError('site-missing', undefined);
      }
      const locations = renditionLocations(config, command);
      const images = createImages({
        service,
        cacheDir: cacheFolder(config),
        crops: options.crops ?? (command === 'build' ? 'service' : 'local'),
        delivery: options.delivery,
        customFormat: toCustomFormat(options.customFormat),
        defaults: pictureDefaults(config),
        svg: options.svg,
        mode: command,
        requestsAtOnce: options.service.concurrency,
        files: options.files,
        site: config.site,
        maxStale: options.maxStale * 24 * 60 * 60 * 1000,
        toUrl: locations.toUrl,
        onFinding: (found) => logFinding(logger, found),
      });
      const standIns = createStandIns({
        toUrl: locations.toUrl,
        defaults: pictureDefaults(config),
        originalUrl: service.files.originalUrl,
      });
      configured = { config, images, locations, standIns };
      installRenderer(
        command === 'build'
          ? buildRenderer(images, refusals)
          : devRenderer(images, { standIns, failures }),
      );
    },
    prepare() {
      if (prepared) return;
      const { images, config } = now();
      prepared = images.checkUsed(logProgress(logger, 'checking assets'));
      // It is awaited where versions are asked for, which may be later than the failure.
      prepared.catch(annotateFailure);
      if (!images.isFirstBuild()) return;
      void readNamedAssets(fileURLToPath(config.srcDir)).then(images.prefetch);
    },
    prepared: async () => prepared,
    settings: () => digest([settingsOfPages(options), pictureDefaults(now().config)]),
    state: () => digest([session.settings(), now().images.versions()]),
  };
  const markdown = createMarkdown(session);
  return session;
}

function toCustomFormat(option: ResolvedOptions['customFormat']): ToCustomFormat {
  return typeof option === 'function' ? option : customFormats[option];
}

/** Astro's own options for pictures hold for ours too. */
function pictureDefaults({ image }: AstroConfig): PictureDefaults {
  const { layout, breakpoints, objectFit, objectPosition } = image;
  return { layout, breakpoints, fit: objectFit, position: objectPosition };
}

/** The options that change what pages hold. */
function settingsOfPages({ service, delivery, crops, customFormat, svg, files }: ResolvedOptions) {
  return [service.baseUrl, delivery, crops, customFormat.toString(), svg, files];
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}
