import type { Environment } from '../../config/options.ts';
import type { ServiceSettings } from '../../config/service-settings.ts';
import { mediaAssetError } from '../../errors/errors.ts';
import { openTokenStore, type StoredTokens, type TokenStore } from '../../service/index.ts';
import type { BuildRules } from '../../usage/build-rules.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { reachService, readLastBuild, type ServiceFlags } from './find-service.ts';

/**
 * The settings of commands that sign in or check a sign-in. `built` are the last build's settings
 * if it used the same service. Pass `signIn` to ignore other credentials.
 */
export async function signInSettings(
  flags: ServiceFlags,
  terminal: Pick<Terminal, 'directory' | 'environment'>,
  needs: { readonly signIn?: boolean } = {},
): Promise<{ settings: ServiceSettings; environment: Environment; built: BuildRules['settings'] }> {
  const known = await readLastBuild(terminal);
  const { reached, settings: built } = reachService(flags, known, needs);
  return { settings: reached, environment: known.environment, built };
}

/** The token store of sign-ins, even if a build would use other credentials. */
export function loginStore(settings: ServiceSettings, environment: Environment): TokenStore {
  const { baseUrl: service, clientId, tokens } = settings;
  const credentials = { kind: 'authorization-code' } as const;
  const store = openTokenStore({ service, clientId, credentials, ...tokens, environment });
  if (store === undefined || clientId === '') {
    throw mediaAssetError('service-not-configured', {
      missing: ['service.clientId (MEDIA_ASSET_CLIENT_ID)'],
    });
  }
  return store;
}

/** Who signs in, where the credentials come from, and when they expire. Names no secret. */
export async function signInText(
  settings: ServiceSettings,
  environment: Environment,
): Promise<string> {
  const { baseUrl: service, clientId, credentials, tokens: place } = settings;
  const store = openTokenStore({ service, clientId, credentials, ...place, environment });
  const tokens = await store?.read();
  const { kind } = credentials;
  if (kind === 'authorization-code' && tokens === undefined) {
    throw mediaAssetError('sign-in-missing', { service });
  }
  const user = kind === 'password' ? `${credentials.username}, ` : '';
  const client = clientId && `, client ID ${clientId}`;
  const kept = store && tokens ? `, tokens kept in ${store.name}` : '';
  const expiry = kind === 'access-token' ? 'unknown, never renewed' : expiryText(tokens);
  return `${user}${sources[kind]} (${kind})${client}${kept}; expires: ${expiry}.`;
}

const sources: Readonly<Record<ServiceSettings['credentials']['kind'], string>> = {
  password: 'MEDIA_ASSET_USERNAME and MEDIA_ASSET_PASSWORD',
  'refresh-token': 'MEDIA_ASSET_REFRESH_TOKEN',
  'access-token': 'MEDIA_ASSET_ACCESS_TOKEN',
  'authorization-code': 'media-asset login',
};

function expiryText(tokens: StoredTokens | undefined): string {
  if (tokens === undefined) return 'each run requests its own token';
  const { expiresAt, refreshToken } = tokens;
  const renewed = refreshToken === undefined ? '' : ', renewed as needed';
  if (expiresAt === undefined) return `unknown (the service doesn't say)${renewed}`;
  const ended = expiresAt <= Date.now() ? ' (expired)' : '';
  const again = ended && !renewed ? ': run media-asset login again' : '';
  return `${new Date(expiresAt).toISOString()}${ended}${renewed}${again}`;
}
