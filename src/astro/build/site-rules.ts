import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig } from 'astro';
import type { ResolvedOptions } from '../../config/options.ts';
import type { MediaService } from '../../service/types.ts';
import type { BuildRules } from '../../usage/build-rules.ts';
import { cacheFolder } from './rendition-locations.ts';

/** The settings of a site that its rules follow from. */
export interface RuledSite {
  readonly config: Pick<
    AstroConfig,
    'site' | 'base' | 'build' | 'trailingSlash' | 'root' | 'outDir' | 'cacheDir'
  >;
  readonly options: Pick<ResolvedOptions, 'report' | 'service' | 'crops' | 'customFormat'>;
  readonly service: Pick<MediaService, 'baseUrl'>;
}

/**
 * The rules of a site, which the command line follows as well: how pages are named, and what is
 * sent with each usage. A site without an address is scanned below a placeholder; nothing is sent
 * for it.
 */
export function siteRules({
  config,
  options: { report, service: access, crops, customFormat },
  service,
}: RuledSite): BuildRules {
  const site = config.site ?? 'http://localhost';
  const project = report.project ?? new URL(site).host;
  const { assetsPrefix, format } = config.build;
  const prefix =
    typeof assetsPrefix === 'object' ? (assetsPrefix.css ?? assetsPrefix.fallback) : assetsPrefix;
  return {
    version: 1,
    site,
    base: config.base,
    format,
    trailingSlash: config.trailingSlash,
    ...(prefix && { assetsPrefix: prefix }),
    exclude: report.exclude,
    service: service.baseUrl,
    project,
    contact: report.contact ?? project,
    description: report.description,
    settings: {
      accountsUrl: access.accountsUrl,
      clientId: access.clientId,
      tokenEncoding: access.tokenEncoding,
      downloads: access.downloads,
      concurrency: access.concurrency,
      maxIdsPerRequest: report.maxIdsPerRequest,
      maxUnsent: report.maxUnsent,
      crops,
      customFormat: typeof customFormat === 'function' ? 'own' : customFormat,
    },
    cache: relative(fileURLToPath(config.root), cacheFolder(config)),
    // An address of Redis can hold a password.
    ...(report.store && { store: 'file' in report.store ? report.store : 'redis' }),
  };
}
