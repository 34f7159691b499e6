import type { Environment, ServiceSettings } from '../options.ts';
import { createMediaService } from './create-media-service.ts';
import type { MediaService } from './media-service.ts';
import { openTokenStore } from './open-token-store.ts';

/** The client of the service that a site or a command is configured for, with its token store. */
export function openMediaService(
  { tokens, ...settings }: ServiceSettings,
  environment: Environment,
): MediaService {
  const { baseUrl: service, clientId, credentials } = settings;
  const tokenStore = openTokenStore({ service, clientId, credentials, ...tokens, environment });
  return createMediaService({ ...settings, tokenStore });
}
