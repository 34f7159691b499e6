import * as z from 'zod';
import { show } from '../errors/wording.ts';

export const url = z
  .url({ protocol: /^https?$/, error: 'expected an absolute http or https URL' })
  .refine((value) => !value.includes('@'), { error: 'expected a URL without credentials' })
  .refine((value) => !/[?#]/.test(value), { error: 'expected a URL without ? and #' })
  .transform((value) => new URL(value))
  .transform((address) => `${address.origin}${address.pathname.replace(/\/+$/, '')}`);

/**
 * Whether a message may show a URL: it contains only a host and a path. In a mistyped URL, a password
 * can end up in another part than a parser expects: `https://user:1234` has it as the port.
 */
export function isPlainAddress(value: string): boolean {
  return /^(\w+:\/\/)?[\w.-]*(\/[^@?#:]*)?$/.test(value);
}

export const text = z.string({ error: 'expected a string' }).min(1, { error: 'expected a string' });

export const days = z.number({ error: 'expected a number of days' }).min(0).max(3650);

export const redisUrl = z
  .string({ error: 'expected a string' })
  .refine(
    (value) =>
      /^rediss?:\/\/([^/?#%]|%[\da-f]{2})+(\/\d*)?([?#][^@]*)?$/i.test(value) &&
      URL.canParse(value),
    {
      error:
        "expected a Redis URL such as 'redis://localhost:6379' or 'rediss://user:password@redis.example/0', with each %, /, ? and # in a password written as %25, %2F, %3F and %23",
    },
  );

const fieldName = z.string().regex(/^[^\p{C}]{1,100}$/u, 'expected a field name');

const uploadFieldNames = z
  .strictObject(
    {
      filename: fieldName.default('filename'),
      size: fieldName.default('size'),
      folder: fieldName.default('folder'),
    },
    { error: "expected { filename, size, folder }, or a string such as 'title,bytes,parent'" },
  )
  .refine((names) => new Set(Object.values(names)).size === 3, 'expected three different names');

/** The names of an upload's metadata, or a text for a variable: all three, in this order. */
export const uploadFields = z.preprocess((value: string | z.input<typeof uploadFieldNames>) => {
  const [filename, size, folder, ...more] = typeof value === 'string' ? value.split(',') : [];
  return folder && more.length === 0 ? { filename, size, folder } : value;
}, uploadFieldNames);

export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: `expected one of ${values.map((v) => `'${v}'`).join(', ')}` });
}

export function count(least: number, most: number) {
  const error = `expected a whole number from ${least} to ${most}`;
  return z.int({ error }).min(least, { error }).max(most, { error });
}

export function functionOf<T>(error: string) {
  return z.custom<T>((value) => typeof value === 'function', { error });
}

export type Group = Record<string, unknown>;

export function isGroup(value: unknown): value is Group {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Options whose value is never shown, even if it's invalid. */
const secrets = new Set([
  ...['clientSecret', 'refreshToken', 'password', 'accessToken', 'tokenStore', 'tokenKey'].map(
    (name) => `service.${name}`,
  ),
  ...['report.store', 'report.store.redis'],
]);

/** Options whose value is shown only if it's a plain URL. */
const addresses = new Set(['service.baseUrl', 'service.accountsUrl', 'service.authUrl']);

interface ReadOptions {
  /** The options with environment variables filled in. */
  readonly merged: unknown;
  /** The variable that each such option came from, by the option's path. */
  readonly origins: ReadonlyMap<string, string>;
  /** The option names of each group; those without a group under `''`. */
  readonly known: Readonly<Record<string, readonly string[]>>;
}

/** Turns an issue into problems: the option's path, what was expected and what was received. */
export function toProblems(
  issue: z.core.$ZodIssue,
  { merged, origins, known }: ReadOptions,
): string[] {
  const path = issue.path.join('.');
  const name = origins.get(path) ?? (path || 'mediaAsset()');
  if (issue.code === 'unrecognized_keys') {
    const names = known[path];
    const valid = names ? `. Valid options: ${names.join(', ')}` : '';
    return issue.keys.map((key) => `${path ? `${path}.` : ''}${key}: unknown option${valid}`);
  }
  const value = valueAt(merged, issue.path);
  const isSecret = secrets.has(path) || (addresses.has(path) && !isPlainAddress(String(value)));
  const received = isSecret ? 'a hidden value' : show(value);
  return [`${name}: ${issue.message}, received ${received}`];
}

export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((current, key) => Reflect.get(Object(current), key), value);
}
