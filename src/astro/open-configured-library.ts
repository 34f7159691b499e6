import { type Environment, type ResolvedOptions, serviceSettings } from '../options.ts';
import type { MediaService } from '../service/media-service.ts';
import { createLibrary, type Library } from './library.ts';

/**
 * The library of a site without a session: its service is opened once a collection needs it, so that
 * a site without one needs no credentials for `astro sync`.
 */
export function openConfiguredLibrary(options: ResolvedOptions, environment: Environment): Library {
  let service: Promise<MediaService> | undefined;
  async function open(): Promise<MediaService> {
    const settings = serviceSettings(options);
    const { openMediaService } = await import('../service/open-media-service.ts');
    return openMediaService(settings, environment);
  }
  return createLibrary({
    service() {
      service ??= open();
      return service;
    },
    maxStale: options.maxStale,
  });
}
