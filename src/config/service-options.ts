import * as z from 'zod';
import { count, oneOf, redisUrl, text, url } from './option-values.ts';

export const serviceSchema = z.strictObject({
  /** The address of the service's API. From `MEDIA_ASSET_BASE_URL`. */
  baseUrl: url.optional(),
  /** The address of the token host. From `MEDIA_ASSET_ACCOUNTS_URL`. @default the base URL */
  accountsUrl: url.optional(),
  /** The address of the sign-in page. From `MEDIA_ASSET_AUTH_URL`. @default the base URL */
  authUrl: url.optional(),
  /** From `MEDIA_ASSET_CLIENT_ID`. */
  clientId: text.optional(),
  /** From `MEDIA_ASSET_CLIENT_SECRET`; keep it out of the config file. */
  clientSecret: text.optional(),
  /** From `MEDIA_ASSET_REFRESH_TOKEN`. One of refresh token, user name + password, access token; of several, an access token counts first, then a refresh token. */
  refreshToken: text.optional(),
  /** From `MEDIA_ASSET_USERNAME`. */
  username: text.optional(),
  /** From `MEDIA_ASSET_PASSWORD`. */
  password: text.optional(),
  /** From `MEDIA_ASSET_ACCESS_TOKEN`. It is used as it is, and not renewed. */
  accessToken: text.optional(),
  /**
   * Where tokens are kept: those of `media-asset login`, and a refresh token that the service
   * replaces. An address of Redis (needs the package redis), which holds them encrypted with
   * `tokenKey`, for machines that share them. From `MEDIA_ASSET_TOKEN_STORE`.
   * @default a file in the user's config folder; in CI nothing
   */
  tokenStore: redisUrl.optional(),
  /** What tokens are encrypted with in that store, 16 characters or more. From `MEDIA_ASSET_TOKEN_KEY`. */
  tokenKey: z
    .string({ error: 'expected a text' })
    .min(16, { error: 'expected at least 16 characters' })
    .optional(),
  /** How a token request is written: `'form'`, `'json'` or `'query'`. @default 'form' */
  tokenEncoding: oneOf(['form', 'json', 'query']).default('form'),
  /**
   * What the service answers a download with: its bytes (`'bytes'`), or JSON that holds their
   * address (`'url'`).
   * @default 'bytes'
   */
  downloads: oneOf(['bytes', 'url']).default('bytes'),
  /** Requests under way at once. @default 8 */
  concurrency: count(1, 64).default(8),
  /** The largest download, in bytes. @default 536870912 */
  maxDownloadBytes: count(1, 2 ** 40).default(512 * 1024 ** 2),
});
