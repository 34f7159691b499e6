import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { AstroConfig, AstroIntegrationLogger } from 'astro';
import { type Assets, createAssets } from '../assets/assets.ts';
import { customFormats } from '../assets/geometry/custom-format-parameters.ts';
import { readNamedAssets } from '../assets/request/read-named-assets.ts';
import { digest } from '../assets/store/catalogue-data.ts';
import { lastService } from '../assets/store/read-catalogue.ts';
import type { Environment, ResolvedOptions } from '../config/options.ts';
import { hasCredentials } from '../config/service-settings.ts';
import { mediaAssetError } from '../errors/errors.ts';
import { openSiteService } from '../service/open-media-service.ts';
import type { MediaService } from '../service/types.ts';
import {
  cacheFolder,
  type RenditionLocations,
  renditionLocations,
} from './build/rendition-locations.ts';
import { annotateFailure, createFailureLog, type FailureLog, logFinding } from './log-finding.ts';
import { logProgress } from './log-progress.ts';

/** A site whose Astro config is final: its options, its service and its images. */
export interface Site {
  readonly command: 'build' | 'dev';
  readonly config: AstroConfig;
  readonly options: ResolvedOptions;
  readonly environment: Environment;
  readonly service: MediaService;
  readonly images: Assets;
  readonly locations: RenditionLocations;
  readonly failures: FailureLog;
  readonly checks: AssetChecks;
  /** A digest of the options that rendered pages depend on. */
  readonly settings: string;
  /** A digest of everything that rendered pages depend on: the options and the assets' versions. */
  state(): Promise<string>;
}

/** The checks of the last build's assets, and the downloads that this build will need. None without credentials. */
interface AssetChecks {
  /** Starts them. Does nothing if they have been started. */
  start(): void;
  /** @throws what concerns all assets: `credentials-refused`, `answer-html` and the like */
  done(): Promise<void>;
}

export interface SiteStart {
  readonly command: 'build' | 'dev';
  readonly options: ResolvedOptions;
  readonly environment: Environment;
  readonly logger: AstroIntegrationLogger;
}

/**
 * Opens the service and the images of a site. Takes the Astro config with every integration's changes.
 *
 * @throws `site-missing` for a build that plans or sends usages; as `openSiteService` does
 */
export function openSite(
  { command, options, environment, logger }: SiteStart,
  config: AstroConfig,
): Site {
  if (command === 'build' && !config.site && options.report.when !== 'never') {
    throw mediaAssetError('site-missing', undefined);
  }
  const cacheDir = cacheFolder(config);
  const log = (found: Parameters<typeof logFinding>[1]) => logFinding(logger, found);
  const service = openSiteService(options, environment, {
    onFinding: log,
    lastService: () => lastService(cacheDir),
  });
  const canAsk = hasCredentials(options);
  const locations = renditionLocations(config, command);
  const { layout, breakpoints, objectFit, objectPosition } = config.image;
  const defaults = { layout, breakpoints, fit: objectFit, position: objectPosition };
  const styleAttributes = !hasContentSecurityPolicy(config);
  const { customFormat } = options;
  const images = createAssets({
    service,
    cacheDir,
    crops: options.crops ?? (command === 'build' ? 'service' : 'local'),
    delivery: options.delivery,
    customFormat: typeof customFormat === 'function' ? customFormat : customFormats[customFormat],
    defaults,
    styleAttributes,
    svg: options.svg,
    mode: command,
    hasCredentials: canAsk,
    requestsAtOnce: options.service.concurrency,
    files: options.files,
    site: config.site,
    maxStale: options.maxStale * 24 * 60 * 60 * 1000,
    toUrl: locations.toUrl,
    onFinding: log,
  });
  const checks = canAsk
    ? assetChecks(images, { srcDir: fileURLToPath(config.srcDir), logger })
    : { start: () => {}, done: async () => {} };
  // No other build may reuse pages with placeholders, and this one none of another build.
  const run = canAsk ? '' : randomUUID();
  const pageSettings = digest([settingsOfPages(options), defaults, styleAttributes, run]);
  return {
    command,
    config,
    options,
    environment,
    service,
    images,
    locations,
    failures: createFailureLog(log),
    checks,
    settings: pageSettings,
    async state() {
      // Astro's page cache compares it. Without that cache, no page waits for the checks of all assets.
      if (config.experimental.incrementalBuild) await checks.done();
      return digest([pageSettings, images.versions()]);
    },
  };
}

function assetChecks(
  images: Pick<Assets, 'checkUsed' | 'isFirstBuild' | 'prefetch'>,
  { srcDir, logger }: { srcDir: string; logger: AstroIntegrationLogger },
): AssetChecks {
  let checked: Promise<void> | undefined;
  return {
    start() {
      if (checked) return;
      checked = images.checkUsed(logProgress(logger, 'checking assets'));
      // `done()` may be called later than the failure.
      checked.catch(annotateFailure);
      if (!images.isFirstBuild()) return;
      // A page that requests the asset meets the same error.
      readNamedAssets(srcDir)
        .then(images.prefetch)
        .catch(() => {});
    },
    done: async () => checked,
  };
}

/** Whether Astro gives pages a content security policy, which names each style by its hash. */
function hasContentSecurityPolicy({ security, experimental }: AstroConfig): boolean {
  // Astro 5 has the option among its experiments.
  return Boolean(security.csp || Reflect.get(experimental, 'csp'));
}

/** The options that change what pages hold. */
function settingsOfPages({ service, delivery, crops, customFormat, svg, files }: ResolvedOptions) {
  return [service.baseUrl, delivery, crops, customFormat.toString(), svg, files];
}
