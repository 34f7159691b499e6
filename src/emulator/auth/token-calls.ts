import type { Hono } from 'hono';
import type { CallContext, CallEnvironment, EmulatorState } from '../emulator-state.ts';
import type { EmulatorSettings } from '../settings.ts';
import { grantTypes } from '../settings-schema.ts';

/** The token call with its three grants (sections 5.2 to 5.5). */
export function addTokenCalls(app: Hono<CallEnvironment>, emulator: EmulatorState): void {
  const { settings, tokens, refreshTokens } = emulator;
  app.post('/1/oauth2/token', (c) => {
    const { clientId, clientSecret, tokenEncoding } = settings();
    const parameters = readTokenParameters(
      {
        query: new URL(c.req.url).searchParams,
        body: c.get('body'),
        contentType: c.req.header('Content-Type') ?? '',
      },
      tokenEncoding,
    );
    if (typeof parameters === 'string') return refuse(c, 'invalid_request', parameters);
    const client = clientOf(c, parameters);
    if (client.id !== clientId || client.secret !== clientSecret)
      return refuse(c, 'invalid_client', 'The client ID or client secret is wrong.');

    const granted = grantToken(parameters, emulator);
    if ('error' in granted) return refuse(c, granted.error, granted.description);
    const { token, expiresIn } = tokens.issue(granted.user);
    const refreshToken = refreshTokens.issue();
    const state = parameters.get('state');
    return c.json(
      {
        access_token: token,
        ...(refreshToken !== undefined && { refresh_token: refreshToken }),
        token_type: 'Bearer',
        ...lifetime(expiresIn, settings().expiresIn),
        ...(state !== undefined && { state }),
      },
      200,
      { 'Cache-Control': 'no-store' },
    );
  });
}

type Granted = { user: string } | { error: GrantError; description: string };

/** RFC 6749, 5.2. */
type GrantError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type';

type GrantType = (typeof grantTypes)[number];

/** Required parameters of each grant, except the client's (sections 5.2 to 5.4). */
const required: Readonly<Record<GrantType, readonly string[]>> = {
  authorization_code: ['code', 'redirect_uri'],
  refresh_token: ['refresh_token'],
  password: ['username', 'password'],
};

function grantToken(
  parameters: ReadonlyMap<string, string>,
  { settings, codes, refreshTokens }: EmulatorState,
): Granted {
  const { clientId, username, password, grants } = settings();
  const type = parameters.get('grant_type');
  if (type === undefined)
    return { error: 'invalid_request', description: 'grant_type is missing.' };
  if (!isGrantType(type)) {
    const description = `Use ${grantTypes.join(', ')}.`;
    return { error: 'unsupported_grant_type', description };
  }
  if (!grants.split(',').includes(type)) {
    const description = `This client may not use the grant ${type}.`;
    return { error: 'unauthorized_client', description };
  }
  const missing = required[type].filter((name) => !parameters.has(name));
  if (missing.length > 0)
    return { error: 'invalid_request', description: `${missing.join(', ')} missing.` };

  const value = (name: string): string => parameters.get(name) ?? '';
  const wrong = (description: string): Granted => ({ error: 'invalid_grant', description });
  switch (type) {
    case 'password':
      return value('username') === username && value('password') === password
        ? { user: username }
        : wrong('The user name or password is wrong.');
    case 'refresh_token':
      return refreshTokens.accept(value('refresh_token'))
        ? { user: username }
        : wrong('The refresh token is invalid or was already used.');
    case 'authorization_code': {
      const binding = { client: clientId, redirectUri: value('redirect_uri') };
      const user = codes.redeem(value('code'), binding);
      return user === undefined
        ? wrong('The code is invalid, used or expired, or belongs to another redirect_uri.')
        : { user };
    }
  }
}

function isGrantType(text: string): text is GrantType {
  return Object.hasOwn(required, text);
}

function lifetime(
  seconds: number,
  form: EmulatorSettings['expiresIn'],
): { expires_in?: number | string } {
  switch (form) {
    case 'number':
      return { expires_in: seconds };
    case 'text':
      return { expires_in: String(seconds) };
    case 'missing':
      return {};
  }
}

function clientOf(
  c: CallContext,
  parameters: Map<string, string>,
): { id?: string; secret?: string } {
  const basic = c.req.header('Authorization')?.match(/^Basic ([A-Za-z0-9+/=]+)$/i)?.[1];
  if (basic !== undefined) {
    const [id = '', ...secret] = Buffer.from(basic, 'base64').toString().split(':');
    return { id: decodeForm(id), secret: decodeForm(secret.join(':')) };
  }
  const id = parameters.get('client_id');
  const secret = parameters.get('client_secret');
  return { ...(id !== undefined && { id }), ...(secret !== undefined && { secret }) };
}

/** Decodes a part of Basic credentials, which are form-encoded (RFC 6749, 2.3.1). */
function decodeForm(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // Many clients skip the encoding.
    return text;
  }
}

/** RFC 6749, 5.2. */
function refuse(c: CallContext, error: GrantError, description: string): Response {
  return c.json({ error, error_description: description }, error === 'invalid_client' ? 401 : 400, {
    'Cache-Control': 'no-store',
    ...(error === 'invalid_client' && { 'WWW-Authenticate': 'Basic realm="emulator"' }),
  });
}

/** Reads the parameters, or returns a problem. Refuses any encoding other than `encoding`. */
function readTokenParameters(
  { query, body, contentType }: { query: URLSearchParams; body: Uint8Array; contentType: string },
  encoding: EmulatorSettings['tokenEncoding'],
): Map<string, string> | string {
  const kind = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const used = [
    ...(query.size > 0 ? ['query'] : []),
    ...(body.length > 0 ? [kind === 'application/json' ? 'json' : 'form'] : []),
  ];
  if (encoding !== 'any' && used.some((one) => one !== encoding))
    return `Send the parameters as ${encoding} only.`;
  const fields = readFields(body, kind);
  if (typeof fields === 'string') return fields;
  const parameters = new Map<string, string>();
  for (const [name, value] of [...query, ...fields]) {
    if (parameters.has(name)) return `${name} is given twice.`;
    parameters.set(name, value);
  }
  return parameters;
}

/** Form fields, or text fields of a JSON object. Section 5 leaves the encoding open. */
function readFields(body: Uint8Array, kind: string): [string, string][] | string {
  if (body.length === 0) return [];
  const text = new TextDecoder().decode(body);
  if (kind === '' || kind === 'application/x-www-form-urlencoded')
    return [...new URLSearchParams(text)];
  if (kind !== 'application/json') return 'The body must be a form or JSON.';
  const value = parseObject(text);
  if (value === undefined) return "The body isn't a JSON object.";
  const members = Object.entries(value);
  if (!members.every((member): member is [string, string] => typeof member[1] === 'string'))
    return 'The values of the JSON object must be strings.';
  return members;
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
