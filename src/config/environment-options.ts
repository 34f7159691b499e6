import { type Group, isGroup } from './option-values.ts';

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

/** The options with the environment filled in, and the variable that each of these came from. */
export function withEnvironment(input: unknown, environment: Environment) {
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
