import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from 'redis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fileTokenStore } from '../../../src/service/auth/file-token-store.ts';
import { redisTokenStore } from '../../../src/service/auth/redis-token-store.ts';
import type { TokenIdentity } from '../../../src/service/auth/token-store.ts';
import { openTokenStore, type StoredTokens, type TokenStore } from '../../../src/service/index.ts';
import { childEnvironment } from '../../support/process/compile-cache.ts';
import { findRedis, type RedisServer, startRedis } from '../../support/process/start-redis.ts';
import { temporaryFolder } from '../../support/process/temporary-folder.ts';
import {
  type EmulatorProcess,
  startEmulatorProcess,
} from '../../support/service/emulator-process.ts';
import { type PausableProxy, startPausableProxy } from '../../support/service/pausable-proxy.ts';
import { failureOf } from '../scripted-service.ts';

const hasRedis = findRedis();
const identity = { service: 'https://dam.example', clientId: 'museum' };
const secret = 'a key of sixteen or more';
const tokens: StoredTokens = { accessToken: 's3cr3t-a', refreshToken: 's3cr3t-r', obtainedAt: 1 };

let folder: string;
let redis: RedisServer | undefined;

beforeAll(async () => {
  if (hasRedis) redis = await startRedis();
});
afterAll(async () => void (await redis?.stop()));
beforeEach(async () => {
  folder = await temporaryFolder('tokens');
});
const path = () => join(folder, 'tokens.json');
const inFile = (who: TokenIdentity = identity) => fileTokenStore(path(), who);
const inRedis = (who: TokenIdentity = identity, key = secret) =>
  redisTokenStore({ url: redis?.url ?? '', identity: who, secret: key });

const kinds: [string, boolean, (who?: TokenIdentity) => TokenStore][] = [
  ['a file', true, inFile],
  ['Redis', hasRedis, inRedis],
];

describe.for(kinds)('%s', ([, isThere, open]) => {
  const own = { service: 'https://dam.example', clientId: String(Math.random()) };

  test.runIf(isThere)(
    'stores and removes tokens, apart from those of another sign-in',
    async () => {
      await open(own).update(async (stored) => {
        expect(stored).toBeUndefined();
        return tokens;
      });
      expect(await open(own).read()).toEqual(tokens);
      expect(await open({ ...own, clientId: 'other' }).read()).toBeUndefined();
      const seeds = ['refresh-0', 'refresh-1'].map((seed) => open({ ...own, seed }));
      for (const seeded of seeds) expect(await seeded.read()).toBeUndefined();
      await seeds[0]?.update(async () => ({ ...tokens, accessToken: 's3cr3t-b' }));
      expect(await seeds[1]?.read()).toBeUndefined();
      expect(await open(own).read()).toEqual(tokens);
      await open(own).update(async () => undefined);
      expect(await open(own).read()).toBeUndefined();
    },
  );

  test.runIf(isThere)('allows one update at a time', async () => {
    let inside = 0;
    const count = async (stored: StoredTokens | undefined) => {
      inside += 1;
      expect(inside).toBe(1);
      // Updates that didn't wait would all start before the last one ends.
      for (let look = 0; look < 3; look += 1) await open(own).read();
      inside -= 1;
      return { ...tokens, obtainedAt: (stored?.obtainedAt ?? 0) + 1 };
    };
    await Promise.all(Array.from({ length: 5 }, () => open(own).update(count)));
    expect(await open(own).read()).toMatchObject({ obtainedAt: 5 });
  });

  test.runIf(isThere)('keeps its tokens if a change fails, and allows the next one', async () => {
    await open(own).update(async () => tokens);
    const failing = open(own).update(async () => Promise.reject(new Error('refused')));
    expect(await failureOf(failing)).toMatchObject({ message: 'refused' });
    expect(await open(own).read()).toEqual(tokens);
    await open(own).update(async (stored) => stored);
  });
});

