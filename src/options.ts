import leven from 'leven';
import * as z from 'zod';
import { mediaAssetError } from './errors.ts';

const credentialsInUrl = 'expected an address without credentials';

const url = z
  .url({ protocol: /^https?$/, error: 'expected an absolute http or https URL' })
  .refine((value) => !/^\w+:\/\/[^/?#]*@/.test(value), { error: credentialsInUrl })
  .refine((value) => !/[?#]/.test(value), { error: 'expected an address without ? and #' })
  .transform((value) => value.replace(/\/+$/, ''));
const text = z.string({ error: 'expected a text' }).min(1, { error: 'expected a text' });
const days = z.number({ error: 'expected a number of days' }).min(0).max(3650);

function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: `expected one of ${values.map((v) => `'${v}'`).join(', ')}` });
}

function count(least: number, most: number) {
  const error = `expected a whole number from ${least} to ${most}`;
  return z.int({ error }).min(least, { error }).max(most, { error });
}

/** What the ledger's store needs of an unstorage `Storage`. */
export interface KeyValueStorage {
  getItem(key: string): Promise<unknown>;
  setItem(key: string, value: string): Promise<void>;
  removeItem(key: string): Promise<void>;
}

const redisUrl = z
  .string({ error: 'expected a text' })
  .refine((value) => /^rediss?:\/\//.test(value) && URL.canParse(value) && hasDatabase(value), {
    error: "expected an address such as 'redis://localhost:6379' or 'rediss://redis.example/0'",
  });
const storeSchema = z.union(
  [
    z.strictObject({ file: text }),
    z.strictObject({ redis: redisUrl }),
    z.custom<KeyValueStorage>(isStorage),
  ],
  { error: 'expected { file: … }, { redis: … } or a storage of unstorage' },
);

const tokenStore = text.refine(
  (value) =>
    !/^[a-z]{2,}:\/\//i.test(value) || /^file:/i.test(value) || redisUrl.safeParse(value).success,
  { error: 'expected an address of Redis, or the path of a file' },
);

const when = oneOf(['production', 'deploy', 'always', 'never']);

const serviceSchema = z.strictObject({
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
  /** From `MEDIA_ASSET_REFRESH_TOKEN`. One of refresh token, user name + password, access token. */
  refreshToken: text.optional(),
  /** From `MEDIA_ASSET_USERNAME`. */
  username: text.optional(),
  /** From `MEDIA_ASSET_PASSWORD`. */
  password: text.optional(),
  /** From `MEDIA_ASSET_ACCESS_TOKEN`. It is used as it is, and not renewed. */
  accessToken: text.optional(),
  /**
   * Where tokens are kept: those of `media-asset login`, and a refresh token that the service
   * replaces. An address of Redis (needs the package redis) or a file, encrypted with `tokenKey`, for
   * machines that share them. From `MEDIA_ASSET_TOKEN_STORE`.
   * @default a file in the user's config folder; in CI nothing
   */
  tokenStore: tokenStore.optional(),
  /** What tokens are encrypted with in that store, 16 characters or more. From `MEDIA_ASSET_TOKEN_KEY`. */
  tokenKey: z
    .string({ error: 'expected a text' })
    .min(16, { error: 'expected at least 16 characters' })
    .optional(),
  /** How a token request is written. @default 'form' */
  tokenEncoding: oneOf(['form', 'json', 'query']).default('form'),
  /**
   * What the service answers a download with: its bytes, or JSON that holds their address.
   * @default 'bytes'
   */
  downloads: oneOf(['bytes', 'url']).default('bytes'),
  /** Requests under way at once. @default 8 */
  concurrency: count(1, 64).default(8),
  /** The largest download, in bytes. @default 536870912 */
  maxDownloadBytes: count(1, 2 ** 40).default(512 * 1024 ** 2),
});

