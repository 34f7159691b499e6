import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { AuthorizationAnswer, Credentials, MediaService } from '../../../src/service/index.ts';
import {
  failingCall,
  failureOf,
  inTurn,
  json,
  ok,
  type Respond,
  scriptedClient,
  startScriptedService,
  status,
  usage,
} from '../scripted-service.ts';

const credentials: Credentials = { kind: 'authorization-code' };
const redirectUri = 'http://127.0.0.1:7777/callback';
const state = 'a-random-state-of-32-characters.';

describe('the authorization URL', () => {
  test('uses its own host if configured', () => {
    const authUrl = 'https://sign-in.example/dam/';
    const { signIn } = scriptedClient('https://dam.example', { credentials, authUrl });
    expect(signIn.authorizationUrl({ redirectUri, state })).toMatch(
      /^https:\/\/sign-in\.example\/dam\/authorize\?/,
    );
    expect(() => scriptedClient('https://dam.example', { authUrl: 'http://dam.example' })).toThrow(
      expect.objectContaining({ code: 'options-invalid' }),
    );
  });
});

test('a redirect to this machine may have 2,000 characters', () => {
  const { signIn } = scriptedClient('https://dam.example', { credentials });
  const longest = 'http://127.0.0.1/'.padEnd(2000, 'a');
  expect(signIn.authorizationUrl({ redirectUri: longest, state })).toContain(`%2Fa`);
});

describe('a callback', () => {
  const callback = (query: string) => ({
    callbackUrl: `${redirectUri}?${query}`,
    state,
    redirectUri,
  });

  test('is exchanged with the same redirect_uri, and its token is used', async () => {
    const service = await startScriptedService({
      respond: inTurn(ok, status(401), ok),
      token: inTurn(
        (to) => json(to, { access_token: 'a', refresh_token: 'r1', expires_in: '3600' }),
        (to) => json(to, { access_token: 'b', refresh_token: 'r2' }),
      ),
    });
    const client = scriptedClient(service.url, { credentials, clock: () => 1_000_000 });
    expect(await client.signIn.exchangeCode(callback(`code=c%20d&state=${state}&iss=x`))).toEqual({
      accessToken: 'a',
      refreshToken: 'r1',
      obtainedAt: 1_000_000,
      expiresAt: 4_600_000,
    });
    expect(service.tokenRequests[0]?.body).toBe(
      'grant_type=authorization_code&code=c+d&client_id=museum-site&client_secret=client-secret-7f3a&redirect_uri=http%3A%2F%2F127.0.0.1%3A7777%2Fcallback',
    );
    await client.usages.report(usage);
    await client.usages.report(usage);
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer a',
      'Bearer a',
      'Bearer b',
    ]);
    expect(service.tokenRequests[1]?.body).toContain('refresh_token=r1');
  });

  test.for([
    ['sign-in-callback-invalid', 'no state', callback('code=s3cr3t')],
    ['sign-in-callback-invalid', 'another state', callback(`code=s3cr3t&state=${state}x`)],
    [
      'sign-in-callback-invalid',
      'two states',
      callback(`code=s3cr3t&state=${state}&state=${state}`),
    ],
    ['sign-in-callback-invalid', 'two codes', callback(`code=s3cr3t&code=b&state=${state}`)],
    ['sign-in-callback-invalid', 'no code', callback(`state=${state}`)],
    ['sign-in-callback-invalid', 'an implicit token', callback(`token=s3cr3t&state=${state}`)],
    [
      'sign-in-callback-invalid',
      'another port',
      { ...callback(`code=s3cr3t&state=${state}`), redirectUri: 'http://127.0.0.1:1/callback' },
    ],
    [
      'sign-in-callback-invalid',
      'another path',
      { ...callback(`code=s3cr3t&state=${state}`), redirectUri: 'http://127.0.0.1:7777/' },
    ],
    ['sign-in-callback-invalid', 'a denial of another state', callback('error=access_denied')],
    ['sign-in-refused', 'a denial', callback(`error=access_denied&state=${state}`)],
    ['argument-invalid', 'an invalid URL', { ...callback(''), callbackUrl: 's3cr3t' }],
    [
      'argument-invalid',
      'a foreign redirect',
      { ...callback(''), redirectUri: 'http://a.example' },
    ],
    ['argument-invalid', 'nothing', undefined as unknown as AuthorizationAnswer],
  ] as const)('fails with %s for %s, and nothing is sent', async ([code, , answer]) => {
    const exchange = ({ signIn }: MediaService) => signIn.exchangeCode(answer);
    const { error, tokenRequests } = await failingCall({}, exchange, { credentials });
    expect(error).toMatchObject({ code });
    expect(inspect(error)).not.toContain('s3cr3t');
    expect(tokenRequests).toEqual([]);
  });

  test("shows the service's reason for a denial on one line", async () => {
    const query = `error=access_denied&error_description=not%0Ahere&state=${state}`;
    const { signIn } = scriptedClient('https://dam.example', { credentials });
    const error = await failureOf(signIn.exchangeCode(callback(query)));
    expect((error as Error).message).toContain('not here (access_denied)');
  });

  test('can be refused by the service without showing its code', async () => {
    const token: Respond = (to) => json(to, { error_description: 'the code s3cr3t is old' }, 400);
    const exchange = ({ signIn }: MediaService) =>
      signIn.exchangeCode(callback(`code=s3cr3t&state=${state}`));
    const { error } = await failingCall({ token }, exchange, { credentials });
    expect(error).toMatchObject({ code: 'credentials-refused' });
    expect(inspect(error)).not.toContain('s3cr3t');
  });
});

