import { describe, expect, test } from 'vitest';
import { readTokenAnswer } from '../../../src/service/auth/token-request.ts';
import type { Credentials, StoredTokens, TokenStore } from '../../../src/service/index.ts';
import {
  createTime,
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

const refresh: Credentials = { kind: 'refresh-token', refreshToken: 'refresh-0' };
const issue =
  (answer: unknown): Respond =>
  (response) =>
    json(response, answer);
const grantOf = ({ body }: { body: string }) => new URLSearchParams(body).get('grant_type');

describe('one token request', () => {
  test('serves all concurrent callers', async () => {
    const service = await startScriptedService({});
    const client = scriptedClient(service.url, { concurrency: 20 });
    await Promise.all(Array.from({ length: 20 }, () => client.usages.report(usage)));
    expect(service.tokenRequests).toHaveLength(1);
    expect(service.requests).toHaveLength(20);
  });

  test('renews the token for all concurrent 401 answers', async () => {
    const service = await startScriptedService({
      respond: (response, { headers }) =>
        headers.authorization === 'Bearer token-2' ? ok(response) : status(401)(response, never),
    });
    const client = scriptedClient(service.url, { concurrency: 10 });
    await Promise.all(Array.from({ length: 10 }, () => client.usages.report(usage)));
    expect(service.tokenRequests).toHaveLength(2);
  });

  test("doesn't need a permit that waiting calls hold", async () => {
    const service = await startScriptedService({});
    const client = scriptedClient(service.url, { concurrency: 1 });
    await Promise.all([client.usages.report(usage), client.usages.report(usage)]);
    expect(service.requests).toHaveLength(2);
  });

  test('continues for others when one caller aborts', async () => {
    const controller = new AbortController();
    const service = await startScriptedService({
      token: (response) => {
        controller.abort(new Error('given up'));
        json(response, { access_token: 'late' });
      },
    });
    const client = scriptedClient(service.url);
    const [given, taken] = await Promise.allSettled([
      client.files.original(1, { signal: controller.signal }),
      client.usages.report(usage),
    ]);
    expect(given).toMatchObject({ status: 'rejected', reason: { message: 'given up' } });
    expect(taken.status).toBe('fulfilled');
    expect(service.tokenRequests).toHaveLength(1);
  });
});

describe('a token', () => {
  test.for([
    [3600, 3_539_999, 3_540_000],
    ['3600', 3_539_999, 3_540_000],
    [10, 8999, 9000],
  ] as const)(
    'with expires_in %j is used until shortly before it expires',
    async ([expires_in, used, renewed]) => {
      const time = createTime();
      const service = await startScriptedService({
        token: issue({ access_token: 'a', expires_in }),
      });
      const client = scriptedClient(service.url, time.effects);
      await client.usages.report(usage);
      time.now += used;
      await client.usages.report(usage);
      expect(service.tokenRequests).toHaveLength(1);
      time.now += renewed - used;
      await client.usages.report(usage);
      expect(service.tokenRequests).toHaveLength(2);
    },
  );

  test.for([undefined, null, 0, 'later'])(
    'with expires_in %j is used until a 401',
    async (expires) => {
      const time = createTime();
      const service = await startScriptedService({
        token: issue({ access_token: 'a', expires_in: expires }),
      });
      const client = scriptedClient(service.url, time.effects);
      await client.usages.report(usage);
      time.now += 400 * 24 * 3600 * 1000;
      await client.usages.report(usage);
      expect(service.tokenRequests).toHaveLength(1);
    },
  );

  test('is renewed once after a 401, then the call is refused', async () => {
    const { error, requests } = await failingCall({ respond: status(401) });
    expect(error).toMatchObject({ code: 'request-unauthorized', status: 401, effect: 'none' });
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token-1',
      'Bearer token-2',
    ]);
  });

  test('is renewed once per call, for any number of attempts', async () => {
    const respond = inTurn(status(401), status(503), status(401));
    const failure = await failingCall({ respond }, ({ usages }) => usages.list(4711));
    expect(failure.error).toMatchObject({ code: 'request-unauthorized' });
    expect(failure.requests).toHaveLength(3);
    expect(failure.tokenRequests).toHaveLength(2);
  });

  test('that was configured is used as is, never renewed', async () => {
    const credentials: Credentials = { kind: 'access-token', accessToken: 'fixed' };
    const failure = await failingCall({ respond: status(401) }, undefined, { credentials });
    expect(failure.error).toMatchObject({ code: 'request-unauthorized' });
    expect(failure.requests).toHaveLength(1);
    expect(failure.tokenRequests).toEqual([]);
  });

  test('comes from the accounts URL', async () => {
    const service = await startScriptedService({});
    const accounts = await startScriptedService({
      token: issue({ access_token: 'from-accounts' }),
    });
    const accountsUrl = `${accounts.url}/sso/`;
    await scriptedClient(service.url, { accountsUrl }).usages.report(usage);
    expect(accounts.tokenRequests[0]?.url).toBe('/sso/1/oauth2/token');
    expect(service.requests[0]?.headers.authorization).toBe('Bearer from-accounts');
    expect(service.tokenRequests).toEqual([]);
  });
});

