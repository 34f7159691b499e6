import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { inspect } from 'node:util';
import { createClient } from 'redis';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Manifest } from '../../../src/scan/manifest.ts';
import { reportUsage } from '../../../src/usage/report/report-usage.ts';
import { openRedisStore } from '../../support/ledger/open-redis-store.ts';
import {
  identity,
  manifestOf,
  manyPages,
  pairsOf,
  siteFields,
} from '../../support/ledger/usage-fixtures.ts';
import { startUsageServer } from '../../support/ledger/usage-server.ts';
import { findRedis, type RedisServer, startRedis } from '../../support/process/start-redis.ts';
import { stateStoreSuite } from './state-store-suite.ts';

const isHere = findRedis();
const password = 'hunter2/&?';
const code = (code: string) => expect.objectContaining({ code });

describe.skipIf(!isHere)('Redis', () => {
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await startRedis({ password });
  });

  afterAll(() => redis.stop());

  const connect = () =>
    createClient({ url: redis.url })
      .on('error', () => {})
      .connect();
  const open = (of = identity) => openRedisStore({ url: redis.url, identity: of });

  describe('as a state store', () =>
    stateStoreSuite(async () => {
      const admin = await connect();
      await admin.flushAll();
      const keys = async (kind: string) => (await admin.keys(`media-asset:*:${kind}*`)).sort();
      return {
        open,
        async pass(ms) {
          for (const key of await keys('')) {
            const left = await admin.pTTL(key);
            if (left < 0) continue;
            if (left <= ms) await admin.del(key);
            else await admin.pExpire(key, left - ms);
          }
        },
        // Redis has its own clock.
        jump: () => {},
        beat: async () => {},
        async put(text) {
          const name = /\S+$/.exec(open().name)?.[0] ?? '';
          await admin.set(name, text);
        },
        close: () => admin.close(),
      };
    }));

  describe('the Redis store', () => {
    beforeEach(async () => {
      const admin = await connect();
      await admin.flushAll();
      await admin.close();
    });

    test('reports the refusals of Redis', async () => {
      const admin = await connect();
      await admin.hSet(/\S+$/.exec(open().name)?.[0] ?? '', 'field', 'value');
      await expect(open().read()).rejects.toThrow(code('ledger-unreadable'));
      const lease = await open().lock();
      await expect(lease.write('text', undefined)).rejects.toThrow(code('ledger-unwritable'));
      await lease.release();
      await admin.close();
    });

    test('writes nothing with an expired lease, even if no other run has taken over', async () => {
      const lease = await open().lock();
      const admin = await connect();
      await admin.del(await admin.keys('*:lease'));
      await expect(lease.renew()).rejects.toThrow(code('ledger-lost'));
      await expect(lease.write('late', undefined)).rejects.toThrow(code('ledger-lost'));
      expect(await admin.keys('*')).toEqual([]);
      await lease.release();
      await admin.close();
    });

    test('reconnects if the connection has broken between two requests', async () => {
      const lease = await open().lock();
      const admin = await connect();
      await admin.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
      await admin.close();
      await expect.poll(() => lease.renew().then(() => 'renewed', String)).toBe('renewed');
      await lease.write('text', undefined);
      expect(await open().read()).toMatchObject({ text: 'text' });
      await lease.release();
    });

    test('waits for a frozen Redis no longer than for a second after the signal, also to read', async () => {
      const store = open();
      const ended = new AbortController();
      const lease = await store.lock(ended.signal);
      redis.pause();
      ended.abort();
      const start = performance.now();
      await expect(store.read()).rejects.toThrow(code('store-unreachable'));
      // The patience without a signal is ten seconds.
      expect(performance.now() - start).toBeLessThan(8000);
      redis.resume();
      await lease.release();
    });

    test.each<[string, { password?: string; port?: string }, string]>([
      ["a wrong password, which isn't an outage", { password: 'hunter3' }, 'ledger-unreadable'],
      ['a port without a server', { port: '1' }, 'store-unreachable'],
    ])('shows no password in its name or in the error about %s', async (_, change, code) => {
      const url = Object.assign(new URL(redis.url), change);
      const store = openRedisStore({ url: url.href, identity });
      const error = await store.read().catch((thrown) => thrown);
      expect(error).toMatchObject({ code, cause: expect.any(Error) });
      expect(store.name).toMatch(/^redis:\/\/127\.0\.0\.1 media-asset:\{harbour-example-\w{8}\}/);
      expect(inspect([error, store.name], { depth: 9, showHidden: true })).not.toMatch(/hunter/);
    });
  });
});

test.each([
  ['as it is', 'hunter2'],
  ['URL-encoded', encodeURIComponent('hunter2/&?')],
])(
  'a server that quotes what it gets shows no password that the URL holds %s',
  async (_, given) => {
    const server = createServer((socket) => {
      // A command is the number of its words, then each one after its length.
      socket.on('data', (bytes) => {
        const words = bytes
          .toString()
          .split('\r\n')
          .filter((line) => /^[^*$]/.test(line));
        socket.write(`-ERR unknown command, with args beginning with: ${words.join(' ')}\r\n`);
      });
      socket.on('error', () => {});
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const store = openRedisStore({ url: `redis://:${given}@127.0.0.1:${port}`, identity });
    const error = await store.read().catch((thrown) => thrown);
    const { cause } = error;
    expect(cause).toMatchObject({ message: expect.stringMatching(/unknown command.* AUTH …/) });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/hunter/);
  },
);

test('a server that accepts the connection and never answers is unreachable, and the error says why', async () => {
  const server = createServer((socket) => void socket.on('error', () => {}));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const store = openRedisStore({ url: `redis://127.0.0.1:${port}`, identity, patience: 50 });
  await expect(store.read()).rejects.toMatchObject({
    code: 'store-unreachable',
    cause: { message: "Redis didn't answer within 50 ms." },
  });
});

describe.skipIf(!isHere)('a Redis that hangs in the middle of a run', { tags: ['slow'] }, () => {
  test('stops it before its next request, and nothing is removed', async () => {
    const redis = await startRedis();
    const server = await startUsageServer();
    const run = (manifest: Manifest, patience: number) =>
      reportUsage({
        manifest,
        fields: siteFields,
        service: server.client(),
        store: openRedisStore({ url: redis.url, identity, patience }),
        identity: { ...identity, service: server.url },
        clock: Date.now,
        allowRemovals: true,
        concurrency: 1,
      });
    const many = manyPages(6, { ids: (n) => [n + 1] });
    try {
      await run(many, 30_000);
      server.log.length = 0;
      server.treat = () => {
        redis.pause();
        return 'done';
      };
      const fewer = manifestOf({ '/0/': ['Page', 1] });
      await expect(run(fewer, 5000)).rejects.toThrow(code('store-unreachable'));
      expect(server.log).toHaveLength(1);
      expect(server.model.list()).toHaveLength(5);
      expect(pairsOf(many)).toEqual(expect.arrayContaining(server.model.list()));
    } finally {
      redis.resume();
      await redis.stop();
      await server.close();
    }
  });
});