const reportSchema = z.strictObject({
  /**
   * When a build reports: on positive proof of a production build, after the deploy by
   * `media-asset report`, with every build, or not at all. From `MEDIA_ASSET_REPORT`.
   * @default 'production'
   */
  when: when.default('production'),
  /** The name of the project in the service. From `MEDIA_ASSET_PROJECT`. @default the site's host */
  project: text.optional(),
  /** The person responsible. From `MEDIA_ASSET_CONTACT`. @default the project */
  contact: text.optional(),
  /** Information about the usage. @default '' */
  description: z.string({ error: 'expected a text' }).default(''),
  /** Globs of page paths whose usages are not reported, such as `/drafts/**`. @default [] */
  exclude: z.array(text, { error: 'expected a list of globs' }).default([]),
  /** The branch whose builds are production builds, where the host does not say it. */
  productionBranch: text.optional(),
  /** Whether a build fails when the service cannot be reached for reporting. @default 'warn' */
  onError: oneOf(['warn', 'fail']).default('warn'),
  /** Days that usages may stay unsent before a build fails. @default 7 */
  maxUnsent: days.default(7),
  /**
   * Where the ledger is kept between builds: `{ file: '<path>' }`, `{ redis: 'redis://…' }` (needs the
   * package redis) or a storage of unstorage. From `MEDIA_ASSET_STATE_URL`, an address of Redis; keep
   * one with a password out of the config file.
   * @default a file in `.media-asset`
   */
  store: storeSchema.optional(),
  /** Seconds that a run may take; what is left is kept for the next one. @default no limit */
  timeLimit: count(1, 86_400).optional(),
  /** A file for the plan as Markdown, such as for a comment on a pull request. */
  markdown: text.optional(),
  /** Ids in one usage request. @default 100 */
  maxIdsPerRequest: count(1, 10_000).default(100),
});

/** The query of a custom format, in the order in which it is sent. */
export type CustomFormat = (crop: {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}) => Record<string, string | number>;

const optionsSchema = z.strictObject({
  /** The Media Asset Service and the credentials. All of it can come from the environment. */
  service: z.preprocess((value) => value ?? {}, serviceSchema),
  /**
   * `static`: the build downloads and the site serves. `service`: pages carry the service's own
   * download addresses, for gateways that answer visitors without a token.
   * @default 'static'
   */
  delivery: oneOf(['static', 'service']).default('static'),
  /**
   * Who cuts a crop: the service (its custom format), or this machine, from the original.
   * @default 'service' in builds, 'local' in dev
   */
  crops: oneOf(['service', 'local']).optional(),
  /**
   * The query of a crop's custom format. `size`: `x1`, `y1`, and the crop's size as `w`, `h`.
   * `corners`, for services that take `w` and `h` as the size of the answer: also `x2`, `y2` (the
   * first pixels outside) and the crop's size as `sw`, `sh`. Or a function of the site's own.
   * @default 'size'
   */
  customFormat: z
    .union([z.enum(['size', 'corners']), z.custom<CustomFormat>(isFunction)], {
      error: "expected 'size', 'corners' or a function",
    })
    .default('size'),
  /** What a build does with an asset that the service refuses. @default 'fail' */
  unavailable: oneOf(['fail', 'warn']).default('fail'),
  /** Days that a cached asset may be published while the service cannot be reached. @default 7 */
  maxStale: days.default(7),
  /** Reporting usages: when, or an object with all of it. @default 'production' */
  report: z.preprocess(
    (value) => (typeof value === 'string' ? { when: value } : (value ?? {})),
    reportSchema,
  ),
});

/** All that a site can configure. */
export interface MediaAssetsOptions
  extends Omit<z.input<typeof optionsSchema>, 'service' | 'report'> {
  service?: z.input<typeof serviceSchema>;
  report?: z.input<typeof when> | z.input<typeof reportSchema>;
}

/** The options with environment and defaults filled in. */
export type ResolvedOptions = z.output<typeof optionsSchema>;