describe('a refresh token', () => {
  test('of the password grant is used until it fails, then the password again', async () => {
    const service = await startScriptedService({
      respond: inTurn(status(401), ok, status(401), ok),
      token: inTurn(
        issue({ access_token: 'a', refresh_token: 'r1' }),
        issue({ access_token: 'b', refresh_token: 'r2' }),
        (response) => json(response, { error: 'invalid_grant' }, 400),
        issue({ access_token: 'c' }),
      ),
    });
    const client = scriptedClient(service.url);
    await client.usages.report(usage);
    await client.usages.report(usage);
    expect(service.tokenRequests.map(grantOf)).toEqual([
      'password',
      'refresh_token',
      'refresh_token',
      'password',
    ]);
    expect(service.tokenRequests[2]?.body).toContain('refresh_token=r2');
    expect(service.requests.at(-1)?.headers.authorization).toBe('Bearer c');
  });

  test('is saved when rotated, before its access token is used', async () => {
    let stored: StoredTokens | undefined;
    const sentBefore: number[] = [];
    const service = await startScriptedService({
      respond: inTurn(status(401), ok),
      token: inTurn(
        issue({ access_token: 'a', refresh_token: 'refresh-1' }),
        issue({ access_token: 'b', refresh_token: 'refresh-1' }),
      ),
    });
    const client = scriptedClient(service.url, {
      credentials: refresh,
      tokenStore: {
        name: 'memory',
        read: async () => stored,
        update: async (change) => {
          sentBefore.push(service.requests.length);
          stored = await change(stored);
        },
      },
    });
    await client.usages.report(usage);
    expect(sentBefore[0]).toBe(0);
    expect(stored).toMatchObject({ accessToken: 'b', refreshToken: 'refresh-1' });
    expect(service.tokenRequests[1]?.body).toContain('refresh_token=refresh-1');
  });

  test('is saved again and again while its store is away for seconds', async () => {
    let stored: StoredTokens | undefined;
    const waits: number[] = [];
    let updates = 0;
    const token = issue({ access_token: 'a', refresh_token: 'refresh-1' });
    const service = await startScriptedService({ token });
    const client = scriptedClient(service.url, {
      credentials: refresh,
      sleep: async (ms) => void waits.push(ms),
      tokenStore: {
        name: 'restarting',
        read: async () => stored,
        update: async (change) => {
          updates += 1;
          const changed = await change(stored);
          if (waits.length < 4) throw new Error('connection refused');
          stored = changed;
        },
      },
    });
    await client.usages.report(usage);
    expect(waits).toEqual([250, 500, 1000, 2000]);
    expect(stored).toMatchObject({ refreshToken: 'refresh-1' });
    const before = updates;
    await client.usages.report(usage);
    expect(updates).toBe(before);
    expect(service.tokenRequests).toHaveLength(1);
  });

  test('of a sign-in stays stored if the service rotates nothing', async () => {
    let stored: StoredTokens | undefined = {
      ...{ accessToken: 'old', refreshToken: 'refresh-0', obtainedAt: 0, expiresAt: 1 },
    };
    const service = await startScriptedService({ token: issue({ access_token: 'new' }) });
    const client = scriptedClient(service.url, {
      credentials: { kind: 'authorization-code' },
      tokenStore: {
        name: 'memory',
        read: async () => stored,
        update: async (change) => {
          stored = await change(stored);
        },
      },
    });
    await client.usages.report(usage);
    expect(stored).toMatchObject({ accessToken: 'new', refreshToken: 'refresh-0' });
  });

  test("of a sign-in isn't needed, nor its store's lock, while the access token is valid", async () => {
    const service = await startScriptedService({});
    const client = scriptedClient(service.url, {
      credentials: { kind: 'authorization-code' },
      tokenStore: {
        name: 'locked',
        read: async () => ({ accessToken: 'valid', obtainedAt: 0 }),
        update: async () => {
          throw new Error('the store is locked');
        },
      },
    });
    await client.usages.report(usage);
    expect(service.requests[0]?.headers.authorization).toBe('Bearer valid');
    expect(service.tokenRequests).toEqual([]);
  });

  test("that the service repeats isn't a new one", async () => {
    const token = issue({ access_token: 'a', refresh_token: 'refresh-0' });
    const service = await startScriptedService({ token });
    await scriptedClient(service.url, { credentials: refresh }).usages.report(usage);
    expect(service.requests).toHaveLength(1);
  });

  test.for([
    ['without a store', undefined],
    [
      'with a store that fails',
      {
        name: 'full',
        read: async () => undefined,
        update: async (change) => {
          await change(undefined);
          throw new Error('the disk is full');
        },
      } satisfies TokenStore,
    ],
  ] as const)('that is rotated %s ends all calls', async ([, tokenStore]) => {
    const token = issue({ access_token: 'a', refresh_token: 'refresh-1' });
    const service = await startScriptedService({ token });
    const client = scriptedClient(service.url, {
      credentials: refresh,
      tokenStore,
    });
    for (const call of [() => client.usages.report(usage), () => client.usages.list(1)]) {
      expect(await failureOf(call())).toMatchObject({
        code: 'refresh-token-rotated',
        effect: 'none',
      });
    }
    expect(service.requests).toEqual([]);
    expect(service.tokenRequests).toHaveLength(1);
  });
});

