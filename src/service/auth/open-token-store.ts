import { join } from 'node:path';
import envPaths from 'env-paths';
import { mediaAssetError } from '../../errors/errors.ts';
import type { Credentials } from '../service-options.ts';
import { fileTokenStore } from './file-token-store.ts';
import { redisTokenStore } from './redis-token-store.ts';
import type { TokenStore } from './token-store.ts';

export interface TokenStoreSettings {
  readonly service: string;
  readonly clientId: string;
  readonly credentials: Credentials;
  /** A Redis URL, for tokens that several machines share. */
  readonly location: string | undefined;
  /** Encrypts the tokens in Redis. */
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
  if (kind === 'refresh-token' && isCi(environment)) return undefined;
  const path = join(envPaths('astro-media-asset', { suffix: '' }).config, 'tokens.json');
  return { ...fileTokenStore({ path, identity }), dispensable: true };
}

/** CI hosts that don't set `CI`. */
const ciVariables = ['CF_PAGES', 'WORKERS_CI', 'VERCEL', 'NETLIFY', 'TF_BUILD', 'JENKINS_URL'];

function isCi(environment: TokenStoreSettings['environment']): boolean {
  const { CI } = environment;
  if (CI) return CI !== 'false' && CI !== '0';
  return ciVariables.some((name) => environment[name]);
}
