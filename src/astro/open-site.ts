import { randomUUID } from 'node:crypto';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig, AstroIntegrationLogger } from 'astro';
import { createAssets } from '../assets/assets.ts';
import type { CommandSite } from '../assets/command-site.ts';
import { pixelVersion } from '../assets/formats/rendition-url.ts';
import { customFormats } from '../assets/geometry/custom-format-parameters.ts';
import type { PublisherAssets } from '../assets/publisher-assets.ts';
import { recordRule } from '../assets/records/records.ts';
import { readSourceLabels } from '../assets/records/source-labels.ts';
import { readAcceptedCrops } from '../assets/renditions/accepted-crops.ts';
import { readDefaults } from '../assets/request/read-defaults.ts';
import { readNamedAssets } from '../assets/request/read-named-assets.ts';
import { lastService } from '../assets/store/last-build.ts';
import { siteLanguages } from '../config/languages.ts';
import type { Environment, ResolvedOptions } from '../config/options.ts';
import { hasCredentials } from '../config/service-settings.ts';
import { inAuthorsWords } from '../errors/author-words.ts';
import { type Finding, mediaAssetError } from '../errors/errors.ts';
import { openSiteService } from '../service/open-media-service.ts';
import { digest } from '../storage/digest.ts';
import { refuseTrackedLinks } from '../storage/tracked-links.ts';
import { openEarlierBuild } from './build/earlier-build.ts';
import { requireCredentials } from './build/missing-credentials.ts';
import { cacheFolder, renditionLocations } from './build/rendition-locations.ts';
import { annotateFailure, logFinding } from './log-finding.ts';
import { logProgress } from './log-progress.ts';

/** A site with its options, service and images. Its Astro config is final. */
export type Site = ReturnType<typeof openSite>;

export interface SiteStart {
  readonly command: 'build' | 'dev';
  readonly options: ResolvedOptions;
  readonly environment: Environment;
  readonly logger: AstroIntegrationLogger;
  /** @default logs it */
  readonly onFinding?: (finding: Finding) => void;
}

/** Opens a site's service and images. `config` includes the changes of all integrations. */
export function openSite(
  { command, options, environment, logger, onFinding }: SiteStart,
  config: AstroConfig,
) {
  if (command === 'build' && !config.site && options.report.when !== 'never') {
    throw mediaAssetError('site-missing', undefined);
  }
  // A theme can have it too. Each would take the other's build for one that runs at the same time.
  if (config.integrations.filter(({ name }) => name === 'astro-media-asset').length > 1) {
    const problems = ['`integrations` has mediaAsset() more than once'];
    throw mediaAssetError('options-invalid', { problems });
  }
  const cacheDir = cacheFolder(config);
  const root = fileURLToPath(config.root);
  for (const path of ['.media-asset', relative(root, cacheDir)])
    refuseTrackedLinks(root, [path.replaceAll(sep, '/')]);
  const toWords = command === 'dev' ? inAuthorsWords<Finding> : (found: Finding) => found;
  const log = onFinding ?? ((found: Finding) => logFinding(logger, toWords(found)));
  const service = openSiteService(options, environment, {
    onFinding: log,
    lastService: () => lastService(cacheDir),
  });
  const canAsk = hasCredentials(options);
  const locations = renditionLocations(config, command);
  const { layout, breakpoints, objectFit, objectPosition } = config.image;
  const ofAstro = { layout, breakpoints, fit: objectFit, position: objectPosition };
  const defaults = readDefaults(options, ofAstro);
  const { customFormat, delivery, crops, svg, files, sourceLabels: labels } = options;
  const { forbidden = command === 'dev' ? 'warn' : 'fail' } = options.rights;
  const languages = siteLanguages(config);
  const sourceLabel = labels && readSourceLabels(labels, languages.all[0]);
  const keeps = command === 'build' && options.changed === 'keep';
  const accepted = () => readAcceptedCrops(root);
  const images = createAssets({
    service,
    cacheDir,
    crops: crops ?? (command === 'build' ? 'service' : 'local'),
    delivery,
    customFormat: typeof customFormat === 'function' ? customFormat : customFormats[customFormat],
    defaults,
    keeps,
    accepted,
    svg,
    mode: command,
    hasCredentials: canAsk,
    requestsAtOnce: options.service.concurrency,
    files,
    languages,
    record: options.record,
    rights: { ...options.rights, forbidden },
    sourceLabel,
    site: config.site,
    earlier:
      command === 'build' && config.site && options.reuse && canAsk
        ? openEarlierBuild({
            ...{ site: config.site, config, options },
            ...{ service: service.baseUrl, onFinding: log },
          })
        : undefined,
    maxStale: options.maxStale * 24 * 60 * 60 * 1000,
    toUrl: locations.toUrl,
    onFinding: log,
  });
  const srcDir = fileURLToPath(config.srcDir);
  const checks = assetChecks(images.publisher, { canAsk, srcDir, logger });
  // Pages with placeholders must not be reused by another build, or the other way round.
  const run = canAsk ? '' : randomUUID();
  const { record, rights } = options;
  const recordSettings = [record?.fields, ...[record?.read, rights.read].map(String), forbidden];
  const pageSettings = digest([
    [options.service.baseUrl, delivery, crops, customFormat.toString(), svg, files, keeps],
    ...[defaults, run, labels, pixelVersion, 'crops are noted'],
    ...(recordRule(options) ? [recordSettings, rights, languages.all] : []),
  ]);
  return {
    command,
    config,
    /** The cache of originals, custom formats and renditions. */
    cacheDir,
    options,
    service,
    images,
    sourceLabel,
    languages,
    locations,
    logger,
    onFinding: log,
    checks,
    /** A digest of the options that affect rendered pages. */
    settings: pageSettings,
    /** What happens to pages with forbidden assets. */
    forbidden,
    /** A digest of everything that affects rendered pages: the options and the assets' versions. */
    async state(): Promise<string> {
      // Only Astro's page cache compares versions. Without it, pages don't wait for all checks.
      if (config.experimental.incrementalBuild) await checks.done();
      return digest([pageSettings, images.publisher.versions(), keeps && (await accepted())]);
    },
  };
}

/** What commands use of a site that doesn't build. */
export function commandSite(start: SiteStart, config: AstroConfig): CommandSite {
  return {
    address: config.site,
    languages: siteLanguages(config),
    record: recordRule(start.options),
    async openAssets(onFinding) {
      await requireCredentials(start.options);
      const { images, service, settings } = openSite({ ...start, onFinding }, config);
      await images.publisher.recall();
      return { ...images.people, service: service.baseUrl, settings };
    },
  };
}

/** Checks the last build's assets and downloads what this build will need, if it has credentials. */
function assetChecks(
  images: PublisherAssets,
  { canAsk, srcDir, logger }: { canAsk: boolean; srcDir: string; logger: AstroIntegrationLogger },
) {
  let checked: Promise<void> | undefined;
  return {
    /** Starts the checks. Further calls do nothing. */
    start(): void {
      if (!canAsk || checked) return;
      checked = images.checkUsed(logProgress(logger, 'checking assets'));
      // The checks can fail before `done()` is called.
      checked.catch(annotateFailure);
      images.prefetch(() => readNamedAssets(srcDir));
    },
    done: async () => checked,
  };
}
