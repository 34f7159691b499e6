/** @module-tag slow */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { redisHistoryStores } from '../support/ledger/history-store.ts';
import {
  type HistorySetup,
  historySeed,
  historyTimeout,
  openHistorySetup,
  runHistories,
} from '../support/ledger/run-histories.ts';
import { rounds } from '../support/process/rounds.ts';
import { findRedis, type RedisServer, startRedis } from '../support/process/start-redis.ts';

const runs = rounds(30);

describe.skipIf(!findRedis())('with the ledger in Redis', () => {
  let setup: HistorySetup;
  let redis: RedisServer;

  beforeAll(async () => {
    setup = await openHistorySetup();
    redis = await startRedis();
  });

  afterAll(async () => {
    await redis.stop();
    await setup.close();
  });

  test(`after any history, the service lists what the site shows (seed ${historySeed})`, {
    timeout: historyTimeout(runs),
  }, async (test) => {
    console.info(`${runs} histories on Redis, seed ${historySeed}`);
    const { openStore, close } = await redisHistoryStores(redis.url);
    await runHistories(setup, { runs, openStore, test });
    await close();
  });
});
