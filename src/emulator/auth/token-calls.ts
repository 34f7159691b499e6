import type { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { z } from 'zod';
import type { CallContext, CallEnvironment, EmulatorState } from '../emulator-state.ts';
import { tokenLifetime } from './tokens.ts';

/** The token call with its three grants (sections 5.2 to 5.5). */
export function addTokenCalls(app: Hono<CallEnvironment>, emulator: EmulatorState): void {
  const { settings, tokens } = emulator;
  const methods = settings.strict ? ['POST'] : ['GET', 'POST'];
  const paths = ['/1/oauth2/token', ...(settings.strict ? [] : ['/oauth2/token'])];
  app.on(methods, paths, (c) => {
    const parameters = readTokenParameters(c);
    const isClient =
      parameters.get('client_id') === settings.clientId &&
      parameters.get('client_secret') === settings.clientSecret;
    if (!isClient)
      throw new TokenError('invalid_client', 'The client ID or client secret is wrong.');

    const user = grantToken(parameters, emulator);
    const state = parameters.get('state');
    const answer = {
      access_token: tokens.issue(user),
      refresh_token: settings.refreshToken,
      token_type: 'Bearer',
      expires_in: tokenLifetime,
      ...(state !== undefined && { state }),
    };
    return c.json(answer, 200, { 'Cache-Control': 'no-store' });
  });
}

/** An error answer of the token call (RFC 6749, 5.2). */
class TokenError extends HTTPException {
  constructor(error: string, error_description: string) {
    const status = error === 'invalid_client' ? 401 : 400;
    const headers = { 'Cache-Control': 'no-store' };
    super(status, { res: Response.json({ error, error_description }, { status, headers }) });
  }
}

/** Required parameters of each grant, except the client's (sections 5.2 to 5.4). */
const required = new Map([
  ['authorization_code', ['code', 'redirect_uri']],
  ['refresh_token', ['refresh_token']],
  ['password', ['username', 'password']],
]);

/** The user who gets the token. */
function grantToken(
  parameters: ReadonlyMap<string, string>,
  { settings, codes }: EmulatorState,
): string {
  const { clientId, username, password, refreshToken } = settings;
  const type = parameters.get('grant_type');
  if (type === undefined) throw new TokenError('invalid_request', 'grant_type is missing.');
  const needed = required.get(type);
  if (needed === undefined)
    throw new TokenError('unsupported_grant_type', `Use ${[...required.keys()].join(', ')}.`);
  const missing = needed.filter((name) => !parameters.has(name));
  if (missing.length > 0) throw new TokenError('invalid_request', `${missing.join(', ')} missing.`);

  const value = (name: string): string => parameters.get(name) ?? '';
  if (type === 'password') {
    if (value('username') === username && value('password') === password) return username;
    throw new TokenError('invalid_grant', 'The user name or password is wrong.');
  }
  if (type === 'refresh_token') {
    if (value('refresh_token') === refreshToken) return username;
    throw new TokenError('invalid_grant', 'The refresh token is invalid or was already used.');
  }
  const binding = { client: clientId, redirectUri: value('redirect_uri') };
  const user = codes.redeem(value('code'), binding);
  if (user !== undefined) return user;
  const problem = 'The code is invalid, used or expired, or belongs to another redirect_uri.';
  throw new TokenError('invalid_grant', problem);
}

/** Reads the parameters from the query, the body and Basic authentication. Throws TokenError. */
export function readTokenParameters(c: CallContext): Map<string, string> {
  const query = new URL(c.req.url).searchParams;
  const kind = (c.req.header('Content-Type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const fields = readFields(c.get('body'), kind);
  const parameters = new Map<string, string>();
  const client = readBasic(c.req.header('Authorization'));
  for (const [name, value] of [...query, ...client, ...fields]) {
    if (parameters.has(name)) throw new TokenError('invalid_request', `${name} is given twice.`);
    parameters.set(name, value);
  }
  return parameters;
}

/** The client of Basic authentication, form-encoded (RFC 6749, 2.3.1). */
function readBasic(header = ''): Iterable<[string, string]> {
  const [, encoded] = /^Basic ([\w+/=]+)$/i.exec(header) ?? [];
  if (encoded === undefined) return [];
  const [, id = '', secret = ''] = /^([^:]*):(.*)$/s.exec(atob(encoded)) ?? [];
  return new URLSearchParams(`client_id=${id}&client_secret=${secret}`);
}

/** Form fields, or text fields of a JSON object. Section 5 leaves the encoding open. */
function readFields(body: Uint8Array, kind: string): [string, string][] {
  if (body.length === 0) return [];
  const text = new TextDecoder().decode(body);
  if (kind === '' || kind === 'application/x-www-form-urlencoded')
    return [...new URLSearchParams(text)];
  if (kind !== 'application/json')
    throw new TokenError('invalid_request', 'The body must be a form or JSON.');
  try {
    return Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(text)));
  } catch {
    throw new TokenError('invalid_request', "The body isn't a JSON object of strings.");
  }
}
