import { z } from 'zod';
import { problemsIn } from '../../errors/wording.ts';
import type { Reader } from '../http/receive-answer.ts';
import { sendJson, type WireRequest } from '../http/service-context.ts';
import { headerToken, type TokenEncoding } from '../requests.ts';

/** The grant's parameters, without the client's (sections 5.2 to 5.4). */
export type Grant =
  | {
      readonly grant_type: 'authorization_code';
      readonly code: string;
      readonly redirect_uri: string;
    }
  | { readonly grant_type: 'refresh_token'; readonly refresh_token: string }
  | { readonly grant_type: 'password'; readonly username: string; readonly password: string };

/**
 * How long a token request in progress may take after its last caller gave up, in ms. Its answer
 * may hold the only refresh token that still works.
 */
export const tokenGrace = 5000;

/** A token request (sections 5.2 to 5.4), with parameters in the interface's order. */
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
  const form = new URLSearchParams(parameters).toString();
  const accept = 'application/json';
  if (token.encoding === 'query') {
    return { method: 'POST', url: `${url}?${form}`, headers: { accept } };
  }
  if (token.encoding === 'json') return sendJson('POST', url, parameters);
  const headers = { accept, 'content-type': 'application/x-www-form-urlencoded' };
  return { method: 'POST', url, headers, body: form };
}

const token = z
  .object(
    {
      access_token: headerToken,
      refresh_token: z.string().nullish(),
      token_type: z
        .string()
        .regex(/^bearer$/i, 'expected Bearer')
        .nullish(),
      expires_in: z.coerce.number().positive().optional().catch(undefined),
    },
    'expected JSON with an access_token',
  )
  .transform(({ access_token, refresh_token, expires_in }) => ({
    accessToken: access_token,
    refreshToken: refresh_token || undefined,
    /** In ms; `undefined` if the service doesn't say. */
    lifetime: expires_in && expires_in * 1000,
  }));

export type Token = z.output<typeof token>;

/** Reads the answer to a token request. Problems name fields, never values. */
export const readTokenAnswer: Reader<Token> = (json) => {
  const { data, error } = token.safeParse(json);
  return data ? { value: data } : { problem: problemsIn(error, 'the answer').join('; ') };
};
