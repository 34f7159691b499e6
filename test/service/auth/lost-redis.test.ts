/** @module-tag slow */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from 'redis';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { childEnvironment } from '../../support/process/compile-cache.ts';
import { findRedis, type RedisServer, startRedis } from '../../support/process/start-redis.ts';
import {
  type EmulatorProcess,
  startEmulatorProcess,
} from '../../support/service/emulator-process.ts';
import { type PausableProxy, startPausableProxy } from '../../support/service/pausable-proxy.ts';

const child = fileURLToPath(new URL('../../support/service/token-process.ts', import.meta.url));
const key = 'a key of sixteen or more';
const redisPassword = 'p4ss-of-redis';

describe.skipIf(!findRedis())('a token store in a Redis that is killed during a refresh', () => {
  let folder: string;
  let data: string;
  let redis: RedisServer;
  let emulator: EmulatorProcess;
  let proxy: PausableProxy;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lost-redis-'));
    data = join(folder, 'redis');
    await mkdir(data);
    [redis, emulator] = await Promise.all([start(), startEmulatorProcess()]);
    proxy = await startPausableProxy(emulator.url);
  });

  afterEach(async () => {
    await proxy.close();
    await Promise.all([redis.stop(), emulator.stop()]);
    await rm(folder, { recursive: true, force: true });
  });

  const start = (port?: number) =>
    startRedis({ data, password: redisPassword, ...(port && { port }) });

  /** The output of a process that needs a token: `done`, or its error. */
  function call(): Promise<string> {
    const settings = { service: proxy.url, location: redis.url, key };
    const env = { ...childEnvironment, HOME: folder };
    return new Promise((resolve) => {
      execFile(process.execPath, [child, JSON.stringify(settings)], { env }, (_, stdout) =>
        resolve(stdout),
      );
    });
  }

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
    expect(said).not.toContain(key);
    expect(said).not.toContain(redisPassword);
    expect(said).not.toContain('emulator-secret');
    expect(said).not.toContain('emulator-refresh-token');
  }

  /** The lease of a killed process expires after half a minute. */
  async function endLease(): Promise<void> {
    const admin = await createClient({ url: redis.url }).connect();
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
      await redis.stop();
      await rm(data, { recursive: true });
      await mkdir(data);
      redis = await start(redis.port);
    };
    const { said } = await callWhile(emptied);
    expect(await said).toBe('done');
    expect(await call()).toBe('done');
  });

  test('and stays away, fails if the token was rotated', async () => {
    await emulator.setSettings({ refreshTokens: 'rotated' });
    const lost = await callWhile(redis.stop);
    const said = await lost.said;
    expect(said).toContain('[refresh-token-rotated]');
    expect(said).toContain("Redis couldn't be reached");
    expectNoSecret(said);
    const meanwhile = await call();
    expect(meanwhile).toContain('[token-store-unusable]');
    expectNoSecret(meanwhile);
    redis = await start(redis.port);
    await endLease();
    // A lost token needs a new sign-in, or a new value.
    const next = await call();
    expect(next).toContain('[credentials-refused]');
    expectNoSecret(next);
    await emulator.setSettings({ refreshTokens: 'fixed' });
    expect(await call()).toBe('done');
  });
});
