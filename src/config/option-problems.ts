import type * as z from 'zod';
import { isPlainAddress } from './option-values.ts';

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

/** Options whose value is shown if it's a plain address. */
const addresses = new Set(['service.baseUrl', 'service.accountsUrl', 'service.authUrl']);

interface ReadOptions {
  /** The options with the environment filled in. */
  readonly merged: unknown;
  /** The variables that options came from, by their paths. */
  readonly origins: ReadonlyMap<string, string>;
  /** The names of all options by their group; `''` for those without one. */
  readonly known: Readonly<Record<string, readonly string[]>>;
}

/** What an issue says to a person: the option's path, what was expected and what was received. */
export function toProblems(
  issue: z.core.$ZodIssue,
  { merged, origins, known }: ReadOptions,
): string[] {
  const path = issue.path.join('.');
  const name = origins.get(path) ?? (path || 'mediaAssets()');
  if (issue.code === 'unrecognized_keys') {
    const valid = known[path] ? `. Valid options: ${known[path].join(', ')}` : '';
    return issue.keys.map((key) => `${path ? `${path}.` : ''}${key}: unknown option${valid}`);
  }
  const value = at(merged, issue.path);
  const received = isSecret(path, value) ? 'a value that is not shown' : show(value);
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