describe('a file', () => {
  test.runIf(process.platform !== 'win32').each([0o644, 0o640, 0o604, 0o660])(
    'with mode %o is refused',
    async (mode) => {
      await inFile().update(async () => tokens);
      await chmod(path(), mode);
      expect(await failureOf(inFile().read())).toMatchObject({ code: 'token-store-unusable' });
      const changing = inFile().update(async () => tokens);
      expect(await failureOf(changing)).toMatchObject({ code: 'token-store-unusable' });
    },
  );

  test.runIf(process.platform !== 'win32')(
    "lets only its owner into the folder that it's in",
    async () => {
      const own = join(folder, 'config/media-asset');
      await fileTokenStore(join(own, 'tokens.json'), identity).update(async () => tokens);
      expect((await stat(own)).mode & 0o777).toBe(0o700);
    },
  );

  test.each([
    ['empty', ''],
    ['cut short', '{ "version": 1, "tokens": {"s3cr3t'],
    ['of a newer version', '{ "version": 2, "tokens": {} }'],
    ['a list', '[]'],
  ])("throws token-store-unusable if it's %s", async (_, text) => {
    await writeFile(path(), text, { mode: 0o600 });
    const error = await failureOf(inFile().read());
    expect(error).toMatchObject({ code: 'token-store-unusable' });
    expect((error as Error).message).not.toContain('s3cr3t');
    expect(await readFile(path(), 'utf8')).toBe(text);
  });

  test('stores the tokens of several services', async () => {
    const other = { service: 'https://other.example', clientId: 'museum' };
    await inFile().update(async () => tokens);
    await inFile(other).update(async () => ({ ...tokens, accessToken: 'b' }));
    await inFile().update(async () => undefined);
    expect(await inFile(other).read()).toMatchObject({ accessToken: 'b' });
  });

  test('leaves no other file behind', async () => {
    await inFile().update(async () => tokens);
    expect(await readdir(folder)).toEqual(['tokens.json']);
  });
});

test('the key in Redis stays the same, because other versions on other machines read it', () => {
  const { name } = redisTokenStore({ url: 'redis://redis.example', identity, secret });
  expect(name).toBe('redis://redis.example media-asset:{f6ff7661ff7a8c51985cd11de1624d2b}:tokens');
});

describe.skipIf(!hasRedis)('Redis', () => {
  test('shows no token and accepts none of another identity', async () => {
    const client = await createClient({ url: redis?.url ?? '' }).connect();
    const before = new Set(await client.keys('*:tokens'));
    const added = async () => (await client.keys('*:tokens')).filter((key) => !before.has(key));
    const museum = { ...identity, clientId: 'sealed' };
    const thief = { ...identity, clientId: 'thief' };
    await inRedis(museum).update(async () => tokens);
    const [sealedKey = ''] = await added();
    const sealed = (await client.get(sealedKey)) ?? '';
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toMatch(/s3cr3t|accessToken/);
    const wrongKey = inRedis(museum, 'another key of sixteen');
    expect(await failureOf(wrongKey.read())).toMatchObject({ code: 'token-key-wrong' });
    await inRedis(thief).update(async () => tokens);
    const thiefKey = (await added()).find((key) => key !== sealedKey) ?? '';
    await client.set(thiefKey, sealed);
    expect(await failureOf(inRedis(thief).read())).toMatchObject({ code: 'token-key-wrong' });
    await client.close();
  });
});

describe('the chosen store is', () => {
  const refresh = { kind: 'refresh-token', refreshToken: 'r' } as const;
  const login = { kind: 'authorization-code' } as const;
  const open = (
    credentials: typeof refresh | typeof login,
    environment: Record<string, string>,
    location?: string,
  ) => openTokenStore({ ...identity, credentials, location, key: secret, environment })?.name;

  test.each([
    [undefined, refresh, { CI: 'true' }, undefined],
    [undefined, refresh, { NETLIFY: 'true' }, undefined],
    [undefined, refresh, { RENDER: 'true' }, undefined],
    ['tokens.json', refresh, { CI: 'false' }, undefined],
    ['tokens.json', refresh, {}, undefined],
    ['tokens.json', login, { CI: 'true' }, undefined],
    ['redis://redis.example', refresh, { CI: '1' }, 'redis://:hunter2@redis.example'],
  ])('%s for %o in %o with %s', (name, credentials, environment, location) => {
    const opened = open(credentials, environment as Record<string, string>, location);
    if (name === undefined) expect(opened).toBeUndefined();
    else expect(opened).toContain(name);
    expect(opened ?? '').not.toContain('hunter2');
  });
});

const child = fileURLToPath(new URL('../../support/service/token-process.ts', import.meta.url));

/** The output of a process that needs a token: `done`, or its error. */
function callInProcess(settings: Record<string, string | undefined>): Promise<string> {
  const env = { ...childEnvironment, HOME: folder };
  return new Promise((resolve) => {
    execFile(process.execPath, [child, JSON.stringify(settings)], { env }, (_, stdout) =>
      resolve(stdout),
    );
  });
}

