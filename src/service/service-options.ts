import { z } from 'zod';
import { url, valueAt } from '../config/option-values.ts';
import { clientSettings } from '../config/service-settings.ts';
import { type Finding, mediaAssetError } from '../errors/errors.ts';
import { problemsIn } from '../errors/wording.ts';
import type { TokenStore } from './auth/token-store.ts';
import { functionArgument } from './calls/check-argument.ts';
import { isLoopbackHost, type Lookup } from './http/addresses.ts';
import type { Clock, Sleep } from './http/timing.ts';
import { headerToken } from './requests.ts';

/** Node's limit for timers, in ms. */
const maxTimer = 2 ** 31 - 1;

const text = z.string().min(1);
const time = z.int().min(1).max(maxTimer);

const credentials = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('password'),
    username: text,
    password: text,
    /** A value of the client's own, which the service returns (section 5.4). */
    state: text.exactOptional(),
  }),
  z.strictObject({ kind: z.literal('refresh-token'), refreshToken: text }),
  z.strictObject({ kind: z.literal('access-token'), accessToken: headerToken }),
  // Tokens come from `signIn.exchangeCode()` or the token store.
  z.strictObject({ kind: z.literal('authorization-code') }),
  z.strictObject({ kind: z.literal('none') }),
]);

/** Credentials that need no client ID or secret. */
const withoutClient: readonly string[] = ['access-token', 'none'];

/** The credentials to request a token with, or an access token. */
export type Credentials = Readonly<z.output<typeof credentials>>;

const options = z
  .strictObject({
    /** Base URL of the API. Must be https, except on this machine. May have a path. */
    baseUrl: url,
    ...clientSettings.shape,
    /** Not needed for the kinds `access-token` and `none`. */
    clientId: z.string().default(''),
    /** Not needed for the kinds `access-token` and `none`. */
    clientSecret: z.string().default(''),
    /**
     * How to sign in: `{ kind: 'refresh-token', refreshToken }`,
     * `{ kind: 'password', username, password, state }` (`state` is optional), `{ kind: 'access-token', accessToken }` (never
     * renewed), `{ kind: 'authorization-code' }` or `{ kind: 'none' }` (every call throws
     * `service-not-configured`).
     */
    credentials,
    /** Time limit per attempt, in ms. For a download's body: per read. @default 30000 */
    timeLimit: time.default(30_000),
    /**
     * Time limit per call including retries, in ms. For a download: until its headers arrive.
     * @default 120000
     */
    deadline: time.default(120_000),
    /** Maximum number of attempts for calls that can be retried. @default 4 */
    attempts: z.int().min(1).default(4),
    /** Time limit for a download's body, in ms. @default 1800000 (30 minutes) */
    downloadTimeLimit: time.default(30 * 60_000),
    /** Maximum size of any other answer, in bytes. @default 16777216 (16 MiB) */
    maxAnswerBytes: z
      .int()
      .min(1)
      .default(16 * 1024 ** 2),
    /** Stores the tokens of a sign-in, and replaced refresh tokens. */
    tokenStore: z
      .custom<TokenStore>(
        (value) => ['read', 'update'].every((name) => typeof valueAt(value, [name]) === 'function'),
        'expected a token store with read() and update()',
      )
      .optional(),
    /** Receives warnings, each once, such as a skipped record. @default a Node.js warning */
    onFinding: functionArgument<(finding: Finding) => void>(),
    /**
     * A custom `fetch`. It resolves hosts itself, after `lookup` has checked a redirect.
     * @default requests of `node:http`
     */
    fetch: functionArgument<typeof fetch>(),
    /**
     * Returns ms since the epoch. Also measures durations.
     * @default `Date.now`, and a monotonic clock for durations
     */
    clock: functionArgument<Clock>(),
    /** Waits between attempts, in ms. @default a timer */
    sleep: functionArgument<Sleep>(),
    /** Returns a random number from 0 up to, but not including, 1. @default `Math.random` */
    random: functionArgument<() => number>(),
    /** Returns all IP addresses of a redirect's host. @default the system's resolver */
    lookup: functionArgument<Lookup>(),
  })
  .refine(
    ({ credentials: { kind }, clientId, clientSecret }) =>
      (clientId && clientSecret) || withoutClient.includes(kind),
    { path: ['credentials'], error: 'expected them with clientId and clientSecret' },
  );

/** The options of `createMediaService`. */
export type MediaServiceOptions = Readonly<z.input<typeof options>>;
export type ResolvedServiceOptions = Readonly<z.output<typeof options>>;
export type TokenEncoding = ResolvedServiceOptions['tokenEncoding'];

/** Throws `options-invalid` with every problem, but no values. */
export function readServiceOptions(input: MediaServiceOptions): ResolvedServiceOptions {
  const parsed = options.safeParse(input);
  if (!parsed.success) {
    const problems = problemsIn(parsed.error, 'createMediaService()');
    throw mediaAssetError('options-invalid', { problems });
  }
  const { baseUrl, accountsUrl = baseUrl, authUrl = baseUrl } = parsed.data;
  for (const url of [baseUrl, accountsUrl, authUrl]) {
    const { protocol, hostname } = new URL(url);
    if (protocol === 'https:' || isLoopbackHost(hostname)) continue;
    const problems = [`${url}: expected an https URL (http only for this machine)`];
    throw mediaAssetError('options-invalid', { problems });
  }
  return parsed.data;
}
