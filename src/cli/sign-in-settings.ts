import { join } from 'node:path';
import { loadEnvironment } from '../environment.ts';
import { mediaAssetError } from '../errors.ts';
import {
  type Environment,
  resolveOptions,
  type ServiceSettings,
  serviceSettings,
} from '../options.ts';
import { openTokenStore, type TokenStore } from '../service/index.ts';
import { readBuildRules } from '../usage/build-rules.ts';
import { toUrl } from './site-rules.ts';
import type { Terminal } from './terminal.ts';

/** The flags of the commands about credentials. */
export interface SignInFlags {
  readonly service?: string;
  readonly json?: boolean;
}

/**
 * The service that these commands are about, from the flag, the environment with its `.env` files,
 * or the last build; with the credentials that a build would use, unless it is to be signed in to.
 *
 * @throws `command-usage` where `--service` is no address, `options-invalid`, `service-not-configured`, `rules-broken`, `environment-unreadable`
 */
export async function signInSettings(
  { service }: SignInFlags,
  { directory, environment: variables }: Pick<Terminal, 'directory' | 'environment'>,
  needs: { readonly signIn?: boolean } = {},
): Promise<{ settings: ServiceSettings; environment: Environment }> {
  if (service !== undefined) toUrl('--service', service);
  const environment = loadEnvironment(directory, 'production', variables);
  const built = await readBuildRules(join(directory, '.media-asset/build.json'));
  const baseUrl = service ?? (environment.MEDIA_ASSET_BASE_URL || built?.service);
  const { accountsUrl, clientId, tokenEncoding, downloads } =
    (built?.service === baseUrl ? built?.settings : undefined) ?? {};
  const access = {
    baseUrl,
    accountsUrl,
    clientId: environment.MEDIA_ASSET_CLIENT_ID || clientId,
    tokenEncoding,
    downloads,
  };
  const options = resolveOptions({ service: access }, environment);
  return { settings: serviceSettings(options, needs), environment };
}

/** The store of a sign-in, whatever credentials a build would use. */
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
