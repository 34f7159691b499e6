import { z } from 'zod';
import { uploadFields } from '../config/option-values.ts';
import { type Finding, mediaAssetError } from '../errors/errors.ts';
import { headerToken, tokenEncodings } from './auth/token-request.ts';
import type { TokenStore } from './auth/token-store.ts';
import { functionArgument } from './calls/check-argument.ts';
import type { Clock, Sleep } from './http/pauses.ts';
import { isLoopbackHost } from './http/public-address.ts';
import { defaultAttempts } from './http/retry-table.ts';
import type { ServiceContext } from './http/service-context.ts';

/** The longest time that a timer takes, in milliseconds. */
const longestTime = 2 ** 31 - 1;

const text = z.string().min(1);
const time = z.int().min(1).max(longestTime);
const bytes = z.int().min(1);

const address = z
  .url({ protocol: /^https?$/, error: 'expected an absolute http or https URL' })
  .refine((value) => !value.includes('@'), 'expected no credentials in it')
  .refine((value) => !/[?#]/.test(value), 'expected no query and no fragment')
  .transform((value) => new URL(value))
  .transform((url) => `${url.origin}${url.pathname.replace(/\/+$/, '')}`);

const credentials = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('password'), username: text, password: text }),
  z.strictObject({ kind: z.literal('refresh-token'), refreshToken: text }),
  z.strictObject({ kind: z.literal('access-token'), accessToken: headerToken }),
  // The tokens come from `signIn.exchangeCode()`, or from the token store.
  z.strictObject({ kind: z.literal('authorization-code') }),
  z.strictObject({ kind: z.literal('none') }),
]);

/** The kinds that sign in without a client id and its secret, or not at all. */
const withoutClient: readonly string[] = ['access-token', 'none'];

/** What a token is asked for with, or the token itself. */
export type Credentials = Readonly<z.output<typeof credentials>>;

const options = z
  .strictObject({
    /** The address of the API: https, or http on this machine. A path in it is kept. */
    baseUrl: address,
    /** The address of the token endpoint. @default the base URL */
    accountsUrl: address.optional(),
    /** The address of the host with the authorization page. @default the base URL */
    authUrl: address.optional(),
    /** May be empty with an access token, or without credentials. */
    clientId: z.string(),
    /** May be empty with an access token, or without credentials. */
    clientSecret: z.string(),
    /**
     * One of `{ kind: 'refresh-token', refreshToken }`, `{ kind: 'password', username, password }`,
     * `{ kind: 'access-token', accessToken }`, which is not renewed,
     * `{ kind: 'authorization-code' }`: the tokens of a sign-in, and `{ kind: 'none' }`: each call
     * throws `service-not-configured`.
     */
    credentials,
    /** How the parameters of a token request travel: `'form'`, `'json'` or `'query'`. @default 'form' */
    tokenEncoding: z.enum(tokenEncodings).default('form'),
    /**
     * What answers a download: its `'bytes'`, or JSON that holds their address (`'url'`). That one is
     * fetched under the rules of a redirect: to another host without the token, over https, to public hosts only.
     * @default 'bytes'
     */
    downloads: z.enum(['bytes', 'url']).default('bytes'),
    /** The names of an upload's metadata in its request. @default filename, size and folder */
    uploadFields: uploadFields.prefault({}),
    /** Calls under way at once. A download counts until its body is read or cancelled. @default 8 */
    concurrency: z.int().min(1).default(8),
    /** The time of one attempt, in ms; of a download's body, between two reads of it. @default 30000 */
    timeLimit: time.default(30_000),
    /** The time of a call with all its attempts, in ms; of a download, until its headers. @default 120000 */
    deadline: time.default(120_000),
    /** Attempts of one call, where the retry table allows more than one. @default 4 */
    attempts: z.int().min(1).default(defaultAttempts),
    /** The largest download, in bytes. @default 536870912 (512 MiB) */
    maxDownloadBytes: bytes.default(512 * 1024 ** 2),
    /** The largest answer that is no download, in bytes. @default 16777216 (16 MiB) */
    maxAnswerBytes: bytes.default(16 * 1024 ** 2),
    /** Keeps tokens: those of a sign-in, and the refresh token that replaces the configured one. */
    tokenStore: z
      .custom<TokenStore>(isTokenStore, 'expected a token store with read() and update()')
      .optional(),
    /** Told once of each thing that a person should know, such as a record that was skipped. @default a warning of Node's */
    onFinding: functionArgument<(finding: Finding) => void>(),
    /**
     * It looks up by itself the hosts that downloads are redirected to, after `lookup` has.
     * @default the global `fetch`
     */
    fetch: functionArgument<typeof fetch>(),
    /** Milliseconds since the epoch; durations are measured with it too. @default `Date.now`, and for durations a monotonic clock */
    clock: functionArgument<Clock>(),
    /** Waits between attempts. @default a timer */
    sleep: functionArgument<Sleep>(),
    /** A random number from 0 up to, but not including, 1. @default `Math.random` */
    random: functionArgument<() => number>(),
    /** All IP addresses of a host that a download is redirected to. @default the system's resolver */
    lookup: functionArgument<ServiceContext['lookup']>(),
  })
  .refine(({ credentials, clientId }) => clientId || withoutClient.includes(credentials.kind), {
    path: ['clientId'],
    error: 'expected a text',
  })
  .refine(
    ({ credentials, clientSecret }) => clientSecret || withoutClient.includes(credentials.kind),
    { path: ['clientSecret'], error: 'expected a text' },
  );

/** What `createMediaService` takes. */
export type MediaServiceOptions = Readonly<z.input<typeof options>>;

/** Throws `options-invalid` with every problem and none of the values, and `url-insecure`. */
export function readServiceOptions(input: MediaServiceOptions): z.output<typeof options> {
  const parsed = options.safeParse(input);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'createMediaService()'}: ${message}`,
    );
    throw mediaAssetError('options-invalid', { problems });
  }
  const { baseUrl, accountsUrl = baseUrl, authUrl = baseUrl } = parsed.data;
  for (const url of [baseUrl, accountsUrl, authUrl]) {
    const { protocol, hostname } = new URL(url);
    if (protocol !== 'https:' && !isLoopbackHost(hostname)) {
      throw mediaAssetError('url-insecure', { url });
    }
  }
  return parsed.data;
}

function isTokenStore(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return ['read', 'update'].every((name) => typeof Reflect.get(value, name) === 'function');
}
