import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { addTokenCalls } from '../../../src/emulator/auth/token-calls.ts';
import { readTokenParameters } from '../../../src/emulator/auth/token-parameters.ts';
import type { App, CallContext } from '../../../src/emulator/emulator-state.ts';
import type { BendParts } from './bend-answers.ts';
import type { BendSettings } from './bend-settings.ts';
import { changeJson, changeRequest, replaceAnswer } from './send-answer.ts';

/** Token requests that a client may send, and the tokens in the answers. */
export function bendTokens({ app, state, settings }: BendParts): void {
  const rotation = createRotation(state.settings.refreshToken);
  /** Of the tokens that were given out here, in ms since 1970. */
  const issued = new Map<string, { user: string | undefined; expires: number }>();
  const { userOf } = state.tokens;
  state.tokens.userOf = (token) => {
    const { user, expires } = issued.get(token) ?? { user: userOf(token), expires: Infinity };
    return expires > state.clock() ? user : undefined;
  };
  app.post('/oauth2/token', async (c, next) => {
    if (settings().tokenPath !== '/oauth2/token') return next();
    const calls: App = new Hono();
    calls.use(async (inner, next) => {
      inner.set('body', c.get('body'));
      await next();
    });
    addTokenCalls(calls, state);
    const url = new URL(`/1${c.req.path}${new URL(c.req.url).search}`, c.req.url);
    return calls.fetch(new Request(url, { method: 'POST', headers: c.req.raw.headers }), c.env);
  });
  app.use('/1/oauth2/token', async (c, next) => {
    const { grants, tokenEncoding, tokenLifetime, refreshTokens, expiresIn } = settings();
    if (settings().tokenPath !== '/1/oauth2/token') return c.notFound();
    if (c.req.method !== 'POST') return next();
    const parameters = readTokenParameters(c);
    if (tokenEncoding !== 'any' && encodingsOf(c).some((one) => one !== tokenEncoding))
      return tokenEncoding === 'basic'
        ? refuse(c, 'invalid_client', 'Authenticate with Basic.', 401)
        : refuse(c, 'invalid_request', `Send the parameters as ${tokenEncoding} only.`);
    const grant = parameters.get('grant_type') ?? '';
    const given = parameters.get('refresh_token') ?? '';
    const isRotated = refreshTokens === 'rotated' && grant === 'refresh_token';
    const isSpent = isRotated && rotation.spend(given);
    if (isRotated) {
      const known = isSpent ? state.settings.refreshToken : '';
      sendAsForm(c, new Map([...parameters, ['refresh_token', known]]));
    }

    await next();
    // Another client gets the same answer as ever.
    if (c.res.status === 401) {
      if (isSpent) rotation.restore(given);
      return;
    }
    if (isKnownGrant(grant) && !grants.split(',').includes(grant)) {
      const refused = refuse(
        c,
        'unauthorized_client',
        `This client may not use the grant ${grant}.`,
      );
      return replaceAnswer(c, refused);
    }
    await changeJson(c, (value) => {
      const { refresh_token: fixed, ...answer } = value as TokenAnswer;
      const user = userOf(answer.access_token);
      issued.set(answer.access_token, { user, expires: state.clock() + tokenLifetime * 1000 });
      const tokens = { fixed, rotated: rotation.issue, empty: '', none: undefined };
      const token = tokens[refreshTokens];
      const seconds = Math.max(1, Math.floor(tokenLifetime));
      return {
        ...answer,
        refresh_token: typeof token === 'function' ? token() : token,
        expires_in: lifetimes[expiresIn](seconds),
      };
    });
  });
}

interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token: string;
}

const lifetimes: Record<BendSettings['expiresIn'], (seconds: number) => unknown> = {
  number: (seconds) => seconds,
  text: String,
  missing: () => undefined,
};

const isKnownGrant = (grant: string): boolean =>
  ['authorization_code', 'refresh_token', 'password'].includes(grant);

function encodingsOf(c: CallContext): string[] {
  if (c.req.header('Authorization')?.startsWith('Basic ')) return ['basic'];
  const isJson = c.req.header('Content-Type')?.startsWith('application/json');
  return [
    ...(new URL(c.req.url).search === '' ? [] : ['query']),
    ...(c.get('body').length === 0 ? [] : [isJson ? 'json' : 'form']),
  ];
}

function sendAsForm(c: CallContext, parameters: ReadonlyMap<string, string>): void {
  const url = new URL(c.req.url);
  url.search = '';
  changeRequest(c, {
    url,
    change: (headers) => {
      headers.delete('Authorization');
      headers.set('Content-Type', 'application/x-www-form-urlencoded');
    },
    body: new URLSearchParams([...parameters]).toString(),
  });
}

function refuse(
  c: CallContext,
  error: string,
  description: string,
  status: 400 | 401 = 400,
): Response {
  const headers = { 'Cache-Control': 'no-store' };
  return c.json({ error, error_description: description }, status, headers);
}

/** Refresh tokens that work once each, like the emulator's own. */
function createRotation(own: string) {
  const unused = new Set([own]);
  return {
    issue(): string {
      const token = randomBytes(32).toString('base64url');
      unused.add(token);
      return token;
    },
    /** Uses a token up. Returns whether it was valid. */
    spend: (token: string) => unused.delete(token),
    restore: (token: string) => void unused.add(token),
  };
}