/** What a client of the service is made of: `openMediaService` takes it. */
export interface ServiceSettings {
  readonly baseUrl: string;
  readonly accountsUrl: string | undefined;
  readonly authUrl: string | undefined;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly credentials:
    | { readonly kind: 'password'; readonly username: string; readonly password: string }
    | { readonly kind: 'refresh-token'; readonly refreshToken: string }
    | { readonly kind: 'access-token'; readonly accessToken: string }
    /** Of `media-asset login`. */
    | { readonly kind: 'authorization-code' };
  readonly tokens: { readonly location: string | undefined; readonly key: string | undefined };
  readonly tokenEncoding: 'form' | 'json' | 'query';
  readonly downloads: 'bytes' | 'url';
  readonly concurrency: number;
  readonly maxDownloadBytes: number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Each variable, and the option that it fills where the option is not given. */
const variables = {
  MEDIA_ASSET_BASE_URL: 'service.baseUrl',
  MEDIA_ASSET_ACCOUNTS_URL: 'service.accountsUrl',
  MEDIA_ASSET_AUTH_URL: 'service.authUrl',
  MEDIA_ASSET_CLIENT_ID: 'service.clientId',
  MEDIA_ASSET_CLIENT_SECRET: 'service.clientSecret',
  MEDIA_ASSET_REFRESH_TOKEN: 'service.refreshToken',
  MEDIA_ASSET_USERNAME: 'service.username',
  MEDIA_ASSET_PASSWORD: 'service.password',
  MEDIA_ASSET_ACCESS_TOKEN: 'service.accessToken',
  MEDIA_ASSET_TOKEN_STORE: 'service.tokenStore',
  MEDIA_ASSET_TOKEN_KEY: 'service.tokenKey',
  MEDIA_ASSET_REPORT: 'report.when',
  MEDIA_ASSET_PROJECT: 'report.project',
  MEDIA_ASSET_CONTACT: 'report.contact',
  MEDIA_ASSET_STATE_URL: 'report.store.redis',
} as const;

/** Options whose value is never shown, not even when it is wrong. */
const secrets = new Set([
  'service.clientSecret',
  'service.refreshToken',
  'service.password',
  'service.accessToken',
  'service.tokenStore',
  'service.tokenKey',
  'report.store',
  'report.store.redis',
]);

/**
 * Options, then environment, then defaults. The input is not changed.
 *
 * @throws `options-invalid` with every problem: its dotted path (or the variable that it came
 * from), what was expected and what was received.
 */
export function resolveOptions(input: unknown, environment: Environment): ResolvedOptions {
  const { merged, origins } = withEnvironment(input, environment);
  const result = optionsSchema.safeParse(merged);
  if (result.success) return result.data;
  throw mediaAssetError('options-invalid', {
    problems: result.error.issues.flatMap((issue) => toProblems(issue, merged, origins)),
  });
}

/**
 * What the client needs of the options. Without credentials they are those of a sign-in.
 *
 * @throws `service-not-configured`, naming all that is missing.
 */
export function serviceSettings({ service }: ResolvedOptions): ServiceSettings {
  const { baseUrl, clientId, clientSecret, username, password, refreshToken, accessToken } =
    service;
  const missing = missingSettings(service);
  if (!baseUrl || missing.length > 0) throw mediaAssetError('service-not-configured', { missing });
  return {
    baseUrl,
    accountsUrl: service.accountsUrl,
    authUrl: service.authUrl,
    clientId: clientId ?? '',
    clientSecret: clientSecret ?? '',
    credentials: accessToken
      ? { kind: 'access-token', accessToken }
      : refreshToken
        ? { kind: 'refresh-token', refreshToken }
        : username && password
          ? { kind: 'password', username, password }
          : { kind: 'authorization-code' },
    tokens: { location: service.tokenStore, key: service.tokenKey },
    tokenEncoding: service.tokenEncoding,
    downloads: service.downloads,
    concurrency: service.concurrency,
    maxDownloadBytes: service.maxDownloadBytes,
  };
}

/** What a service is not reached without, by its options and variables; sign-in needs the others. */
export function missingSettings({
  baseUrl,
  clientId,
  clientSecret,
  username,
  password,
  refreshToken,
  accessToken,
}: ResolvedOptions['service']): string[] {
  const needed: [name: string, isMissing: boolean][] = [
    ['service.baseUrl (MEDIA_ASSET_BASE_URL)', !baseUrl],
    ['service.clientId (MEDIA_ASSET_CLIENT_ID)', !accessToken && !clientId],
    ['service.clientSecret (MEDIA_ASSET_CLIENT_SECRET)', !accessToken && !clientSecret],
    ['service.username (MEDIA_ASSET_USERNAME)', !username && Boolean(password)],
    ['service.password (MEDIA_ASSET_PASSWORD)', Boolean(username) && !password],
  ];
  const missing = needed.filter(([, isMissing]) => isMissing).map(([name]) => name);
  const hasNone = !accessToken && !refreshToken && !username && !password;
  // Alone they are no mistake: somebody may have signed in.
  return missing.length > 0 && hasNone ? [...missing, credentials] : missing;
}

const credentials =
  'credentials (media-asset login, MEDIA_ASSET_REFRESH_TOKEN, or MEDIA_ASSET_USERNAME and MEDIA_ASSET_PASSWORD, or MEDIA_ASSET_ACCESS_TOKEN)';

type Group = Record<string, unknown>;

function withEnvironment(input: unknown, environment: Environment) {
  const origins = new Map<string, string>();
  if (input !== undefined && !isGroup(input)) return { merged: input, origins };
  const merged: Group = { ...input };
  if (typeof merged.report === 'string') merged.report = { when: merged.report };
  for (const [variable, path] of Object.entries(variables)) {
    const value = environment[variable];
    const [group, key, inner] = path.split('.') as [string, string, string?];
    const current = merged[group] ?? {};
    if (!value || !isGroup(current) || current[key] !== undefined) continue;
    merged[group] = { ...current, [key]: inner ? { [inner]: value } : value };
    origins.set(path, variable);
  }
  return { merged, origins };
}

function toProblems(
  issue: z.core.$ZodIssue,
  merged: unknown,
  origins: ReadonlyMap<string, string>,
): string[] {
  const path = issue.path.join('.');
  const name = origins.get(path) ?? (path || 'mediaAssets()');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(
      (key) => `${path ? `${path}.` : ''}${key}: there is no such option${meant(path, key)}`,
    );
  }
  const received = isSecret(path, issue.message)
    ? 'a value that is not shown'
    : show(at(merged, issue.path));
  return [`${name}: ${issue.message}, received ${received}`];
}

function isSecret(path: string, message: string): boolean {
  return secrets.has(path) || message === credentialsInUrl;
}

/** The option that somebody who wrote `key` in `group` meant, where one is near; rather one of that group. */
function meant(group: string, key: string): string {
  const near = Object.entries({ '': optionsSchema, service: serviceSchema, report: reportSchema })
    .sort(([one], [other]) => Number(other === group) - Number(one === group))
    .flatMap(([name, { shape }]) => Object.keys(shape).map((option) => [name, option] as const))
    .find(([, option]) => leven(option.toLowerCase(), key.toLowerCase()) <= 2);
  return near ? `; did you mean '${near.filter((name) => name !== '').join('.')}'?` : '';
}

function isStorage(value: unknown): boolean {
  const names = ['getItem', 'setItem', 'removeItem'];
  return isGroup(value) && names.every((name) => typeof value[name] === 'function');
}

/** Redis knows its databases by number. */
function hasDatabase(address: string): boolean {
  return /^\/?\d*$/.test(new URL(address).pathname);
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

function isGroup(value: unknown): value is Group {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (current, key) =>
      typeof current === 'object' && current !== null ? Reflect.get(current, key) : undefined,
    value,
  );
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
