import * as z from 'zod';
import { mediaAssetError } from '../errors/errors.ts';
import { count, oneOf, redisUrl, text, uploadFields, url } from './option-values.ts';

/** What the option `service` and `createMediaService` share. */
export const clientSettings = z.strictObject({
  /** The URL of the token host. From `MEDIA_ASSET_ACCOUNTS_URL`. @default the base URL */
  accountsUrl: url.optional(),
  /** The URL of the sign-in page. From `MEDIA_ASSET_AUTH_URL`. @default the base URL */
  authUrl: url.optional(),
  /**
   * The encoding of token requests: `'form'`, `'json'`, `'basic'` (a form, with the client in a header)
   * or `'query'` (all secrets in the URL, which logs keep). From `MEDIA_ASSET_TOKEN_ENCODING`.
   * @default 'form'
   */
  tokenEncoding: oneOf(['form', 'json', 'basic', 'query']).default('form'),
  /**
   * The path of token requests. Some services have `'/oauth2/token'`. From `MEDIA_ASSET_TOKEN_PATH`.
   * @default '/1/oauth2/token'
   */
  tokenPath: text
    .regex(/^(\/[\w.~-]+)+$/, { error: 'expected a path such as /oauth2/token' })
    .default('/1/oauth2/token'),
  /**
   * How the service answers a download: with the bytes (`'bytes'`), or with JSON that holds their URL
   * (`'url'`). From `MEDIA_ASSET_DOWNLOADS`.
   * @default 'bytes'
   */
  downloads: oneOf(['bytes', 'url']).default('bytes'),
  /**
   * The names of the metadata in an upload's request: `{ filename, size, folder }`. From
   * `MEDIA_ASSET_UPLOAD_FIELDS`, such as `title,bytes,parent`.
   * @default filename, size and folder
   */
  uploadFields: uploadFields.prefault({}),
  /** The number of requests at the same time. A download counts until its body ends. @default 8 */
  concurrency: count(1, 64).default(8),
  /** The largest download, in bytes. @default 536870912 */
  maxDownloadBytes: count(1, 2 ** 40).default(512 * 1024 ** 2),
});

export const serviceSchema = z.strictObject({
  /** The URL of the service's API. From `MEDIA_ASSET_BASE_URL`. */
  baseUrl: url.optional(),
  ...clientSettings.shape,
  /** From `MEDIA_ASSET_CLIENT_ID`. */
  clientId: text.optional(),
  /** From `MEDIA_ASSET_CLIENT_SECRET`. Keep it out of the config file. */
  clientSecret: text.optional(),
  /** From `MEDIA_ASSET_REFRESH_TOKEN`. Or set a user name with a password, or an access token. */
  refreshToken: text.optional(),
  /** From `MEDIA_ASSET_USERNAME`. */
  username: text.optional(),
  /** From `MEDIA_ASSET_PASSWORD`. */
  password: text.optional(),
  /** From `MEDIA_ASSET_ACCESS_TOKEN`. It isn't renewed. */
  accessToken: text.optional(),
  /**
   * Where the tokens of `media-asset login` and replaced refresh tokens are kept: a Redis URL (needs
   * the package redis), encrypted with `tokenKey`. From `MEDIA_ASSET_TOKEN_STORE`.
   * @default a file in the user's config folder; in CI nothing
   */
  tokenStore: redisUrl.optional(),
  /** The key that encrypts tokens in that store, at least 16 characters. From `MEDIA_ASSET_TOKEN_KEY`. */
  tokenKey: z
    .string({ error: 'expected a string' })
    .min(16, { error: 'expected at least 16 characters' })
    .optional(),
  /** Seconds that one download may take. @default 1800 */
  downloadTimeLimit: count(1, 86_400).default(1800),
});

/** What a build leaves for commands. No secret is among it. */
export const keptService = serviceSchema
  .pick({
    ...{ accountsUrl: true, clientId: true, tokenEncoding: true, downloads: true },
    ...{ tokenPath: true, uploadFields: true, concurrency: true },
  })
  .partial()
  .strip();

