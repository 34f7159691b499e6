import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { emulatorClient } from '../../assets/open-images.ts';
import { startBentEmulator } from '../../support/bends/bent-emulator.ts';
import { startService } from '../../support/service/start-service.ts';

const picture = { path: 'quay.png', width: 40, height: 30 };
const client = { client_id: 'emulator', client_secret: 'emulator-secret' };
const password = { ...client, grant_type: 'password', username: 'editor', password: 'harbour' };
const refresh = {
  ...client,
  grant_type: 'refresh_token',
  refresh_token: 'emulator-refresh-token',
};
const basic = `Basic ${btoa('emulator:emulator-secret')}`;

const emulator = await startService([picture]);

interface TokenAnswer {
  access_token: string;
  expires_in: number;
}

function post(
  body: URLSearchParams | string | null,
  headers: Record<string, string> = {},
  query = '',
) {
  return fetch(`${emulator.url}/1/oauth2/token${query}`, { method: 'POST', body, headers });
}

async function opens(token: string, url = emulator.url): Promise<boolean> {
  const response = await fetch(`${url}/1/file/4711/download/0`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  await response.arrayBuffer();
  return response.status === 200;
}

describe('the token call (section 5)', () => {
  const json = { 'Content-Type': 'application/json' };
  test.each([
    ['a password as a form', () => post(new URLSearchParams(password))],
    ['a refresh token as a form', () => post(new URLSearchParams(refresh))],
    ['JSON', () => post(JSON.stringify(password), json)],
    [
      'Basic authentication',
      () => {
        const { client_id: _, client_secret: __, ...grant } = password;
        return post(new URLSearchParams(grant), { Authorization: basic });
      },
    ],
    ['a query', () => post(null, {}, `?${new URLSearchParams(refresh)}`)],
  ])('returns a token for %s', async (_, request) => {
    const response = await request();
    expect(response.status).toBe(200);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    const answer = (await response.json()) as TokenAnswer;
    expect(answer).toEqual({
      access_token: expect.any(String),
      refresh_token: 'emulator-refresh-token',
      token_type: 'Bearer',
      expires_in: 3600,
    });
    expect(await opens(answer.access_token)).toBe(true);
  });

  test.each([
    ['a wrong client secret', { ...password, client_secret: 'x' }, 401, 'invalid_client'],
    ['no client id', { ...password, client_id: '' }, 401, 'invalid_client'],
    ['a wrong password', { ...password, password: 'x' }, 400, 'invalid_grant'],
    ['a wrong user', { ...password, username: 'x' }, 400, 'invalid_grant'],
    ['a wrong refresh token', { ...refresh, refresh_token: 'x' }, 400, 'invalid_grant'],
    ['no grant type', client, 400, 'invalid_request'],
    [
      'no password',
      { ...client, grant_type: 'password', username: 'editor' },
      400,
      'invalid_request',
    ],
    ['another grant type', { ...client, grant_type: 'implicit' }, 400, 'unsupported_grant_type'],
  ])('refuses %s', async (_, parameters, status, error) => {
    const response = await post(new URLSearchParams(parameters));
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error, error_description: expect.any(String) });
  });

  test.each([
    ['a parameter given twice', post.bind(null, new URLSearchParams(password), {}, '?password=x')],
    ['broken JSON', post.bind(null, '{', json)],
    ["JSON that isn't an object", post.bind(null, 'null', json)],
    ["values that aren't text", post.bind(null, '{"grant_type":1}', json)],
    ['an unsupported content type', post.bind(null, 'x', { 'Content-Type': 'text/plain' })],
  ])('refuses %s', async (_, request) => {
    const response = await request();
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'invalid_request' });
  });
});

test('a client that may not use a grant is told so (RFC 6749, 5.2)', async () => {
  await emulator.setSettings({ grants: 'refresh_token,authorization_code' });
  const site = emulatorClient(emulator);
  await expect(site.folders.tree()).rejects.toMatchObject({
    code: 'credentials-refused',
    message: expect.stringContaining('may not use the grant password'),
    hint: expect.stringContaining('Not every client ID may use the password grant.'),
  });
  await emulator.setSettings({ grants: 'authorization_code,refresh_token,password' });
});

describe('all other calls under /1', () => {
  const paths = ['/1/file/4711/download/0', '/1/file/4711/usage?fields=any', '/1/no-such-path'];
  const headers = [
    ['no token', undefined, 'token-missing'],
    ['a wrong token', 'Bearer wrong', 'token-invalid'],
    ['another scheme', basic, 'token-invalid'],
    ['an empty token', 'Bearer ', 'token-invalid'],
  ] as const;
  test.each(paths.flatMap((path) => headers.map((header) => [path, ...header] as const)))(
    '%s with %s answers 401',
    async (path, _, authorization, code) => {
      const response = await fetch(emulator.url + path, {
        headers: authorization === undefined ? {} : { Authorization: authorization },
      });
      expect(response.status).toBe(401);
      expect(response.headers.get('WWW-Authenticate')).toMatch(/^Bearer /);
      expect(await response.json()).toEqual({ error: { code, message: expect.any(String) } });
    },
  );
});

describe('an access token', () => {
  test('expires after its lifetime', async () => {
    let now = Date.UTC(2026, 0, 1);
    const media = emulator.mediaDir;
    const local = await startBentEmulator({ media, tokenLifetime: 90.5, clock: () => now });
    const response = await fetch(`${local.url}/1/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams(refresh),
    });
    const { access_token, expires_in } = (await response.json()) as TokenAnswer;
    expect(expires_in).toBe(90);

    now += 90_499;
    expect(await opens(access_token, local.url)).toBe(true);
    now += 1;
    expect(await opens(access_token, local.url)).toBe(false);
    await local.close();
  });

  test("ends with the emulator, and isn't in the data folder", async () => {
    const token = await emulator.signIn();
    await emulator.restart();
    expect(await opens(token)).toBe(false);

    const files = await readdir(emulator.dataDir);
    expect(files).toContain('emulator.sqlite');
    for (const file of files) {
      const bytes = await readFile(join(emulator.dataDir, file), 'latin1');
      for (const secret of [token, 'emulator-secret', 'harbour', 'emulator-refresh-token'])
        expect(bytes).not.toContain(secret);
    }
  });
});
