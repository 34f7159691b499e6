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
  /** An address of Redis, for tokens that several machines share. */
  readonly location: string | undefined;
  /** What tokens are encrypted with there. */
  readonly key: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * The store for the tokens of these credentials: Redis if it's named, otherwise a file of the user's
 * own. Undefined if nothing is kept: for a password, for an access token, and in CI for a refresh
 * token, where no file lives until the next build. Reads and connects to nothing yet.
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

/** Variables of hosts that do not set `CI`. */
const ciVariables = ['CF_PAGES', 'WORKERS_CI', 'VERCEL', 'NETLIFY', 'TF_BUILD', 'JENKINS_URL'];

function isCi(environment: TokenStoreSettings['environment']): boolean {
  const { CI } = environment;
  if (CI) return CI !== 'false' && CI !== '0';
  return ciVariables.some((name) => environment[name]);
}
