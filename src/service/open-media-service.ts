import type { Environment, ResolvedOptions } from '../config/options.ts';
import {
  hasCredentials,
  type ServiceSettings,
  serviceSettings,
} from '../config/service-settings.ts';
import type { Finding } from '../errors/errors.ts';
import { openTokenStore } from './auth/open-token-store.ts';
import { createMediaService } from './client.ts';
import type { MediaService } from './types.ts';

export function openMediaService(
  { tokens, ...settings }: ServiceSettings,
  environment: Environment,
  onFinding: (finding: Finding) => void,
): MediaService {
  const { baseUrl: service, clientId, credentials } = settings;
  const tokenStore = openTokenStore({ service, clientId, credentials, ...tokens, environment });
  return createMediaService({ ...settings, tokenStore, onFinding });
}

/** Stands for an unknown service. No host can have this name (RFC 2606). */
export const unknownService = 'https://service.invalid';

/**
 * Opens the site's service. Without credentials, every call throws `service-not-configured`.
 * `lastService` gives the base URL if the options don't.
 *
 * @throws `service-not-configured` if credentials are incomplete; `token-key-missing`
 */
export function openSiteService(
  options: ResolvedOptions,
  environment: Environment,
  {
    onFinding,
    lastService = () => undefined,
  }: {
    onFinding: (finding: Finding) => void;
    lastService?: () => string | undefined;
  },
): MediaService {
  if (hasCredentials(options)) {
    return openMediaService(serviceSettings(options), environment, onFinding);
  }
  const baseUrl = options.service.baseUrl ?? lastService() ?? unknownService;
  const credentials = { kind: 'none' } as const;
  return createMediaService({ baseUrl, clientId: '', clientSecret: '', credentials });
}
