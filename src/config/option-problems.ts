import type * as z from 'zod';
import { isPlainAddress } from './option-values.ts';

/** Options whose value is never shown, even if it's invalid. */
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
  const name = origins.get(path) ?? (path || 'mediaAssets()');
  if (issue.code === 'unrecognized_keys') {
    const names = known[path.replace(/^presets\..*/, 'presets.*')];
    const valid = names ? `. Valid options: ${names.join(', ')}` : '';
    return issue.keys.map((key) => `${path ? `${path}.` : ''}${key}: unknown option${valid}`);
  }
  const value = at(merged, issue.path);
  const received = isSecret(path, value) ? 'a hidden value' : show(value);
  return [`${name}: ${issue.message}, received ${received}`];
}

function isSecret(path: string, value: unknown): boolean {
  return secrets.has(path) || (addresses.has(path) && !isPlainAddress(String(value)));
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
