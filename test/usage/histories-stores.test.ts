/** @module-tag slow */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { redisHistoryStores } from '../support/ledger/history-store.ts';
import {
  type HistoryBench,
  historySeed,
  liveHistories,
  openHistoryBench,
} from '../support/ledger/run-histories.ts';
import { findRedis, type RedisServer, startRedis } from '../support/process/start-redis.ts';

const runs = 30;

describe.skipIf(!findRedis())('with the ledger in Redis', () => {
  let bench: HistoryBench;
  let redis: RedisServer;

  beforeAll(async () => {
    bench = await openHistoryBench();
    redis = await startRedis();
  });

  afterAll(async () => {
    await redis.stop();
    await bench.close();
  });

  test(`after any history, the service lists what the site shows (seed ${historySeed})`, {
    timeout: 120_000,
  }, async () => {
    console.info(`${runs} histories on Redis, seed ${historySeed}`);
    const { openStore, close } = await redisHistoryStores(redis.url);
    await liveHistories(bench, { runs, openStore });
    await close();
  });
});
