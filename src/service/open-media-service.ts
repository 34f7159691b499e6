import type { Environment } from '../config/options.ts';
import type { ServiceSettings } from '../config/service-settings.ts';
import { openTokenStore } from './auth/open-token-store.ts';
import { createMediaService } from './client.ts';
import type { MediaService } from './types.ts';

export function openMediaService(
  { tokens, ...settings }: ServiceSettings,
  environment: Environment,
): MediaService {
  const { baseUrl: service, clientId, credentials } = settings;
  const tokenStore = openTokenStore({ service, clientId, credentials, ...tokens, environment });
  return createMediaService({ ...settings, tokenStore });
}
