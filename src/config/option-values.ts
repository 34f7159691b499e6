import * as z from 'zod';

export const credentialsInUrl = 'expected an address without credentials';

export const url = z
  .url({ protocol: /^https?$/, error: 'expected an absolute http or https URL' })
  .refine((value) => !/^\w+:\/\/[^/?#]*@/.test(value), { error: credentialsInUrl })
  .refine((value) => !/[?#]/.test(value), { error: 'expected an address without ? and #' })
  .transform((value) => value.replace(/\/+$/, ''));

export const text = z.string({ error: 'expected a text' }).min(1, { error: 'expected a text' });

export const days = z.number({ error: 'expected a number of days' }).min(0).max(3650);

const credentialsUnreadable =
  'expected a user name and password with each % of theirs written as %25';

export const redisUrl = z
  .string({ error: 'expected a text' })
  .refine((value) => /^rediss?:\/\//.test(value) && URL.canParse(value) && hasDatabase(value), {
    error: "expected an address such as 'redis://localhost:6379' or 'rediss://redis.example/0'",
  })
  .refine(hasReadableCredentials, { error: credentialsUnreadable });

export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: `expected one of ${values.map((v) => `'${v}'`).join(', ')}` });
}

export function count(least: number, most: number) {
  const error = `expected a whole number from ${least} to ${most}`;
  return z.int({ error }).min(least, { error }).max(most, { error });
}

export type Group = Record<string, unknown>;

export function isGroup(value: unknown): value is Group {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Redis knows its databases by number. */
function hasDatabase(address: string): boolean {
  return /^\/?\d*$/.test(new URL(address).pathname);
}

/** Whether the user name and password of an address can be decoded, or it has none. */
function hasReadableCredentials(address: string): boolean {
  const { username = '', password = '' } = URL.parse(address) ?? {};
  try {
    decodeURIComponent(username);
    decodeURIComponent(password);
    return true;
  } catch {
    return false;
  }
}
