import { createMediaService, type MediaServiceOptions } from '../../../src/service/index.ts';

/** A client with this access token. */
export function tokenClient(
  baseUrl: string,
  accessToken: string,
  options: Partial<MediaServiceOptions> = {},
) {
  const credentials = { kind: 'access-token', accessToken } as const;
  return createMediaService({ baseUrl, credentials, ...options });
}