test('a site can send people back to itself', () => {
  const { signIn } = scriptedClient('https://dam.example', { credentials });
  const own = 'https://museum.example/api/callback';
  expect(signIn.authorizationUrl({ redirectUri: own, state })).toContain('museum.example%2Fapi');
});

test('a refresh token that someone else keeps is exchanged for new tokens', async () => {
  const token: Respond = (to) => json(to, { access_token: 'a', refresh_token: 'r2' });
  const service = await startScriptedService({ token });
  const { signIn } = scriptedClient(service.url, { credentials, clock: () => 1000 });
  const tokens = { accessToken: 'a', refreshToken: 'r2', obtainedAt: 1000 };
  expect(await signIn.renew('r1')).toMatchObject(tokens);
  expect(service.tokenRequests[0]?.body).toContain('refresh_token=r1');
  const refused = await startScriptedService({ token: (to) => json(to, { error: 's3cr3t' }, 400) });
  const error = await failureOf(
    scriptedClient(refused.url, { credentials }).signIn.renew('s3cr3t'),
  );
  expect(error).toMatchObject({ code: 'credentials-refused' });
  expect(inspect(error)).not.toContain('s3cr3t');
});

describe('a client with a sign-in', () => {
  test('says that no one has signed in', async () => {
    const { error, requests } = await failingCall({}, undefined, { credentials });
    expect(error).toMatchObject({ code: 'sign-in-missing', effect: 'none' });
    expect(requests).toEqual([]);
  });

  test.for([
    ["with an expired token that can't be renewed", undefined],
    ['with a refused refresh token', 'r1'],
  ] as const)('%s says that the sign-in has ended', async ([, refreshToken]) => {
    const stored = { accessToken: 'a', refreshToken, obtainedAt: 0, expiresAt: 1 };
    const tokenStore = {
      name: 'memory',
      read: async () => stored,
      update: async (change: (tokens: typeof stored) => Promise<unknown>) =>
        void (await change(stored)),
    };
    const options = { credentials, tokenStore };
    const { error, requests } = await failingCall({ token: status(400) }, undefined, options);
    expect(error).toMatchObject({ code: 'sign-in-missing', effect: 'none' });
    expect(requests).toEqual([]);
  });
});
