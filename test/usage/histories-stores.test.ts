/** @module-tag slow */
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  type HistoryBench,
  historySeed,
  liveHistories,
  openHistoryBench,
} from '../support/every-history.ts';
import { redisHistoryStores, unstorageHistoryStore } from '../support/history-store.ts';
import { findRedis, type RedisServer, startRedis } from '../support/start-redis.ts';

const isHere = findRedis();
const runs = 30;
const title = `after any history, the service lists what the site shows (seed ${historySeed})`;
const limit = { timeout: 120_000 };

let bench: HistoryBench;

beforeAll(async () => {
  bench = await openHistoryBench();
});

afterAll(() => bench.close());

describe('with the ledger in unstorage', () => {
  test(title, limit, async () => {
    console.info(`${runs} histories on unstorage, seed ${historySeed}`);
    await liveHistories(bench, { runs, openStore: async (own) => unstorageHistoryStore(own) });
  });
});

describe.skipIf(!isHere)('with the ledger in Redis', () => {
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await startRedis();
  });

  afterAll(() => redis.stop());

  test(title, limit, async () => {
    console.info(`${runs} histories on Redis, seed ${historySeed}`);
    const { openStore, close } = await redisHistoryStores(redis.url);
    await liveHistories(bench, { runs, openStore });
    await close();
  });
});
