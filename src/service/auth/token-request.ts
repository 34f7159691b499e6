import { z } from 'zod';
import { problemsIn } from '../../errors/wording.ts';
import type { Reader } from '../http/receive-answer.ts';
import { sendJson, type WireRequest } from '../http/service-context.ts';
import { headerToken } from '../requests.ts';
import type { ResolvedServiceOptions } from '../service-options.ts';

/** The grant's parameters, without the client's (sections 5.2 to 5.4). */
export type Grant =
  | {
      readonly grant_type: 'authorization_code';
      readonly code: string;
      readonly redirect_uri: string;
    }
  | { readonly grant_type: 'refresh_token'; readonly refresh_token: string }
  | {
      readonly grant_type: 'password';
      readonly username: string;
      readonly password: string;
      readonly state?: string;
    };

/** A token request (sections 5.2 to 5.4), with parameters in the interface's order. */
export function tokenRequest(options: ResolvedServiceOptions, grant: Grant): WireRequest {
  const { clientId, clientSecret, tokenEncoding: encoding } = options;
  const url = `${options.accountsUrl ?? options.baseUrl}${options.tokenPath}`;
  const { grant_type, ...granted } = grant;
  const { code, ...rest }: Record<string, string> = granted;
  const parameters: Record<string, string> = {
    grant_type,
    ...(code !== undefined && { code }),
    ...(encoding !== 'basic' && { client_id: clientId, client_secret: clientSecret }),
    ...rest,
  };
  const form = new URLSearchParams(parameters).toString();
  const accept = 'application/json';
  if (encoding === 'query') {
    return { method: 'POST', url: `${url}?${form}`, headers: { accept } };
  }
  if (encoding === 'json') return sendJson('POST', url, parameters);
  // Each part form-encoded, as RFC 6749 says in 2.3.1.
  const client = new URLSearchParams([[clientId, clientSecret]]).toString().replace('=', ':');
  const authorization = `Basic ${Buffer.from(client).toString('base64')}`;
  const type = { accept, 'content-type': 'application/x-www-form-urlencoded' };
  const headers = { ...type, ...(encoding === 'basic' && { authorization }) };
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
