import { describe, expect, test } from 'vitest';
import { createAuthorizationCodes } from '../../../src/emulator/auth/tokens.ts';
import { startService } from '../../support/service/start-service.ts';

const loopback = 'http://127.0.0.1:9123/callback';
const request = { response_type: 'code', client_id: 'emulator', redirect_uri: loopback };
const signIn = { username: 'editor', password: 'harbour', decision: 'allow' };

const emulator = await startService([]);

type Parameters = Record<string, string>;

function show(parameters: Parameters): Promise<Response> {
  const query = new URLSearchParams(parameters);
  return fetch(`${emulator.url}/authorize?${query}`, { redirect: 'manual' });
}

function send(parameters: Parameters): Promise<Response> {
  const body = new URLSearchParams(parameters);
  return fetch(`${emulator.url}/authorize`, { method: 'POST', body, redirect: 'manual' });
}

const locationOf = (response: Response): URL => new URL(response.headers.get('Location') ?? '');

async function newCode(parameters: Record<string, string> = {}): Promise<string> {
  const response = await send({ ...request, ...signIn, ...parameters });
  expect(response.status).toBe(303);
  return locationOf(response).searchParams.get('code') ?? '';
}

async function exchange(code: string, parameters: Record<string, string> = {}) {
  const response = await fetch(`${emulator.url}/1/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      client_id: 'emulator',
      client_secret: 'emulator-secret',
      redirect_uri: loopback,
      ...parameters,
    }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('the authorization page (section 5.2)', () => {
  test('names the client and keeps the parameters', async () => {
    const response = await show({ ...request, state: '"><script>&amp;' });
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=UTF-8');
    expect(html).toContain('<strong>emulator</strong>');
    expect(html).toContain('<strong>127.0.0.1:9123</strong>');
    expect(html).toContain('value="&quot;&gt;&lt;script&gt;&amp;amp;"');
    expect(html).not.toContain('<script>');
    expect(response.headers.get('Content-Security-Policy')).toContain(
      "form-action 'self' http://127.0.0.1:9123;",
    );
    expect(response.headers.get('Cache-Control')).toBe('no-store');
  });

  test('redirects with a code and the state when allowed', async () => {
    const state = 'a b&c=d#é+%';
    const response = await send({ ...request, ...signIn, state });
    const to = locationOf(response);
    expect(response.status).toBe(303);
    expect(to.href.startsWith(`${loopback}?`)).toBe(true);
    expect(to.searchParams.get('state')).toBe(state);
    expect((await exchange(to.searchParams.get('code') ?? '')).status).toBe(200);
  });

  test('redirects with an error and the state when denied', async () => {
    const to = locationOf(await send({ ...request, state: 's', decision: 'deny' }));
    expect(to.searchParams.get('error')).toBe('access_denied');
    expect(to.searchParams.get('state')).toBe('s');
    expect(to.searchParams.has('code')).toBe(false);
  });

  test.each([
    ['a wrong password', { password: 'wrong' }],
    ['a wrong user', { username: 'wrong' }],
    ['no decision', { decision: '' }],
  ])('asks again after %s', async (_, wrong) => {
    const response = await send({ ...request, ...signIn, state: 'kept', ...wrong });
    expect(response.status).toBe(403);
    const html = await response.text();
    expect(html).toContain('role="alert"');
    expect(html).toContain('value="kept"');
    expect(html).toContain('<strong>editor</strong>, with the password <strong>harbour</strong>');
    expect(html).not.toMatch(/value="(?:harbour|wrong" autocomplete="current)/);
  });

  test.each(['http://localhost:1/', 'http://127.0.0.1/', 'http://127.0.0.1:9123/?a=b'])(
    'redirects to %s',
    async (redirect_uri) => {
      expect((await show({ ...request, redirect_uri })).status).toBe(200);
      const response = await send({ ...request, ...signIn, redirect_uri });
      const to = response.headers.get('Location') ?? '';
      const joined = redirect_uri.includes('?') ? '&' : '?';
      expect(to).toMatch(/code=[\w-]{43}$/);
      expect(to.startsWith(`${redirect_uri}${joined}code=`)).toBe(true);
    },
  );

  test.each<[string, Parameters]>([
    ['an unknown client', { ...request, client_id: 'other' }],
    ['no client', { response_type: 'code', redirect_uri: loopback }],
    ['no response_type', { client_id: 'emulator', redirect_uri: loopback }],
    ['another response_type', { ...request, response_type: 'token' }],
    ['no redirect_uri', { response_type: 'code', client_id: 'emulator' }],
    ...[
      'https://evil.example/',
      'http://127.0.0.1.evil.example/',
      'http://127.0.0.1@evil.example/',
      'http://a:b@127.0.0.1/',
      'https://127.0.0.1/',
      'http://[::1]:8080/back',
      'http://127.0.0.1:9123/#fragment',
      'http://127.0.0.1:9123/\r\nSet-Cookie: a=b',
      'javascript:alert(1)',
      '//127.0.0.1/',
      `http://127.0.0.1/${'a'.repeat(3000)}`,
      '',
    ].map((redirect_uri): [string, Parameters] => [
      `the redirect_uri ${JSON.stringify(redirect_uri).slice(0, 60)}`,
      { ...request, redirect_uri },
    ]),
  ])("shows %s to the user and doesn't redirect", async (_, parameters) => {
    for (const response of [await show(parameters), await send(parameters)]) {
      expect(response.status).toBe(400);
      expect(response.headers.get('Location')).toBeNull();
      expect(await response.text()).toContain('role="alert"');
    }
  });
});

describe('an authorization code', () => {
  test('returns an access token and a refresh token', async () => {
    const { status, body } = await exchange(await newCode(), { state: 'über & out' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, state: 'über & out' });
    expect(body.refresh_token).toBe('emulator-refresh-token');
    const response = await fetch(`${emulator.url}/1/foldertree`, {
      headers: { Authorization: `Bearer ${body.access_token}` },
    });
    expect(response.status).toBe(200);
  });

  test('works once', async () => {
    const code = await newCode();
    expect((await exchange(code)).status).toBe(200);
    expect(await exchange(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test('only works for its redirect_uri, and a wrong one uses it up', async () => {
    const code = await newCode();
    const wrong = await exchange(code, { redirect_uri: 'http://127.0.0.1:9124/callback' });
    expect(wrong).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await exchange(code)).status).toBe(400);
  });

  test('expires after a minute', () => {
    let now = 0;
    const codes = createAuthorizationCodes(() => now);
    const [first, second] = [codes.issue('editor', loopback), codes.issue('editor', loopback)];
    now = 59_999;
    expect(codes.redeem(first, loopback)).toBe('editor');
    now = 60_000;
    expect(codes.redeem(second, loopback)).toBeUndefined();
  });

  test('appears in no log, and neither does the password', async () => {
    const code = await newCode();
    await exchange(code);
    const log = JSON.stringify(emulator.log());
    expect(log).not.toContain(code);
    expect(log).not.toContain('harbour');
  });
});
