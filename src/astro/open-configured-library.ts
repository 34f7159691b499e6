import { type Environment, type ResolvedOptions, serviceSettings } from '../options.ts';
import type { MediaService } from '../service/media-service.ts';
import { openMediaService } from '../service/open-media-service.ts';
import { createLibrary, type Library } from './library.ts';

/**
 * The library of a site without a session: its service is opened once a collection needs it, so that
 * a site without one needs no credentials for `astro sync`.
 */
export function openConfiguredLibrary(options: ResolvedOptions, environment: Environment): Library {
  let service: MediaService | undefined;
  return createLibrary({
    service() {
      service ??= openMediaService(serviceSettings(options), environment);
      return service;
    },
    maxStale: options.maxStale,
  });
}
