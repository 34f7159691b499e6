import type { WireRequest } from './service-context.ts';

/** How the parameters of a token request travel; the interface does not say (section 5). */
export const tokenEncodings = ['form', 'json', 'query'] as const;
export type TokenEncoding = (typeof tokenEncodings)[number];

/** What a token is asked for with: the parameters of sections 5.2 to 5.4 beyond the client's. */
export type Grant =
  | {
      readonly grant_type: 'authorization_code';
      readonly code: string;
      readonly redirect_uri: string;
    }
  | { readonly grant_type: 'refresh_token'; readonly refresh_token: string }
  | { readonly grant_type: 'password'; readonly username: string; readonly password: string };

/**
 * How long a token request under way may still be answered once nobody waits for it, in ms: its
 * answer may hold the only refresh token that works from then on.
 */
export const tokenGrace = 5000;

/** The request for a token (sections 5.2 to 5.4), its parameters in the order of the interface. */
export function tokenRequest(token: {
  readonly accountsUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly grant: Grant;
  readonly encoding: TokenEncoding;
}): WireRequest {
  const { grant_type, ...granted } = token.grant;
  const { code, ...rest }: Record<string, string> = granted;
  const parameters: Record<string, string> = {
    grant_type,
    ...(code !== undefined && { code }),
    client_id: token.clientId,
    client_secret: token.clientSecret,
    ...rest,
  };
  const url = `${token.accountsUrl}/1/oauth2/token`;
  const accept = 'application/json';
  switch (token.encoding) {
    case 'form':
      return {
        method: 'POST',
        url,
        headers: { accept, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(parameters).toString(),
      };
    case 'json':
      return {
        method: 'POST',
        url,
        headers: { accept, 'content-type': 'application/json' },
        body: JSON.stringify(parameters),
      };
    case 'query':
      return {
        method: 'POST',
        url: `${url}?${new URLSearchParams(parameters)}`,
        headers: { accept },
      };
  }
}