describe('processes that refresh at the same time', () => {
  let emulator: EmulatorProcess;

  beforeEach(async () => {
    emulator = await startEmulatorProcess({ refreshTokens: 'rotated' });
  });
  afterEach(async () => void (await emulator.stop()));

  const call = (settings: Record<string, string | undefined> = {}) =>
    callInProcess({ service: emulator.url, ...settings });

  const granted = () =>
    emulator.log().filter(({ path, status }) => path.endsWith('/token') && status === 200);
  const asked = () => emulator.log().filter(({ path }) => path.endsWith('/token'));

  test("share one token request through the user's folder", { tags: ['slow'] }, () => asksOnce());

  test.runIf(hasRedis)('share one token request through Redis', { tags: ['slow'] }, () =>
    asksOnce(redis?.url),
  );

  async function asksOnce(location?: string): Promise<void> {
    const settings = { location, key: secret };
    const first = await Promise.all(Array.from({ length: 4 }, () => call(settings)));
    expect(first).toEqual(Array(4).fill('done'));
    expect(asked()).toHaveLength(1);
    expect(granted()).toHaveLength(1);

    // The access tokens have expired. One process refreshes, and the others read the new token.
    await expire(settings);
    const again = await Promise.all(Array.from({ length: 4 }, () => call(settings)));
    expect(again).toEqual(Array(4).fill('done'));
    expect(asked()).toHaveLength(2);
    expect(granted()).toHaveLength(2);
  }

  /** Makes the stored access token expired. */
  async function expire({ location, key }: { location: string | undefined; key: string }) {
    const config = join(folder, '.config/astro-media-asset/tokens.json');
    const credentials = { kind: 'refresh-token', refreshToken: 'emulator-refresh-token' } as const;
    const who = { service: emulator.url, clientId: 'emulator' };
    const store =
      location === undefined
        ? fileTokenStore(config, { ...who, seed: credentials.refreshToken })
        : openTokenStore({ ...who, credentials, location, key, environment: {} });
    await store?.update(async (stored) => stored && { ...stored, expiresAt: stored.obtainedAt });
  }

  test('fail without a user folder, and ask for no token', async () => {
    await writeFile(join(folder, '.config'), '');
    expect(await call()).toContain('token-store-unusable');
    expect(asked()).toEqual([]);
  });

  test('store nothing if the service rotates nothing', async () => {
    await emulator.setSettings({ refreshTokens: 'fixed' });
    await mkdir(join(folder, '.config'));
    expect(await call()).toBe('done');
    expect(await readdir(join(folder, '.config/astro-media-asset'))).toEqual([]);
  });
});

describe.skipIf(!hasRedis)('a Redis that is killed during a refresh', { tags: ['slow'] }, () => {
  const redisPassword = 'p4ss-of-redis';
  let data: string;
  let server: RedisServer;
  let emulator: EmulatorProcess;
  let proxy: PausableProxy;

  beforeEach(async () => {
    data = join(folder, 'redis');
    await mkdir(data);
    [server, emulator] = await Promise.all([start(), startEmulatorProcess()]);
    proxy = await startPausableProxy(emulator.url);
  });

  afterEach(async () => {
    await proxy.close();
    await Promise.all([server.stop(), emulator.stop()]);
  });

  const start = (port?: number) =>
    startRedis({ data, password: redisPassword, ...(port && { port }) });

  const call = () => callInProcess({ service: proxy.url, location: server.url, key: secret });

  /** Starts a call whose token answer waits for `act`. Returns what it will print. */
  async function callWhile(act: () => Promise<unknown>): Promise<{ said: Promise<string> }> {
    const release = proxy.hold(/token/);
    const said = call();
    await expect.poll(() => emulator.log().at(-1)?.status, { timeout: 20_000 }).toBe(200);
    await act();
    release();
    return { said };
  }

  function expectNoSecret(said: string): void {
    expect(said).not.toContain(secret);
    expect(said).not.toContain(redisPassword);
    expect(said).not.toContain('emulator-secret');
    expect(said).not.toContain('emulator-refresh-token');
  }

  /** The lease of a killed process expires after half a minute. */
  async function endLease(): Promise<void> {
    const admin = await createClient({ url: server.url }).connect();
    const [lease = ''] = await admin.keys('*-lease');
    const left = await admin.pTTL(lease);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(30_000);
    await admin.del(lease);
    await admin.close();
  }

  test('and restarts empty, saves the new token', async () => {
    await emulator.setSettings({ refreshTokens: 'rotated' });
    const emptied = async () => {
      await server.stop();
      await rm(data, { recursive: true });
      await mkdir(data);
      server = await start(server.port);
    };
    const { said } = await callWhile(emptied);
    expect(await said).toBe('done');
    expect(await call()).toBe('done');
  });

  test('and stays away, fails if the token was rotated', async () => {
    await emulator.setSettings({ refreshTokens: 'rotated' });
    const lost = await callWhile(server.stop);
    const said = await lost.said;
    expect(said).toContain('[refresh-token-rotated]');
    expect(said).toContain("Redis couldn't be reached");
    expectNoSecret(said);
    const meanwhile = await call();
    expect(meanwhile).toContain('[token-store-unusable]');
    expectNoSecret(meanwhile);
    server = await start(server.port);
    await endLease();
    // A lost token needs a new sign-in, or a new value.
    const next = await call();
    expect(next).toContain('[credentials-refused]');
    expectNoSecret(next);
    await emulator.setSettings({ refreshTokens: 'fixed' });
    expect(await call()).toBe('done');
  });
});
