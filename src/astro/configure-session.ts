import type { AstroConfig } from 'astro';
import { createImages, type Images } from '../assets/assets.ts';
import { customFormats, type ToCustomFormat } from '../assets/geometry/custom-format-parameters.ts';
import type { PictureDefaults } from '../assets/request/parse-request.ts';
import type { ResolvedOptions, ServiceSettings } from '../config/options.ts';
import { openMediaService } from '../service/open-media-service.ts';
import type { MediaService } from '../service/types.ts';
import {
  cacheFolder,
  type RenditionLocations,
  renditionLocations,
} from './build/rendition-locations.ts';
import { type DevPlaceholder, devPlaceholder } from './dev/dev-placeholder.ts';
import { logFinding } from './log-finding.ts';
import type { SessionStart } from './session.ts';

/** What a session has once the Astro config is final. */
export interface ConfiguredSession {
  readonly config: AstroConfig;
  readonly service: MediaService;
  readonly images: Images;
  /** Astro's own options for pictures, which hold for ours too. */
  readonly pictureDefaults: PictureDefaults;
  /** Whether pages may carry `style` attributes. */
  readonly styleAttributes: boolean;
  readonly locations: RenditionLocations;
  readonly placeholder: DevPlaceholder;
}

/** Opens what works for a session; it imports all that takes time to load. */
export function configureSession(
  { command, options, environment, logger }: SessionStart,
  { config, settings }: { config: AstroConfig; settings: ServiceSettings },
): ConfiguredSession {
  const service = openMediaService(settings, environment);
  const locations = renditionLocations(config, command);
  const { layout, breakpoints, objectFit, objectPosition } = config.image;
  const pictureDefaults = { layout, breakpoints, fit: objectFit, position: objectPosition };
  const styleAttributes = !hasContentSecurityPolicy(config);
  const images = createImages({
    service,
    cacheDir: cacheFolder(config),
    crops: options.crops ?? (command === 'build' ? 'service' : 'local'),
    delivery: options.delivery,
    customFormat: toCustomFormat(options.customFormat),
    defaults: pictureDefaults,
    styleAttributes,
    svg: options.svg,
    mode: command,
    requestsAtOnce: options.service.concurrency,
    files: options.files,
    site: config.site,
    maxStale: options.maxStale * 24 * 60 * 60 * 1000,
    toUrl: locations.toUrl,
    onFinding: (found) => logFinding(logger, found),
  });
  const { originalUrl } = service.files;
  const placeholder = devPlaceholder({ defaults: pictureDefaults, originalUrl });
  return { config, service, images, pictureDefaults, styleAttributes, locations, placeholder };
}

/** Whether Astro gives pages a content security policy, which names each style by its hash. */
function hasContentSecurityPolicy({ security, experimental }: AstroConfig): boolean {
  // Astro 5 has the option among its experiments.
  return Boolean(security.csp || Reflect.get(experimental, 'csp'));
}

function toCustomFormat(option: ResolvedOptions['customFormat']): ToCustomFormat {
  return typeof option === 'function' ? option : customFormats[option];
}