describe('a token answer', () => {
  test.for([400, 401, 403])('%s refuses the credentials', async (code) => {
    const { error, tokenRequests } = await failingCall({
      token: (response) => json(response, { error_description: 'unknown client' }, code),
    });
    expect(error).toMatchObject({
      code: 'credentials-refused',
      status: code,
      effect: 'none',
      message: expect.stringContaining('unknown client'),
    });
    expect(tokenRequests).toHaveLength(1);
  });

  test.for([
    ['credentials-refused', { error: 'invalid_client' }],
    ['answer-unexpected', {}],
    ['answer-unexpected', []],
    ['answer-unexpected', { access_token: '' }],
    ['answer-unexpected', { access_token: 12 }],
    ['answer-unexpected', { access_token: 'two words' }],
    ['answer-unexpected', { access_token: 'line\nbreak' }],
    ['answer-unexpected', { access_token: 'a', token_type: 'mac' }],
    ['answer-unexpected', 'token'],
  ] as const)('is %s for %j', async ([code, answer]) => {
    const { error } = await failingCall({ token: issue(answer) });
    expect(error).toMatchObject({ code, status: 200 });
  });

  test.for([
    ['answer-html', '<!doctype html><title>Sign in</title>'],
    ['answer-unexpected', ''],
    // A token, which is never quoted.
    ['answer-unexpected', 's3cr3t'],
  ])('is %s for the text %j', async ([code, text]) => {
    const { error } = await failingCall({ token: (response) => void response.end(text) });
    expect(error).toMatchObject({ code });
    expect(error.message).not.toContain('s3cr3t');
  });

  test('names the wrong field but not its value', () => {
    const json = { access_token: 'se cret', token_type: 'hidden', expires_in: 1 };
    const reading = readTokenAnswer(json);
    expect(reading).toEqual({
      problem: expect.stringMatching(/^access_token: expected.*; token_type: expected Bearer$/),
    });
    expect(JSON.stringify(reading)).not.toMatch(/se cret|hidden/);
  });

  test('can lack refresh token and expiry, or hold nulls', () => {
    const json = { access_token: 'a', refresh_token: null, expires_in: null, token_type: null };
    expect(readTokenAnswer(json)).toEqual({
      value: { accessToken: 'a', refreshToken: undefined, lifetime: undefined },
    });
  });
});

const never = { method: '', url: '', headers: {}, body: '', bytes: Buffer.alloc(0) };