/** The variable that sets an option of `service`: `MEDIA_ASSET_BASE_URL` for `baseUrl`. */
export function variableOf(option: string): string {
  return `MEDIA_ASSET_${option.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}

const withoutVariable = ['concurrency', 'maxDownloadBytes', 'downloadTimeLimit'];

/** The variables of `service`, each with the path of its option. */
export const serviceVariables = Object.fromEntries(
  Object.keys(serviceSchema.shape)
    .filter((name) => !withoutVariable.includes(name))
    .map((name) => [variableOf(name), `service.${name}`]),
);

type ServiceOptions = z.output<typeof serviceSchema>;

/** The settings of a service client. `openMediaService` takes them. */
export type ServiceSettings = ReturnType<typeof serviceSettings>;

/**
 * Picks the client's settings from the options. Without credentials, the client uses a stored sign-in.
 *
 * @param needs.signIn for `media-asset login`: needs the client ID and its secret, no credentials
 * @throws `service-not-configured`, naming every missing option
 */
export function serviceSettings(
  { service }: { readonly service: ServiceOptions },
  needs: { readonly signIn?: boolean } = {},
) {
  const { username, password, refreshToken, accessToken, tokenStore, tokenKey, ...client } =
    service;
  const { baseUrl, clientId = '', clientSecret = '' } = client;
  const missing = missingSettings(service, needs);
  if (!baseUrl || missing.length > 0) throw mediaAssetError('service-not-configured', { missing });
  return {
    ...{ ...client, baseUrl, clientId, clientSecret },
    credentials: accessToken
      ? ({ kind: 'access-token', accessToken } as const)
      : refreshToken
        ? ({ kind: 'refresh-token', refreshToken } as const)
        : username && password
          ? ({ kind: 'password', username, password } as const)
          : ({ kind: 'authorization-code' } as const),
    tokens: { location: tokenStore, key: tokenKey },
    /** In ms. */
    downloadTimeLimit: client.downloadTimeLimit * 1000,
  };
}

/** Whether any credential is set. None is fine, such as on a pull request. A part is a mistake. */
export function hasCredentials({ service }: { readonly service: ServiceOptions }): boolean {
  return credentialNames.some((name) => service[name] !== undefined);
}

const signInNames = ['username', 'password', 'refreshToken', 'accessToken'] as const;
const credentialNames = ['clientId', 'clientSecret', ...signInNames] as const;

/** The missing options that a client needs, each with its variable. */
export function missingSettings(service: ServiceOptions, { signIn = false } = {}): string[] {
  const { baseUrl, clientId, clientSecret, username, password } = service;
  const usesClient = signIn || !service.accessToken;
  const needed: [name: string, isMissing: boolean][] = [
    ['service.baseUrl (MEDIA_ASSET_BASE_URL)', !baseUrl],
    ['service.clientId (MEDIA_ASSET_CLIENT_ID)', usesClient && !clientId],
    ['service.clientSecret (MEDIA_ASSET_CLIENT_SECRET)', usesClient && !clientSecret],
    ['service.username (MEDIA_ASSET_USERNAME)', !username && Boolean(password)],
    ['service.password (MEDIA_ASSET_PASSWORD)', Boolean(username) && !password],
  ];
  const missing = needed.filter(([, isMissing]) => isMissing).map(([name]) => name);
  const hasNone = !signIn && signInNames.every((name) => !service[name]);
  // No credentials alone isn't a mistake, because someone may have signed in.
  return missing.length > 0 && hasNone ? [...missing, credentials] : missing;
}

const credentials =
  'credentials (media-asset login, MEDIA_ASSET_REFRESH_TOKEN, or MEDIA_ASSET_USERNAME and MEDIA_ASSET_PASSWORD, or MEDIA_ASSET_ACCESS_TOKEN)';
