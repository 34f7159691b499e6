import type { Hono } from 'hono';
import type { Call, CallEnvironment, EmulatorState } from './emulator-state.ts';
import type { EmulatorSettings } from './settings.ts';

/** The token call, sections 5.3 to 5.5: grants `password` and `refresh_token`. */
export function addTokenCalls(
  app: Hono<CallEnvironment>,
  { settings: current, tokens }: EmulatorState,
): void {
  app.post('/1/oauth2/token', (c) => {
    const settings = current();
    const parameters = readParameters(c);
    if (typeof parameters === 'string') return refuse(c, 'invalid_request', parameters);
    const client = clientOf(c, parameters);
    if (client.id !== settings.clientId || client.secret !== settings.clientSecret)
      return refuse(c, 'invalid_client', 'The client id or its secret is wrong.');

    const granted = grant(parameters, settings);
    if ('error' in granted) return refuse(c, granted.error, granted.description);
    const { token, expiresIn } = tokens.issue(granted.user);
    const state = parameters.get('state');
    return c.json(
      {
        access_token: token,
        refresh_token: settings.refreshToken,
        token_type: 'Bearer',
        expires_in: expiresIn,
        ...(state !== undefined && { state }),
      },
      200,
      { 'Cache-Control': 'no-store' },
    );
  });
}

type Grant = { user: string } | { error: OAuthError; description: string };

type OAuthError = 'invalid_request' | 'invalid_client' | 'invalid_grant' | 'unsupported_grant_type';

function grant(parameters: Map<string, string>, settings: EmulatorSettings): Grant {
  const type = parameters.get('grant_type');
  const required = type === 'password' ? ['username', 'password'] : ['refresh_token'];
  if (type === undefined)
    return { error: 'invalid_request', description: 'grant_type is missing.' };
  if (type !== 'password' && type !== 'refresh_token')
    return { error: 'unsupported_grant_type', description: 'Use password or refresh_token.' };
  const missing = required.filter((name) => !parameters.has(name));
  if (missing.length > 0)
    return { error: 'invalid_request', description: `${missing.join(', ')} missing.` };

  const right =
    type === 'password'
      ? parameters.get('username') === settings.username &&
        parameters.get('password') === settings.password
      : parameters.get('refresh_token') === settings.refreshToken;
  if (right) return { user: settings.username };
  return {
    error: 'invalid_grant',
    description:
      type === 'password' ? 'The user or the password is wrong.' : 'The refresh token is wrong.',
  };
}

/** The parameters from query and body, or what is wrong with them. */
function readParameters(c: Call): Map<string, string> | string {
  const parameters = new Map<string, string>();
  const body = readBody(c.get('body'), c.req.header('Content-Type') ?? '');
  if (typeof body === 'string') return body;
  for (const [name, value] of [...new URL(c.req.url).searchParams, ...body]) {
    if (parameters.has(name)) return `${name} is given twice.`;
    parameters.set(name, value);
  }
  return parameters;
}

/** Form fields or the text members of a JSON object (section 5 leaves the encoding open). */
function readBody(body: Uint8Array, contentType: string): [string, string][] | string {
  if (body.length === 0) return [];
  const text = new TextDecoder().decode(body);
  const kind = contentType.split(';', 1)[0]?.trim().toLowerCase();
  if (kind === '' || kind === 'application/x-www-form-urlencoded')
    return [...new URLSearchParams(text)];
  if (kind !== 'application/json') return 'The body must be a form or JSON.';
  const value = parseObject(text);
  if (value === undefined) return 'The body is no JSON object.';
  const members = Object.entries(value);
  if (!members.every((member): member is [string, string] => typeof member[1] === 'string'))
    return 'The members of the JSON object must be texts.';
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

function clientOf(c: Call, parameters: Map<string, string>): { id?: string; secret?: string } {
  const basic = c.req.header('Authorization')?.match(/^Basic ([A-Za-z0-9+/=]+)$/i)?.[1];
  if (basic !== undefined) {
    const [id = '', ...secret] = Buffer.from(basic, 'base64').toString().split(':');
    return { id: decodeForm(id), secret: decodeForm(secret.join(':')) };
  }
  const id = parameters.get('client_id');
  const secret = parameters.get('client_secret');
  return { ...(id !== undefined && { id }), ...(secret !== undefined && { secret }) };
}

/** RFC 6749, 2.3.1: the two halves of Basic credentials are form-encoded. */
function decodeForm(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // Clients that skip the encoding are common.
    return text;
  }
}

/** RFC 6749, 5.2. */
function refuse(c: Call, error: OAuthError, description: string): Response {
  return c.json({ error, error_description: description }, error === 'invalid_client' ? 401 : 400, {
    'Cache-Control': 'no-store',
    ...(error === 'invalid_client' && { 'WWW-Authenticate': 'Basic realm="emulator"' }),
  });
}
