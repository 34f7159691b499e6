import { join } from 'node:path';
import envPaths from 'env-paths';
import { isOnBuildHost } from '../config/environment.ts';
import type { Environment, ResolvedOptions } from '../config/options.ts';
import {
  hasCredentials,
  type ServiceSettings,
  serviceSettings,
} from '../config/service-settings.ts';
import { type Finding, mediaAssetError } from '../errors/errors.ts';
import { fileTokenStore } from './auth/file-token-store.ts';
import { redisTokenStore } from './auth/redis-token-store.ts';
import type { TokenStore } from './auth/token-store.ts';
import { createMediaService } from './client.ts';
import type { Credentials } from './service-options.ts';
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
  given: { onFinding: (finding: Finding) => void; lastService?: () => string | undefined },
): MediaService {
  if (hasCredentials(options)) {
    return openMediaService(serviceSettings(options), environment, given.onFinding);
  }
  const baseUrl = options.service.baseUrl ?? given.lastService?.() ?? unknownService;
  const credentials = { kind: 'none' } as const;
  return createMediaService({ baseUrl, credentials });
}

export interface TokenStoreSettings {
  readonly service: string;
  readonly clientId: string;
  readonly credentials: Credentials;
  readonly location: string | undefined;
  readonly key: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Picks the token store for these credentials: Redis if it's configured, otherwise a file in the
 * user's config folder. `undefined` if nothing needs storing: for a password or an access token,
 * and for a refresh token in CI, where files don't last until the next build. Doesn't connect.
 *
 * @throws `token-key-missing`
 */
export function openTokenStore(settings: TokenStoreSettings): TokenStore | undefined {
  const { service, clientId, credentials, location, key, environment } = settings;
  const { kind } = credentials;
  if (kind !== 'refresh-token' && kind !== 'authorization-code') return undefined;
  const seed = kind === 'refresh-token' ? credentials.refreshToken : undefined;
  const identity = { service, clientId, seed };
  if (location !== undefined) {
    if (!key) throw mediaAssetError('token-key-missing', { store: new URL(location).hostname });
    return redisTokenStore({ url: location, identity, secret: key });
  }
  if (kind === 'refresh-token' && isOnBuildHost(environment)) return undefined;
  const path = join(envPaths('astro-media-asset', { suffix: '' }).config, 'tokens.json');
  return fileTokenStore(path, identity);
}
